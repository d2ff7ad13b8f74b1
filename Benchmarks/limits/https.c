// The least that a download over https can cost with OpenSSL.
//   https PORT PATH FILE TRUST records   SSL_read of 16 KiB, one record, then a write of it: the usual loop
//   https PORT PATH FILE TRUST batches   ciphertext by receives of 256 KiB through a BIO of its own, SO_RCVLOWAT
//                                        128 KiB, records until none is whole or 500,000 bytes are there, one write
// TRUST is a file of certificates or a hashed directory of them.
#define _GNU_SOURCE
#include "loopback.h"
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

enum { RECORD = 16384, CONTENT = 500000, CIPHERTEXT = 262144, MARK = 131072 };  // bytes

static void fail(const char *what) {
  fprintf(stderr, "%s: ", what);
  ERR_print_errors_fp(stderr);
  exit(1);
}

static struct {
  char bytes[CIPHERTEXT];
  size_t from, to;
  int descriptor;
} arrived;

static int bio_read(BIO *bio, char *into, int size) {
  BIO_clear_retry_flags(bio);
  if (arrived.from == arrived.to) {
    ssize_t received = recv(arrived.descriptor, arrived.bytes, sizeof arrived.bytes, 0);
    if (received <= 0) return (int)received;
    arrived.from = 0;
    arrived.to = (size_t)received;
  }
  size_t count = arrived.to - arrived.from < (size_t)size ? arrived.to - arrived.from : (size_t)size;
  memcpy(into, arrived.bytes + arrived.from, count);
  arrived.from += count;
  return (int)count;
}

static int bio_write(BIO *bio, const char *bytes, int count) {
  BIO_clear_retry_flags(bio);
  return (int)send(arrived.descriptor, bytes, (size_t)count, MSG_NOSIGNAL);
}

static long bio_control(BIO *bio, int command, long number, void *pointer) {
  (void)bio, (void)number, (void)pointer;
  return command == BIO_CTRL_FLUSH;
}

/// Whether a whole record is there, so that reading it needs no receive (RFC 8446 §5.1: its length is at 3).
static int has_record(void) {
  const unsigned char *next = (const unsigned char *)arrived.bytes + arrived.from;
  size_t count = arrived.to - arrived.from;
  return count >= 5 && count >= 5 + (size_t)(next[3] << 8 | next[4]);
}

static SSL *session(int descriptor, const char *trust, int batches) {
  SSL_CTX *context = SSL_CTX_new(TLS_client_method());
  struct stat status;
  int directory = stat(trust, &status) == 0 && S_ISDIR(status.st_mode);
  if (!(directory ? SSL_CTX_load_verify_dir(context, trust) : SSL_CTX_load_verify_file(context, trust))) fail(trust);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
  SSL *ssl = SSL_new(context);
  SSL_set1_host(ssl, "localhost");
  SSL_set_tlsext_host_name(ssl, "localhost");
  if (batches) {
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "batches");
    BIO_meth_set_read(method, bio_read);
    BIO_meth_set_write(method, bio_write);
    BIO_meth_set_ctrl(method, bio_control);
    arrived.descriptor = descriptor;
    BIO *bio = BIO_new(method);
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl, bio, bio);
  } else {
    SSL_set_fd(ssl, descriptor);
  }
  if (SSL_connect(ssl) != 1) fail("handshake");
  return ssl;
}

static int receive(SSL *ssl, char *into, size_t size) {
  int count = SSL_read(ssl, into, (int)size);
  if (count <= 0) fail("SSL_read");
  return count;
}

/// Each record is written, or as many as are there together.
static void copy_content(SSL *ssl, int descriptor, int file, int64_t left, char *buffer, int batches) {
  int mark = MARK, one = 1;
  if (batches) setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &mark, sizeof mark);
  while (left > 0) {
    if (batches && mark > one && left < 3 * MARK) {  // as in http.c, and a record may be there in part
      mark = one;
      setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &one, sizeof one);
    }
    size_t filled = (size_t)receive(ssl, buffer, RECORD);
    while (batches && (int64_t)filled < left && filled + RECORD <= CONTENT && has_record()) {
      filled += (size_t)receive(ssl, buffer + filled, RECORD);
    }
    put(file, buffer, filled);
    left -= (int64_t)filled;
  }
}

int main(int count, char **arguments) {
  if (count < 6) return 2;
  int batches = strcmp(arguments[5], "batches") == 0;
  static char buffer[CONTENT + RECORD] __attribute__((aligned(4096)));
  int descriptor = connected(atoi(arguments[1]), SOCK_CLOEXEC), file = created(arguments[3]);
  SSL *ssl = session(descriptor, arguments[4], batches);
  size_t asked = request_for(buffer, sizeof buffer, arguments[2]), received = 0, head = 0;
  if (SSL_write(ssl, buffer, (int)asked) != (int)asked) fail("SSL_write");
  int64_t length = 0;
  while (head == 0) {
    received += (size_t)receive(ssl, buffer + received, RECORD);
    head = head_in(buffer, received, &length);
  }
  put(file, buffer + head, received - head);
  copy_content(ssl, descriptor, file, length - (int64_t)(received - head), buffer, batches);
  return close(file) == 0 ? 0 : 1;
}
