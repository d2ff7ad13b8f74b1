// The only face of OpenSSL that Swift sees: plain C types, three opaque structs, nothing of OpenSSL's own
// headers, so that importing it needs none of them. OpenSSL 3.0 or later.
//
// One thread at a time may use a context and the sessions made from it. A session must be freed before its
// context. Nothing here blocks; the descriptor must be non-blocking.
#ifndef COPENSSL_H
#define COPENSSL_H

#include <stddef.h>

/// What all sessions of one configuration share: settings, trust, tickets to resume with, a spare buffer.
typedef struct ossl_context ossl_context;
/// One client session over a descriptor that stays the caller's.
typedef struct ossl_session ossl_session;

// What a session's calls return in place of a count (which is never negative).
static const int ossl_WANTS_READ = -1;
static const int ossl_WANTS_WRITE = -2;
static const int ossl_CLOSED = -3;      // close_notify (RFC 8446 §6.1)
static const int ossl_TRUNCATED = -4;   // the connection ended without it
static const int ossl_UNVERIFIED = -5;  // failure code: an X509_V_ERR number
static const int ossl_CONNECTION = -6;  // failure code: errno
static const int ossl_PROTOCOL = -7;    // failure text: an alert, or what the peer did wrong

// What starting a context returns where there is no OpenSSL of this version.
static const int ossl_NOT_LOADED = -8;

/// Bytes of a failure's text, at most.
static const size_t ossl_FAILURE_CAPACITY = 512;

// ---- Context. 0 or -1; after -1 the failure text says why. Paths are bytes with a count, not terminated.

/// NULL: out of memory. Starts nothing: a context that is never started costs a few hundred bytes.
ossl_context *ossl_context_new(void);
void ossl_context_free(ossl_context *context);

/// Loads and starts OpenSSL (once in a process) and makes the settings; TLS 1.2 or later, unless one of them alone is
/// asked for.
/// NOT_LOADED: there is no OpenSSL, and the failure text says why.
int ossl_context_start(ossl_context *context, int at_least_tls13, int at_most_tls12);

/// The authorities in a PEM file, in a directory of hashed names, or in both. NULL: not given.
int ossl_context_trust(
    ossl_context *context, const unsigned char *file, size_t file_count, const unsigned char *directory,
    size_t directory_count);
/// SSL_CERT_FILE and SSL_CERT_DIR if either is set, else the system's store.
int ossl_context_trust_system(ossl_context *context);
/// No verification at all.
void ossl_context_trust_everyone(ossl_context *context);

/// A client certificate with its chain, and its key, as PEM. Without a key file, the key is in the first.
int ossl_context_identify(
    ossl_context *context, const unsigned char *certificate, size_t certificate_count, const unsigned char *key,
    size_t key_count);

/// Copies the text of the last failure; returns its length.
size_t ossl_context_failure(const ossl_context *context, unsigned char *into, size_t capacity);

// ---- Session. After a negative result but WANTS_*, failure code and text say more.

/// NULL: the context's failure text says why. `host` has at most 253 bytes (RFC 1035 §2.3.4). With `outer` (or NULL), an
/// open session over the same descriptor that must outlive this one, the bytes travel through that.
ossl_session *ossl_session_new(
    ossl_context *context, int descriptor, ossl_session *outer, const unsigned char *host, size_t host_count,
    int is_address, unsigned short port);
void ossl_session_free(ossl_session *session);

/// 0 when done.
int ossl_session_handshake(ossl_session *session);
/// Decrypts until `into` is full or nothing more is here. What ends the session waits for the next call if
/// bytes came before it, and is then repeated by every call.
ptrdiff_t ossl_session_receive(ossl_session *session, unsigned char *into, size_t capacity);
/// After WANTS_* the same bytes must be offered again (they may have moved).
ptrdiff_t ossl_session_send(ossl_session *session, const unsigned char *bytes, size_t count);
/// One attempt to send close_notify, and then in the outer session too.
void ossl_session_close(ossl_session *session);

/// 1 if the next receive may succeed without anything arriving at the descriptor.
int ossl_session_holds_bytes(const ossl_session *session);
/// Processes what has arrived; 1 if that was neither content nor an end.
int ossl_session_stays_idle(ossl_session *session);
int ossl_session_is_resumed(const ossl_session *session);
/// The SHA-256 of the peer's SubjectPublicKeyInfo, 32 bytes (RFC 7469 §2.4); 0 if there is no certificate.
size_t ossl_session_key_digest(const ossl_session *session, unsigned char *into);

int ossl_session_failure_code(const ossl_session *session);
size_t ossl_session_failure(const ossl_session *session, unsigned char *into, size_t capacity);
/// Version and cipher suite, such as "TLSv1.3 TLS_AES_128_GCM_SHA256"; returns the length.
size_t ossl_session_description(const ossl_session *session, unsigned char *into, size_t capacity);
/// Bytes of receive buffer this session holds now: 0 while it waits.
size_t ossl_session_buffer_size(const ossl_session *session);

// ---- Message digests (FIPS 180-4, and MD5). Each belongs to one thread at a time, and to no context.

/// A digest of what was given to it so far.
typedef struct ossl_digest ossl_digest;

static const int ossl_SHA256 = 0;
static const int ossl_SHA512 = 1;
static const int ossl_SHA1 = 2;
static const int ossl_MD5 = 3;

/// NULL: out of memory, no libcrypto, or the system's OpenSSL configuration leaves this algorithm out (FIPS: MD5).
ossl_digest *ossl_digest_new(int algorithm);
/// Why there is no libcrypto; 0 if there is one.
size_t ossl_digest_missing(unsigned char *into, size_t capacity);
void ossl_digest_free(ossl_digest *digest);
/// NULL: out of memory. Both go on independently.
ossl_digest *ossl_digest_copy(const ossl_digest *digest);
void ossl_digest_update(ossl_digest *digest, const unsigned char *bytes, size_t count);
/// The digest's bytes, once: after this it may only be freed. 0 if OpenSSL failed at any time.
size_t ossl_digest_finish(ossl_digest *digest, unsigned char *into, size_t capacity);

#endif
