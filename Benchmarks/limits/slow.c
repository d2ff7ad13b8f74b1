// The least memory that many slow downloads at once can cost: one buffer for all, and for https what OpenSSL needs.
//   slow PORT PATH COUNT [TRUST]   with TRUST, a file of certificates, over https
// Content is counted and thrown away.
#define _GNU_SOURCE
#include "loopback.h"
#include <errno.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>

struct download {
  int descriptor;
  int asked;
  int64_t left;  // bytes of content, -1 before the head is there
  SSL *ssl;
};

static char buffer[65536];
static char request[1024];
static size_t request_size;

/// Bytes received; 0 when there are none now.
static size_t receive(struct download *download) {
  if (download->ssl == NULL) {
    ssize_t count = recv(download->descriptor, buffer, sizeof buffer, 0);
    if (count == 0 || (count < 0 && errno != EAGAIN)) end("recv");
    return count < 0 ? 0 : (size_t)count;
  }
  int count = SSL_read(download->ssl, buffer, sizeof buffer);
  if (count <= 0 && SSL_get_error(download->ssl, count) != SSL_ERROR_WANT_READ) end("SSL_read");
  return count < 0 ? 0 : (size_t)count;
}

/// Whether the connection is there, and the request is sent.
static int ready(struct download *download) {
  if (download->asked) return 1;
  if (download->ssl != NULL) {
    int status = SSL_do_handshake(download->ssl);
    if (status != 1 && SSL_get_error(download->ssl, status) == SSL_ERROR_WANT_READ) return 0;
    if (status != 1 || SSL_write(download->ssl, request, (int)request_size) <= 0) end("handshake");
  } else {
    if (send(download->descriptor, request, request_size, MSG_NOSIGNAL) < 0) end("send");
  }
  return download->asked = 1;
}

/// Whether the download is complete. The head arrives in one piece: the server writes it at once.
static int advance(struct download *download) {
  if (!ready(download)) return 0;
  for (size_t count = receive(download); count > 0; count = download->left > 0 ? receive(download) : 0) {
    if (download->left < 0) count -= head_in(buffer, count, &download->left);
    download->left -= (int64_t)count;
  }
  return download->left == 0;
}

static SSL_CTX *context_with(const char *trust) {
  SSL_CTX *context = SSL_CTX_new(TLS_client_method());
  if (!SSL_CTX_load_verify_file(context, trust)) end(trust);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
  return context;
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  int number = atoi(arguments[3]), left = number, poller = epoll_create1(EPOLL_CLOEXEC);
  SSL_CTX *context = count > 4 ? context_with(arguments[4]) : NULL;
  struct download *downloads = calloc((size_t)number, sizeof *downloads);
  if (downloads == NULL || poller < 0) end("memory");
  request_size = request_for(request, sizeof request, arguments[2]);

  for (struct download *each = downloads; each < downloads + number; each++) {
    each->left = -1;
    each->descriptor = connected(atoi(arguments[1]), SOCK_CLOEXEC);
    fcntl(each->descriptor, F_SETFL, O_NONBLOCK);
    if (context != NULL) {
      each->ssl = SSL_new(context);
      SSL_set_fd(each->ssl, each->descriptor);
      SSL_set_connect_state(each->ssl);
      SSL_set1_host(each->ssl, "localhost");
    }
    ready(each);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = each};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, each->descriptor, &event) != 0) end("epoll_ctl");
  }
  while (left > 0) {
    struct epoll_event events[256];
    int happened = epoll_wait(poller, events, 256, -1);
    for (int index = 0; index < happened; index++) {
      struct download *download = events[index].data.ptr;
      if (!advance(download)) continue;
      epoll_ctl(poller, EPOLL_CTL_DEL, download->descriptor, NULL);
      left--;
    }
  }
  return 0;
}
