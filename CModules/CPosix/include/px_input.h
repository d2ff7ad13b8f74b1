#ifndef PX_INPUT_H
#define PX_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What is there, for reading from its start, through symbolic links. A FIFO waits for its writer; a signal with a
/// handler ends that wait with -EINTR.
int px_input_open(const uint8_t *path);

/// One read: bytes, 0 at the end, or -errno (-EINTR too).
ptrdiff_t px_input_read(int descriptor, void *bytes, size_t capacity);

/// Whether a read would not wait: bytes are there, or the end is.
bool px_input_is_ready(int descriptor);

/// Whether only its owner, who is this user or root, may read and write it. -errno when that can't be told.
int px_input_is_private(int descriptor);

#endif
