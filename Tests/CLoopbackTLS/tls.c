#include "loopback_tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <string.h>

// As a server of http/1.1 does: takes that or nothing from what the client offers (RFC 7301).
static int choose_protocol(
    SSL *ssl, const unsigned char **chosen, unsigned char *count, const unsigned char *offered,
    unsigned int offered_count, void *data) {
  (void)ssl, (void)data;
  static const unsigned char wanted[] = "\x08http/1.1";
  unsigned char *found = NULL;
  if (SSL_select_next_proto(&found, count, wanted, sizeof wanted - 1, offered, offered_count)
      != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

static int limit_version(SSL_CTX *server, int version) {
  if (version == 0) return 1;
  // Versions before 1.2 sign with SHA-1, which the usual security level forbids.
  SSL_CTX_set_security_level(server, 0);
  if (SSL_CTX_set_cipher_list(server, "ALL:@SECLEVEL=0") != 1) return 0;
  int number = TLS1_VERSION + version;
  return SSL_CTX_set_min_proto_version(server, number) == 1 && SSL_CTX_set_max_proto_version(server, number) == 1;
}

static int require_client(SSL_CTX *server, const char *authority) {
  if (authority == NULL) return 1;
  SSL_CTX_set_verify(server, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
  SSL_CTX_set_client_CA_list(server, SSL_load_client_CA_file(authority));
  return SSL_CTX_load_verify_locations(server, authority, NULL) == 1;
}

loopback_tls_server *loopback_tls_server_new(
    const char *certificate, const char *key, const char *client_authority, int version) {
  SSL_CTX *server = SSL_CTX_new(TLS_server_method());
  if (server == NULL) return NULL;
  SSL_CTX_set_mode(server, SSL_MODE_AUTO_RETRY);
  SSL_CTX_set_alpn_select_cb(server, choose_protocol, NULL);
  int is_ready = SSL_CTX_set_session_id_context(server, (const unsigned char *)"test", 4) == 1
                 && SSL_CTX_use_certificate_chain_file(server, certificate) == 1
                 && SSL_CTX_use_PrivateKey_file(server, key, SSL_FILETYPE_PEM) == 1
                 && limit_version(server, version) && require_client(server, client_authority);
  if (is_ready) return server;
  SSL_CTX_free(server);
  return NULL;
}

void loopback_tls_server_free(loopback_tls_server *server) { SSL_CTX_free(server); }

loopback_tls_session *loopback_tls_accept(loopback_tls_server *server, int descriptor) {
  (void)signal(SIGPIPE, SIG_IGN); // whichever thread writes to a client that has gone
  ERR_clear_error();
  SSL *session = SSL_new(server);
  if (session == NULL) return NULL;
  if (SSL_set_fd(session, descriptor) == 1 && SSL_accept(session) == 1) return session;
  SSL_free(session);
  return NULL;
}

void loopback_tls_session_free(loopback_tls_session *session) { SSL_free(session); }

long loopback_tls_read(loopback_tls_session *session, void *into, size_t capacity) {
  ERR_clear_error();
  size_t count = 0;
  int result = SSL_read_ex(session, into, capacity, &count);
  if (result == 1) return (long)count;
  return SSL_get_error(session, result) == SSL_ERROR_ZERO_RETURN ? 0 : -1;
}

int loopback_tls_write(loopback_tls_session *session, const void *bytes, size_t count) {
  if (count == 0) return 1;
  ERR_clear_error();
  size_t sent = 0;
  return SSL_write_ex(session, bytes, count, &sent) == 1;
}

void loopback_tls_close_notify(loopback_tls_session *session) {
  ERR_clear_error();
  SSL_shutdown(session);
}

int loopback_tls_update_keys(loopback_tls_session *session) {
  ERR_clear_error();
  return SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED) == 1 && SSL_do_handshake(session) == 1;
}

int loopback_tls_was_resumed(const loopback_tls_session *session) { return SSL_session_reused(session); }

const char *loopback_tls_server_name(const loopback_tls_session *session) {
  return SSL_get_servername(session, TLSEXT_NAMETYPE_host_name);
}

size_t loopback_tls_protocol(const loopback_tls_session *session, unsigned char into[255]) {
  const unsigned char *name = NULL;
  unsigned int count = 0;
  SSL_get0_alpn_selected(session, &name, &count);
  if (count > 0) memcpy(into, name, count);
  return count;
}
