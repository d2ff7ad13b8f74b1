// A BIO of our own over the caller's descriptor. It takes as much ciphertext as is wanted from the socket at once and
// hands OpenSSL one record after the other out of that, so a MiB costs a few system calls instead of 130.
//
// The buffer exists only while it holds something: a session that waits costs none. The context keeps one spare,
// which in a loop on one thread is the buffer of every session in turn.
#define _GNU_SOURCE
#include "internal.h"

#if OSSL_AVAILABLE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0  // Darwin: SO_NOSIGPIPE was set where the socket was made
#endif

/// What a count from the outer session comes to as a result of recv or send. An end is an end here, however it came:
/// this session's own close_notify tells whether its stream is whole.
static ssize_t outer_outcome(ossl_session *session, ptrdiff_t outcome) {
  if (outcome >= 0) return (ssize_t)outcome;
  if (outcome == ossl_CLOSED || outcome == ossl_TRUNCATED) return 0;
  if (outcome == ossl_WANTS_READ || outcome == ossl_WANTS_WRITE) {
    session->outer_writes = outcome == ossl_WANTS_WRITE;
    errno = EAGAIN;
  } else {
    errno = outcome == ossl_CONNECTION ? ossl_session_failure_code(session->outer) : EPROTO;
  }
  return -1;
}

static int take_buffer(ossl_session *session) {
  if (session->buffer != NULL) return 1;
  ossl_context *context = session->context;
  session->buffer = context->spare != NULL ? context->spare : malloc(OSSL_RECEIVE_BYTES);
  context->spare = NULL;
  return session->buffer != NULL;
}

void ossl_transport_give_back(ossl_session *session) {
  if (session->buffer == NULL || session->start != session->end) return;
  if (session->context->spare == NULL) {
    session->context->spare = session->buffer;
  } else {
    free(session->buffer);
  }
  session->buffer = NULL;
}

/// What recv comes to: bytes, 0 at the end, or -1 with errno.
static ssize_t receive(ossl_session *session, size_t room) {
  ssize_t count;
  if (session->outer == NULL) {
    do {
      count = recv(session->descriptor, session->buffer, room, 0);
    } while (count < 0 && errno == EINTR);
    return count;
  }
  session->outer->thorough = session->thorough;
  count = ossl_session_receive(session->outer, session->buffer, room);
  session->outer->thorough = 0;
  return outer_outcome(session, count);
}

/// 1 when there is ciphertext; 0 at the end of the stream; -1 with an error kept, or with a wish to retry. OpenSSL asks
/// for `wanted` bytes, which never reach beyond the end of a record.
///
/// A receive that came short has emptied the socket, most likely; asking again would be a call for nothing.
/// That is enough under a level-triggered poller, which reports what came in between, an end included.
static int refill(ossl_session *session, BIO *bio, size_t wanted) {
  if (session->peer_closed) return 0;
  if (session->error != 0) return -1;
  if (session->drained || session->turn == 0) {
    BIO_set_retry_read(bio);
    return -1;
  }
  if (!take_buffer(session)) {
    session->error = ENOMEM;
    return -1;
  }
  size_t room = session->ahead > wanted ? session->ahead : wanted;
  if (room > session->turn) room = session->turn;
  if (room > OSSL_RECEIVE_BYTES) room = OSSL_RECEIVE_BYTES;
  ssize_t count = receive(session, room);
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
    session->drained = 1;
    BIO_set_retry_read(bio);
    return -1;
  }
  if (count < 0) {
    session->error = errno;
    return -1;
  }
  session->peer_closed = count == 0;
  session->drained = (size_t)count < room && !session->thorough;
  session->turn -= (size_t)count;
  session->ahead -= (size_t)count < session->ahead ? (size_t)count : session->ahead;
  session->start = 0;
  session->end = (size_t)count;
  return count > 0;
}

static int transport_read(BIO *bio, char *into, int capacity) {
  ossl_session *session = BIO_get_data(bio);
  BIO_clear_retry_flags(bio);
  if (capacity <= 0) return 0;
  if (session->start == session->end) {
    int outcome = refill(session, bio, (size_t)capacity);
    if (outcome <= 0) return outcome;
  }
  size_t count = session->end - session->start;
  if (count > (size_t)capacity) count = (size_t)capacity;
  memcpy(into, session->buffer + session->start, count);
  session->start += count;
  return (int)count;
}

static int transport_write(BIO *bio, const char *bytes, int count) {
  ossl_session *session = BIO_get_data(bio);
  BIO_clear_retry_flags(bio);
  if (count <= 0) return 0;
  ssize_t sent;
  if (session->outer != NULL) {
    sent = outer_outcome(session, ossl_session_send(session->outer, (const unsigned char *)bytes, (size_t)count));
  } else {
    do {
      sent = send(session->descriptor, bytes, (size_t)count, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
  }
  if (sent >= 0) return (int)sent;
  if (errno == EAGAIN || errno == EWOULDBLOCK) {
    BIO_set_retry_write(bio);
  } else if (session->error == 0) {
    session->error = errno;
  }
  return -1;
}

static long transport_control(BIO *bio, int command, long number, void *pointer) {
  (void)number, (void)pointer;
  const ossl_session *session = BIO_get_data(bio);
  switch (command) {
    case BIO_CTRL_FLUSH: return 1;
    case BIO_CTRL_EOF: return session->peer_closed && session->start == session->end;
    case BIO_CTRL_PENDING: return (long)(session->end - session->start);
    default: return 0;
  }
}

BIO_METHOD *ossl_transport_method(void) {
  BIO_METHOD *method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "rawget socket");
  if (method == NULL) return NULL;
  if (BIO_meth_set_read(method, transport_read) == 1 && BIO_meth_set_write(method, transport_write) == 1
      && BIO_meth_set_ctrl(method, transport_control) == 1) {
    return method;
  }
  BIO_meth_free(method);
  return NULL;
}
#endif
