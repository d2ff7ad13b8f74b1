#ifndef PX_INPUT_H
#define PX_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What is there, for reading from its start, through symbolic links. A FIFO is open before its writer is.
int px_input_open(const uint8_t *path);

/// Whether it can be read once only: a FIFO, a pipe, a terminal. False too where nothing is there.
bool px_input_is_stream(const uint8_t *path);

/// Whether nothing has this name.
bool px_input_is_missing(const uint8_t *path);

/// One read, which waits for its first byte: bytes, 0 at the end, or -errno (-EINTR too).
ptrdiff_t px_input_read(int descriptor, void *bytes, size_t capacity);

/// Whether a read would not wait: bytes are there, or the end is.
bool px_input_is_ready(int descriptor);

/// Waits until a read would not wait, or the descriptor `wake` (-1: none) can be read: 0, or -errno (-EINTR too).
int px_input_wait(int descriptor, int wake);

/// Whether only its owner, who is this user or root, may read and write it. -errno when that can't be told.
int px_input_is_private(int descriptor);

#endif
