// The server side of TLS for tests: blocking, over an accepted descriptor that stays the caller's.
// Plain C types only. A server may be shared by threads; a session belongs to one.
#ifndef LOOPBACK_TLS_H
#define LOOPBACK_TLS_H

#include <stddef.h>

typedef struct ssl_ctx_st loopback_tls_server;
typedef struct ssl_st loopback_tls_session;

// NULL if a file cannot be used. `client_authority` (or NULL): only clients with a certificate from it
// are served. `version` (or 0): the only minor version spoken, 1 to 3 for TLS 1.1 to 1.3. Session
// tickets are on.
loopback_tls_server *loopback_tls_server_new(
    const char *certificate, const char *key, const char *client_authority, int version);
void loopback_tls_server_free(loopback_tls_server *server);

// NULL if no handshake came about. SIGPIPE is ignored from then on, by the process.
loopback_tls_session *loopback_tls_accept(loopback_tls_server *server, int descriptor);
void loopback_tls_session_free(loopback_tls_session *session);

// Bytes read, waiting for the first; 0 after close_notify; -1 after anything else.
long loopback_tls_read(loopback_tls_session *session, void *into, size_t capacity);
// 1 when all was sent, else 0.
int loopback_tls_write(loopback_tls_session *session, const void *bytes, size_t count);
// Sends close_notify without waiting for the answer.
void loopback_tls_close_notify(loopback_tls_session *session);
// TLS 1.3 only: sends a KeyUpdate that asks for one in return (RFC 8446 §4.6.3). 1 when sent.
int loopback_tls_update_keys(loopback_tls_session *session);
int loopback_tls_was_resumed(const loopback_tls_session *session);
// The server name the client sent (RFC 6066 §3), or NULL; owned by the session.
const char *loopback_tls_server_name(const loopback_tls_session *session);
// Copies the protocol agreed on by ALPN (RFC 7301); its length, 0 if there is none.
size_t loopback_tls_protocol(const loopback_tls_session *session, unsigned char into[255]);

#endif
