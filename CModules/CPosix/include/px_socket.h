#ifndef PX_SOCKET_H
#define PX_SOCKET_H

#include "px_address.h"
#include <stdbool.h>
#include <stddef.h>

/// Opens a non-blocking TCP socket: close-on-exec, TCP_NODELAY, no SIGPIPE.
int px_socket_open(uint8_t version);

/// Starts connecting: 0 when connected or on its way.
int px_socket_connect(int descriptor, px_address address);

/// 1: connected. 0: still on its way. Negative: why it failed (SO_ERROR, which this clears).
int px_socket_connect_outcome(int descriptor);

/// Bytes received, 0 at the end of the stream. Never waits; a signal does not interrupt it.
ptrdiff_t px_socket_receive(int descriptor, void *bytes, size_t capacity);

/// Bytes sent, perhaps fewer than `count`. Never waits, never raises SIGPIPE.
ptrdiff_t px_socket_send(int descriptor, const void *bytes, size_t count);

/// Whether nothing can be read and the peer has not closed.
bool px_socket_is_quiet(int descriptor);

/// SO_RCVLOWAT: become readable only when so many bytes wait. Best effort.
void px_socket_set_receive_low_water(int descriptor, int bytes);

/// The other end: 0, or why it is not known.
int px_socket_peer(int descriptor, px_address *address);

/// Closes once: after EINTR the descriptor is gone on Linux, and might be someone else's.
void px_close(int descriptor);

#endif
