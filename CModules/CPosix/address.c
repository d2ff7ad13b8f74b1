#define _GNU_SOURCE
#include "px_sockaddr.h"
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

static uint64_t big_endian_64(const uint8_t *bytes) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value = value << 8 | bytes[i];
  return value;
}

static void put_big_endian_64(uint64_t value, uint8_t *bytes) {
  for (int i = 7; i >= 0; i--, value >>= 8) bytes[i] = (uint8_t)value;
}

/// The number of the interface that `zone` names, or that it is; 0 if there is none.
static uint32_t scope_of_zone(const char *zone) {
  uint32_t number = if_nametoindex(zone);
  if (number != 0) return number;
  if (*zone == 0) return 0;
  uint64_t value = 0;
  for (; *zone != 0; zone++) {
    if (*zone < '0' || *zone > '9') return 0;
    value = value * 10 + (uint64_t)(*zone - '0');
    if (value > UINT32_MAX) return 0;
  }
  return (uint32_t)value;
}

int px_address_read(const uint8_t *literal, uint16_t port, px_address *address) {
  const char *text = (const char *)literal;
  struct in_addr four;
  if (inet_pton(AF_INET, text, &four) == 1) {
    *address = (px_address){.low = ntohl(four.s_addr), .port = port, .version = 4};
    return 0;
  }
  char number[INET6_ADDRSTRLEN];
  const char *percent = strchr(text, '%');
  size_t length = percent ? (size_t)(percent - text) : strlen(text);
  if (length >= sizeof number) return -EINVAL;
  memcpy(number, text, length);
  number[length] = 0;
  struct in6_addr six;
  if (inet_pton(AF_INET6, number, &six) != 1) return -EINVAL;
  uint32_t scope = percent ? scope_of_zone(percent + 1) : 0;
  if (percent && scope == 0) return -EINVAL;
  *address = (px_address){
      .high = big_endian_64(six.s6_addr),
      .low = big_endian_64(six.s6_addr + 8),
      .scope = scope,
      .port = port,
      .version = 6};
  return 0;
}

socklen_t px_address_to_native(px_address address, struct sockaddr_storage *native) {
  memset(native, 0, sizeof *native);
  if (address.version == 4) {
    struct sockaddr_in *four = (struct sockaddr_in *)native;
    four->sin_family = AF_INET;
    four->sin_port = htons(address.port);
    four->sin_addr.s_addr = htonl((uint32_t)address.low);
    return sizeof *four;
  }
  struct sockaddr_in6 *six = (struct sockaddr_in6 *)native;
  six->sin6_family = AF_INET6;
  six->sin6_port = htons(address.port);
  six->sin6_scope_id = address.scope;
  put_big_endian_64(address.high, six->sin6_addr.s6_addr);
  put_big_endian_64(address.low, six->sin6_addr.s6_addr + 8);
  return sizeof *six;
}

int px_address_from_native(const struct sockaddr *native, px_address *address) {
  if (native->sa_family == AF_INET) {
    const struct sockaddr_in *four = (const struct sockaddr_in *)native;
    *address = (px_address){
        .low = ntohl(four->sin_addr.s_addr), .port = ntohs(four->sin_port), .version = 4};
    return 0;
  }
  if (native->sa_family != AF_INET6) return -EAFNOSUPPORT;
  const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)native;
  *address = (px_address){
      .high = big_endian_64(six->sin6_addr.s6_addr),
      .low = big_endian_64(six->sin6_addr.s6_addr + 8),
      .scope = six->sin6_scope_id,
      .port = ntohs(six->sin6_port),
      .version = 6};
  return 0;
}

ptrdiff_t px_address_text(px_address address, char text[px_address_text_capacity]) {
  struct sockaddr_storage native;
  (void)px_address_to_native(address, &native);
  char number[INET6_ADDRSTRLEN] = "";
  if (address.version == 4) {
    inet_ntop(AF_INET, &((struct sockaddr_in *)&native)->sin_addr, number, sizeof number);
    return snprintf(text, px_address_text_capacity, "%s:%u", number, (unsigned)address.port);
  }
  inet_ntop(AF_INET6, &((struct sockaddr_in6 *)&native)->sin6_addr, number, sizeof number);
  char zone[IF_NAMESIZE + 12] = "";
  char name[IF_NAMESIZE];
  if (address.scope != 0 && if_indextoname(address.scope, name)) {
    snprintf(zone, sizeof zone, "%%%s", name);
  } else if (address.scope != 0) {
    snprintf(zone, sizeof zone, "%%%u", (unsigned)address.scope);
  }
  return snprintf(
      text, px_address_text_capacity, "[%s%s]:%u", number, zone, (unsigned)address.port);
}
