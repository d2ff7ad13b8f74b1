// What the files of this module share. Empty where OpenSSL's headers are missing: the files then compile to
// nothing, and only a build with the trait TLS asks for what they hold.
#ifndef OSSL_INTERNAL_H
#define OSSL_INTERNAL_H

#if __has_include(<openssl/ssl.h>)
#define OSSL_AVAILABLE 1

#include "functions.h"
#include "include/COpenSSL.h"

enum {
  OSSL_HOST_CAPACITY = 254,              // bytes, with the final NUL (RFC 1035 §2.3.4: 253)
  OSSL_PATH_CAPACITY = 4096,             // bytes, with the final NUL
  OSSL_FAILURE_BYTES = 512,              // as ossl_FAILURE_CAPACITY
  OSSL_TICKETS = 16,                     // origins whose newest session is kept
  OSSL_RECEIVE_BYTES = 256 * 1024,       // ciphertext taken from the socket at once
  OSSL_TURN_BYTES = 1024 * 1024,         // ciphertext one call takes at most, whatever it decrypts to
};

/// Why the last call failed. Printable ASCII; `code` as the result defines it.
struct ossl_failure {
  int code;
  size_t length;
  char text[OSSL_FAILURE_BYTES];
};

/// The newest session of one origin. Empty while `session` is NULL.
struct ossl_ticket {
  SSL_SESSION *session;
  unsigned long stamp;  // higher: stored later
  unsigned short port;
  char host[OSSL_HOST_CAPACITY];
};

struct ossl_context {
  SSL_CTX *settings;
  BIO_METHOD *transport;
  X509_LOOKUP_METHOD *bundle_method;  // NULL unless a bundle may be read on demand
  char *bundle;                       // its path
  unsigned char *spare;               // a receive buffer nobody holds, or NULL
  unsigned long stamps;
  struct ossl_ticket tickets[OSSL_TICKETS];
  struct ossl_failure failure;
};

struct ossl_session {
  ossl_context *context;
  SSL *ssl;
  ossl_session *outer;  // what carries the ciphertext instead of the descriptor, or NULL
  int descriptor;
  int ended;         // the negative result that every later call repeats, or 0
  int waits;         // the last call had to wait: what is held here is part of a record at most
  int error;         // errno of the descriptor, or 0
  int outer_writes;  // this call waits for the outer session to become able to send
  int peer_closed;   // FIN seen
  int drained;       // this call has seen the descriptor run dry
  int thorough;      // a short receive does not prove it dry: ask again
  size_t turn;       // ciphertext this call may still take, bytes
  size_t ahead;      // of that, what it may take before OpenSSL asks for it, bytes
  unsigned char *buffer;  // OSSL_RECEIVE_BYTES, or NULL while empty
  size_t start, end;      // the ciphertext in it
  unsigned short port;
  char host[OSSL_HOST_CAPACITY];
  struct ossl_failure failure;
};

// failure.c
void ossl_fail(struct ossl_failure *failure, int code, const char *what, const char *why);
void ossl_fail_from_queue(struct ossl_failure *failure, int code, const char *what);
size_t ossl_copy_failure(const struct ossl_failure *failure, unsigned char *into, size_t capacity);

// transport.c
BIO_METHOD *ossl_transport_method(void);
void ossl_transport_give_back(ossl_session *session);

// tickets.c
int ossl_ticket_arrived(SSL *ssl, SSL_SESSION *session);
SSL_SESSION *ossl_ticket_copy(const ossl_context *context, const char *host, unsigned short port);
void ossl_ticket_forget(ossl_context *context, const char *host, unsigned short port);
void ossl_ticket_forget_all(ossl_context *context);

// trust.c
int ossl_copy_path(char path[OSSL_PATH_CAPACITY], const unsigned char *bytes, size_t count);

// lookup.c
int ossl_trust_directory(ossl_context *context, const char *directory);
int ossl_trust_bundle_on_demand(ossl_context *context, const char *file);

#endif
#endif
