// The settings all sessions share (RFC 9325: TLS 1.2 or later, no compression, no renegotiation).
//
// The system's openssl.cnf is read, as every OpenSSL program does: it is where an administrator sets policy
// (security level, FIPS, crypto-policies), and reading it costs under 1 ms. Settings here only ever narrow it: the
// minimum version is raised, never lowered, and what would weaken a promise of ours is switched back off.
#include "internal.h"

#if OSSL_AVAILABLE
#include <stdlib.h>

ossl_context *ossl_context_new(void) { return calloc(1, sizeof(ossl_context)); }

void ossl_context_free(ossl_context *context) {
  if (context == NULL) return;
  if (context->settings != NULL) {  // else OpenSSL may not be there
    ossl_ticket_forget_all(context);
    SSL_CTX_free(context->settings);
    X509_LOOKUP_meth_free(context->bundle_method);
    BIO_meth_free(context->transport);
  }
  free(context->bundle);
  free(context->spare);
  free(context);
}

size_t ossl_context_failure(const ossl_context *context, unsigned char *into, size_t capacity) {
  return ossl_copy_failure(&context->failure, into, capacity);
}

static int raise_minimum(SSL_CTX *settings, int version) {
  return SSL_CTX_get_min_proto_version(settings) >= version || SSL_CTX_set_min_proto_version(settings, version) == 1;
}

static int set_up(ossl_context *context, int at_least_tls13, int at_most_tls12) {
  static const unsigned char protocols[] = "\x08http/1.1";  // RFC 7301 §3.1
  SSL_CTX *settings = context->settings;
  if (!raise_minimum(settings, at_least_tls13 ? TLS1_3_VERSION : TLS1_2_VERSION)) return 0;
  if (at_most_tls12 && SSL_CTX_set_max_proto_version(settings, TLS1_2_VERSION) != 1) return 0;
  if (SSL_CTX_set_alpn_protos(settings, protocols, sizeof protocols - 1) != 0) return 0;
  SSL_CTX_set_options(settings, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // A stream that ends without close_notify must be told apart from one that ends with it (RFC 9112 §9.8).
  SSL_CTX_clear_options(settings, SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION);
  SSL_CTX_set_mode(
      settings, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_verify(settings, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_session_cache_mode(settings, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(settings, ossl_ticket_arrived);
  return 1;
}

int ossl_context_start(ossl_context *context, int at_least_tls13, int at_most_tls12) {
  const char *missing = ossl_load_ssl();
  if (missing != NULL) {
    ossl_fail(&context->failure, 0, NULL, missing);
    return ossl_NOT_LOADED;
  }
  ERR_clear_error();
  // Without a handler at exit: a thread of the program may still be in a session while exit() runs.
  if (OPENSSL_init_ssl(OPENSSL_INIT_NO_ATEXIT, NULL) == 1) {
    context->settings = SSL_CTX_new(TLS_client_method());
    context->transport = context->settings == NULL ? NULL : ossl_transport_method();
    if (context->transport != NULL && set_up(context, at_least_tls13, at_most_tls12)) return 0;
  }
  ossl_fail_from_queue(&context->failure, 0, "OpenSSL does not start");
  return -1;
}

void ossl_context_trust_everyone(ossl_context *context) {
  SSL_CTX_set_verify(context->settings, SSL_VERIFY_NONE, NULL);
}

/// Never asks at a terminal: a key under a passphrase is refused.
static int no_passphrase(char *into, int capacity, int writes, void *data) {
  (void)into, (void)capacity, (void)writes, (void)data;
  return -1;
}

int ossl_context_identify(
    ossl_context *context, const unsigned char *certificate, size_t certificate_count, const unsigned char *key,
    size_t key_count) {
  char path[OSSL_PATH_CAPACITY];
  ERR_clear_error();
  SSL_CTX_set_default_passwd_cb(context->settings, no_passphrase);
  if (!ossl_copy_path(path, certificate, certificate_count)) {
    ossl_fail(&context->failure, 0, "client certificate", "not a path");
    return -1;
  }
  if (SSL_CTX_use_certificate_chain_file(context->settings, path) != 1) {
    ossl_fail_from_queue(&context->failure, 0, path);
    return -1;
  }
  if (key != NULL && !ossl_copy_path(path, key, key_count)) {
    ossl_fail(&context->failure, 0, "client key", "not a path");
    return -1;
  }
  // Refuses a key that is not the certificate's.
  if (SSL_CTX_use_PrivateKey_file(context->settings, path, SSL_FILETYPE_PEM) == 1) return 0;
  ossl_fail_from_queue(&context->failure, 0, path);
  return -1;
}
#endif
