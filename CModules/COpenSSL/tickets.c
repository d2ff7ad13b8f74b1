// The newest session of each origin, to resume with (RFC 8446 §2.2; RFC 5246 §7.3): a reconnect after a drop then
// costs neither a certificate chain nor a signature. At most OSSL_TICKETS origins; the one stored longest ago goes.
//
// Only copies are kept and offered. OpenSSL marks a session that ended badly as not to be resumed, which has been
// no rule since TLS 1.1 (RFC 5246 §7.2.1) and would spoil resumption in the one case it is for.
#include "internal.h"

#if OSSL_AVAILABLE
#include <string.h>

static struct ossl_ticket *find(ossl_context *context, const char *host, unsigned short port) {
  for (int i = 0; i < OSSL_TICKETS; i++) {
    struct ossl_ticket *ticket = &context->tickets[i];
    if (ticket->session != NULL && ticket->port == port && strcmp(ticket->host, host) == 0) return ticket;
  }
  return NULL;
}

/// An empty place, else the oldest one.
static struct ossl_ticket *place(ossl_context *context) {
  struct ossl_ticket *oldest = &context->tickets[0];
  for (int i = 0; i < OSSL_TICKETS; i++) {
    struct ossl_ticket *ticket = &context->tickets[i];
    if (ticket->session == NULL) return ticket;
    if (ticket->stamp < oldest->stamp) oldest = ticket;
  }
  return oldest;
}

/// OpenSSL's callback for a session that may be resumed; 0: its reference stays OpenSSL's.
int ossl_ticket_arrived(SSL *ssl, SSL_SESSION *session) {
  ossl_session *owner = SSL_get_app_data(ssl);
  SSL_SESSION *copy = SSL_SESSION_dup(session);
  if (owner == NULL || copy == NULL) {
    SSL_SESSION_free(copy);
    return 0;
  }
  ossl_context *context = owner->context;
  struct ossl_ticket *ticket = find(context, owner->host, owner->port);
  if (ticket == NULL) ticket = place(context);
  SSL_SESSION_free(ticket->session);
  ticket->session = copy;
  ticket->stamp = ++context->stamps;
  ticket->port = owner->port;
  memcpy(ticket->host, owner->host, sizeof ticket->host);
  return 0;
}

SSL_SESSION *ossl_ticket_copy(const ossl_context *context, const char *host, unsigned short port) {
  const struct ossl_ticket *ticket = find((ossl_context *)context, host, port);
  return ticket == NULL ? NULL : SSL_SESSION_dup(ticket->session);
}

void ossl_ticket_forget(ossl_context *context, const char *host, unsigned short port) {
  struct ossl_ticket *ticket = find(context, host, port);
  if (ticket == NULL) return;
  SSL_SESSION_free(ticket->session);
  ticket->session = NULL;
}

void ossl_ticket_forget_all(ossl_context *context) {
  for (int i = 0; i < OSSL_TICKETS; i++) {
    SSL_SESSION_free(context->tickets[i].session);
    context->tickets[i].session = NULL;
  }
}
#endif
