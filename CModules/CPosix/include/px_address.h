#ifndef PX_ADDRESS_H
#define PX_ADDRESS_H

#include <stddef.h>
#include <stdint.h>

/// An IP address and a port, flat, in host byte order: sockaddr differs from libc to libc.
typedef struct {
  uint64_t high;   // the first eight bytes of an IPv6 address; 0 for IPv4
  uint64_t low;    // the last eight; the whole of an IPv4 address
  uint32_t scope;  // the interface of a zone; 0: none
  uint16_t port;
  uint8_t version; // 4 or 6
} px_address;

enum { px_address_text_capacity = 96 }; // bytes: "[" 45 "%" interface name or number "]:65535" NUL

/// Reads a dotted quad or an IPv6 address with an optional %zone; 0, or -EINVAL.
int px_address_read(const uint8_t *literal, uint16_t port, px_address *address);

/// Writes `127.0.0.1:80` or `[::1]:80` with its NUL; returns its length in bytes.
ptrdiff_t px_address_text(px_address address, char text[px_address_text_capacity]);

#endif
