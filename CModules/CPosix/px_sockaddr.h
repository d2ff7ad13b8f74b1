#ifndef PX_SOCKADDR_H
#define PX_SOCKADDR_H

// Only for the .c files here: between the flat address and the system's own.

#include "include/px_address.h"
#include <sys/socket.h>

/// Returns the length in bytes of what it wrote to `native`.
socklen_t px_address_to_native(px_address address, struct sockaddr_storage *native);

/// 0, or -EAFNOSUPPORT for a family that is neither IPv4 nor IPv6.
int px_address_from_native(const struct sockaddr *native, px_address *address);

#endif
