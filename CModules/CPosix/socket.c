#define _GNU_SOURCE
#include "include/px_socket.h"
#include "px_sockaddr.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifdef MSG_NOSIGNAL
enum { no_signal = MSG_NOSIGNAL };
#else
enum { no_signal = 0 }; // SO_NOSIGPIPE is set where this is missing
#endif

int px_socket_open(uint8_t version) {
  int family = version == 4 ? AF_INET : version == 6 ? AF_INET6 : AF_UNIX;
  int protocol = version == 0 ? 0 : IPPROTO_TCP;
  int on = 1;
#ifdef __linux__
  int descriptor = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
  if (descriptor < 0) return -errno;
#else
  int descriptor = socket(family, SOCK_STREAM, protocol);
  if (descriptor < 0) return -errno;
  if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0 || fcntl(descriptor, F_SETFL, O_NONBLOCK) < 0) {
    int code = errno;
    px_close(descriptor);
    return -code;
  }
#endif
#ifdef SO_NOSIGPIPE
  (void)setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  if (version != 0) (void)setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return descriptor;
}

int px_socket_connect(int descriptor, px_address address) {
  struct sockaddr_storage native;
  socklen_t length = px_address_to_native(address, &native);
  if (connect(descriptor, (const struct sockaddr *)&native, length) == 0) return 0;
  // An interrupted connect goes on by itself, as one in progress does.
  return errno == EINPROGRESS || errno == EINTR ? 0 : -errno;
}

int px_socket_connect_outcome(int descriptor) {
  int code = 0;
  socklen_t length = sizeof code;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) < 0) return -errno;
  if (code != 0) return -code;
  struct sockaddr_storage native;
  length = sizeof native;
  if (getpeername(descriptor, (struct sockaddr *)&native, &length) == 0) return 1;
  return errno == ENOTCONN ? 0 : -errno;
}

ptrdiff_t px_socket_receive(int descriptor, void *bytes, size_t capacity) {
  if (capacity > INT_MAX) capacity = INT_MAX;
  ptrdiff_t count;
  do count = recv(descriptor, bytes, capacity, 0);
  while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : count;
}

ptrdiff_t px_socket_send(int descriptor, const void *bytes, size_t count) {
  if (count > INT_MAX) count = INT_MAX;
  ptrdiff_t sent;
  do sent = send(descriptor, bytes, count, no_signal);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

bool px_socket_is_quiet(int descriptor) {
  char byte;
  ptrdiff_t count;
  do count = recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  while (count < 0 && errno == EINTR);
  return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

void px_socket_set_receive_low_water(int descriptor, int bytes) {
  (void)setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes);
}

int64_t px_socket_unread(int descriptor) {
  int count = 0;
  return ioctl(descriptor, FIONREAD, &count) < 0 || count < 0 ? 0 : count;
}

bool px_socket_has_ended(int descriptor) {
#ifdef __linux__
  struct tcp_info info;
  socklen_t size = sizeof info.tcpi_state;  // which is the first of them
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) < 0) return false;
  return info.tcpi_state == TCP_CLOSE_WAIT || info.tcpi_state == TCP_CLOSE;
#else
  (void)descriptor;
  return false;
#endif
}

int64_t px_socket_receive_limit(void) {
#ifdef __linux__
  // Least, default and most bytes of memory for one receive buffer.
  int descriptor = open("/proc/sys/net/ipv4/tcp_rmem", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  char text[96];
  ptrdiff_t count = read(descriptor, text, sizeof text - 1);
  px_close(descriptor);
  if (count <= 0) return 0;
  text[count] = 0;
  char *rest = text;
  (void)strtoll(rest, &rest, 10);
  (void)strtoll(rest, &rest, 10);
  long long most = strtoll(rest, &rest, 10);
  return most > 0 ? most : 0;
#else
  return 0;
#endif
}

int px_socket_peer(int descriptor, px_address *address) {
  struct sockaddr_storage native;
  socklen_t length = sizeof native;
  if (getpeername(descriptor, (struct sockaddr *)&native, &length) < 0) return -errno;
  return px_address_from_native((const struct sockaddr *)&native, address);
}

void px_close(int descriptor) { (void)close(descriptor); }
