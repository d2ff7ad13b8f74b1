#ifndef PX_SOCKET_H
#define PX_SOCKET_H

#include "px_address.h"
#include <stdbool.h>
#include <stddef.h>

/// Opens a non-blocking TCP socket: close-on-exec, TCP_NODELAY, no SIGPIPE. Version 0: one of the file system.
int px_socket_open(uint8_t version);

/// Connections of the socket leave from this address, whose port is 0.
int px_socket_bind(int descriptor, px_address local);

/// They leave through the interface of this name: by the system's own rule where that is permitted, else from the
/// interface's first address of this version.
int px_socket_bind_to_interface(int descriptor, const uint8_t *name, uint8_t version);

/// Whether this machine has an interface of this name.
bool px_interface_exists(const uint8_t *name);

enum { px_local_path_limit = 107 }; // bytes, without the NUL; Darwin has room for less, and refuses

/// Starts connecting a socket of version 0 to one in the file system.
int px_socket_connect_local(int descriptor, const uint8_t *path);

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

/// Bytes that wait to be received (FIONREAD); 0 where that can't be told.
int64_t px_socket_unread(int descriptor);

/// Whether the peer has ended the connection, by FIN or RST; false where that can't be told without reading.
bool px_socket_has_ended(int descriptor);

/// The most memory that a receive buffer can get, in bytes (`net.ipv4.tcp_rmem`); 0 where that can't be told.
int64_t px_socket_receive_limit(void);

/// The other end: 0, or why it is not known.
int px_socket_peer(int descriptor, px_address *address);

/// Closes once: after EINTR the descriptor is gone on Linux, and might be someone else's.
void px_close(int descriptor);

#endif
