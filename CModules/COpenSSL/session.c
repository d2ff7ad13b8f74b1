// One client session: whom it expects (RFC 9110 §4.3.4, RFC 9525), and the calls that move bytes.
#include "internal.h"

#if OSSL_AVAILABLE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Making

/// The name or address the certificate must carry as a subjectAltName; its subject's CN counts for nothing. A name
/// is also what the server is asked for (RFC 6066 §3); an address is not.
static int expect(ossl_session *session, int is_address) {
  if (is_address) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session->ssl), session->host) == 1;
  SSL_set_hostflags(session->ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
  return SSL_set1_host(session->ssl, session->host) == 1
         && SSL_set_tlsext_host_name(session->ssl, session->host) == 1;
}

static int offer_ticket(ossl_session *session) {
  SSL_SESSION *copy = ossl_ticket_copy(session->context, session->host, session->port);
  if (copy == NULL) return 1;
  int is_set = SSL_set_session(session->ssl, copy);
  SSL_SESSION_free(copy);
  return is_set;
}

static int set_up(ossl_session *session, int is_address) {
  session->ssl = SSL_new(session->context->settings);
  if (session->ssl == NULL) return 0;
  SSL_set_app_data(session->ssl, session);
  SSL_set_connect_state(session->ssl);
  BIO *bio = BIO_new(session->context->transport);
  if (bio == NULL) return 0;
  BIO_set_data(bio, session);
  BIO_set_init(bio, 1);
  SSL_set_bio(session->ssl, bio, bio);
  return expect(session, is_address) && offer_ticket(session);
}

ossl_session *ossl_session_new(
    ossl_context *context, int descriptor, ossl_session *outer, const unsigned char *host, size_t host_count,
    int is_address, unsigned short port) {
  // A leading dot would match every name below (X509_check_host), a NUL would end the name early.
  if (host_count == 0 || host_count >= OSSL_HOST_CAPACITY || host[0] == '.' || memchr(host, 0, host_count) != NULL) {
    ossl_fail(&context->failure, 0, "no certificate can be expected for this host", "not a host name");
    return NULL;
  }
  ossl_session *session = calloc(1, sizeof *session);
  if (session == NULL) {
    ossl_fail(&context->failure, ENOMEM, "TLS session", "out of memory");
    return NULL;
  }
  session->context = context;
  session->descriptor = descriptor;
  session->outer = outer;
  session->port = port;
  memcpy(session->host, host, host_count);
  ERR_clear_error();
  if (set_up(session, is_address)) return session;
  ossl_fail_from_queue(&context->failure, 0, session->host);
  ossl_session_free(session);
  return NULL;
}

void ossl_session_free(ossl_session *session) {
  if (session == NULL) return;
  SSL_free(session->ssl);
  session->start = session->end;
  ossl_transport_give_back(session);
  free(session);
}

// ---- What OpenSSL's results mean

static void begin(ossl_session *session) {
  ERR_clear_error();
  session->drained = 0;
  session->outer_writes = 0;
  session->turn = OSSL_TURN_BYTES;
  session->ahead = OSSL_TURN_BYTES;
}

static int is_reason(unsigned long error, int reason) {
  return ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == reason;
}

/// The descriptor failed, or ended: OpenSSL itself has nothing to add.
static int transport_outcome(ossl_session *session) {
  if (session->error != 0) {
    ossl_fail(&session->failure, session->error, NULL, strerror(session->error));
    return ossl_CONNECTION;
  }
  ossl_fail(&session->failure, 0, NULL, "connection closed without close_notify");
  return ossl_TRUNCATED;
}

/// What a call that returned `result` came to. An alert that could not be sent any more leaves an error at the
/// descriptor too; the reason for the alert goes before it.
static int outcome(ossl_session *session, int result) {
  switch (SSL_get_error(session->ssl, result)) {
    case SSL_ERROR_WANT_READ: return session->outer_writes ? ossl_WANTS_WRITE : ossl_WANTS_READ;
    case SSL_ERROR_WANT_WRITE: return ossl_WANTS_WRITE;
    case SSL_ERROR_ZERO_RETURN: ossl_fail(&session->failure, 0, NULL, "close_notify"); return ossl_CLOSED;
    case SSL_ERROR_SYSCALL: return transport_outcome(session);
    default: break;
  }
  if (is_reason(ERR_peek_error(), SSL_R_UNEXPECTED_EOF_WHILE_READING)) return transport_outcome(session);
  long verified = SSL_get_verify_result(session->ssl);
  if (is_reason(ERR_peek_last_error(), SSL_R_CERTIFICATE_VERIFY_FAILED) && verified != X509_V_OK) {
    ossl_fail(&session->failure, (int)verified, NULL, X509_verify_cert_error_string(verified));
    return ossl_UNVERIFIED;
  }
  ossl_fail_from_queue(&session->failure, 0, NULL);
  return ossl_PROTOCOL;
}

/// Ends a call: notes whether it waits or is over, and lets go of an empty buffer.
static int settle(ossl_session *session, int status) {
  session->waits = status == ossl_WANTS_READ || status == ossl_WANTS_WRITE;
  if (status < 0 && !session->waits) session->ended = status;
  ossl_transport_give_back(session);
  return status;
}

// ---- Moving bytes

int ossl_session_handshake(ossl_session *session) {
  if (session->ended != 0) return session->ended;
  begin(session);
  int result = SSL_do_handshake(session->ssl);
  int status = settle(session, result == 1 ? 0 : outcome(session, result));
  // A server that cannot take its own ticket back must meet a full handshake at the next attempt.
  if (session->ended != 0) ossl_ticket_forget(session->context, session->host, session->port);
  return status;
}

ptrdiff_t ossl_session_receive(ossl_session *session, unsigned char *into, size_t capacity) {
  if (session->ended != 0) return session->ended;
  begin(session);
  // Ciphertext is longer than its plaintext, so this takes no byte of a record that is not needed; the rest of the last
  // one comes as OpenSSL asks for it. What is not wanted yet stays with the system, and no buffer of ours is kept.
  size_t held = (size_t)SSL_pending(session->ssl) + (session->end - session->start);
  session->ahead = capacity > held ? capacity - held : 0;
  size_t total = 0;
  int status = 0;
  while (total < capacity && status == 0) {
    size_t count = 0;
    int result = SSL_read_ex(session->ssl, into + total, capacity - total, &count);
    total += count;
    if (result != 1) status = outcome(session, result);
  }
  settle(session, status);
  return total > 0 ? (ptrdiff_t)total : status;
}

ptrdiff_t ossl_session_send(ossl_session *session, const unsigned char *bytes, size_t count) {
  if (session->ended == ossl_TRUNCATED) {
    ossl_fail(&session->failure, EPIPE, NULL, strerror(EPIPE));
    return ossl_CONNECTION;
  }
  if (session->ended != 0 && session->ended != ossl_CLOSED) return session->ended;
  begin(session);
  size_t sent = 0;
  int result = SSL_write_ex(session->ssl, bytes, count, &sent);
  if (result == 1) return (ptrdiff_t)sent;
  int status = outcome(session, result);
  if (status != ossl_WANTS_READ && status != ossl_WANTS_WRITE) session->ended = status;
  return status;
}

static void say_goodbye(ossl_session *session) {
  if (session->ended != 0 && session->ended != ossl_CLOSED) return;
  // Once said, a second SSL_shutdown would read, and throw away, what the peer still sends.
  if (!SSL_is_init_finished(session->ssl) || (SSL_get_shutdown(session->ssl) & SSL_SENT_SHUTDOWN) != 0) return;
  begin(session);
  SSL_shutdown(session->ssl);
  ERR_clear_error();
}

void ossl_session_close(ossl_session *session) {
  say_goodbye(session);
  if (session->outer != NULL) say_goodbye(session->outer);
}

// ---- Asking

int ossl_session_holds_bytes(const ossl_session *session) {
  if (session->ended != 0) return 1;
  if (session->outer != NULL && ossl_session_holds_bytes(session->outer)) return 1;
  if (session->waits) return 0;
  return session->start != session->end || SSL_has_pending(session->ssl) == 1;
}

/// Tickets and key updates may come while a connection is idle. Half a record may be the start of anything, so a
/// connection that holds one is no longer idle either.
int ossl_session_stays_idle(ossl_session *session) {
  if (session->ended != 0) return 0;
  begin(session);
  session->thorough = 1;
  unsigned char byte;
  size_t count = 0;
  int result = SSL_peek_ex(session->ssl, &byte, 1, &count);
  session->thorough = 0;
  int status = settle(session, result == 1 ? 0 : outcome(session, result));
  int holds_part = session->start != session->end || SSL_has_pending(session->ssl) == 1;
  return status == ossl_WANTS_READ && session->turn > 0 && !holds_part;
}

int ossl_session_is_resumed(const ossl_session *session) { return SSL_session_reused(session->ssl); }

size_t ossl_session_key_digest(const ossl_session *session, unsigned char *into) {
  const X509 *certificate = SSL_get0_peer_certificate(session->ssl);
  if (certificate == NULL) return 0;
  unsigned char *key = NULL;
  int count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &key);
  unsigned int written = 0;
  int is_made = count > 0 && EVP_Digest(key, (size_t)count, into, &written, EVP_sha256(), NULL) == 1;
  OPENSSL_free(key);
  ERR_clear_error();
  return is_made ? written : 0;
}

int ossl_session_failure_code(const ossl_session *session) { return session->failure.code; }

size_t ossl_session_failure(const ossl_session *session, unsigned char *into, size_t capacity) {
  return ossl_copy_failure(&session->failure, into, capacity);
}

size_t ossl_session_description(const ossl_session *session, unsigned char *into, size_t capacity) {
  char text[128];
  int length = snprintf(
      text, sizeof text, "%s %s", SSL_get_version(session->ssl), SSL_get_cipher_name(session->ssl));
  size_t count = length < 0 ? 0 : (size_t)length;
  if (count >= sizeof text) count = sizeof text - 1;
  if (count > capacity) count = capacity;
  memcpy(into, text, count);
  return count;
}

size_t ossl_session_buffer_size(const ossl_session *session) {
  return session->buffer == NULL ? 0 : OSSL_RECEIVE_BYTES;
}
#endif
