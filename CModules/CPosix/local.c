#define _GNU_SOURCE
#include "include/px_socket.h"
#include "px_sockaddr.h"
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <string.h>
#include <sys/un.h>

int px_socket_bind(int descriptor, px_address local) {
  struct sockaddr_storage native;
  socklen_t length = px_address_to_native(local, &native);
  return bind(descriptor, (const struct sockaddr *)&native, length) < 0 ? -errno : 0;
}

/// From the interface's first address of the version; -EADDRNOTAVAIL if it has none.
static int bind_to_address_of(int descriptor, const char *name, uint8_t version) {
  struct ifaddrs *all;
  if (getifaddrs(&all) < 0) return -errno;
  int outcome = -EADDRNOTAVAIL;
  for (const struct ifaddrs *one = all; one && outcome == -EADDRNOTAVAIL; one = one->ifa_next) {
    px_address address;
    if (!one->ifa_addr || strcmp(one->ifa_name, name) != 0) continue;
    if (px_address_from_native(one->ifa_addr, &address) < 0 || address.version != version) continue;
    address.port = 0;
    outcome = px_socket_bind(descriptor, address);
  }
  freeifaddrs(all);
  return outcome;
}

int px_socket_bind_to_interface(int descriptor, const uint8_t *name, uint8_t version) {
#ifdef SO_BINDTODEVICE
  socklen_t length = (socklen_t)strlen((const char *)name);
  if (setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, name, length) == 0) return 0;
  if (errno != EPERM && errno != ENOPROTOOPT) return -errno;
#endif
  return bind_to_address_of(descriptor, (const char *)name, version);
}

bool px_interface_exists(const uint8_t *name) { return if_nametoindex((const char *)name) != 0; }

int px_socket_connect_local(int descriptor, const uint8_t *path) {
  struct sockaddr_un native = {.sun_family = AF_UNIX};
  size_t length = strlen((const char *)path);
  if (length == 0 || length >= sizeof native.sun_path) return -EINVAL;
  memcpy(native.sun_path, path, length);
  if (connect(descriptor, (const struct sockaddr *)&native, sizeof native) == 0) return 0;
  return errno == EINPROGRESS || errno == EINTR ? 0 : -errno;
}
