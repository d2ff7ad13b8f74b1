#ifndef PX_SECRET_H
#define PX_SECRET_H

#include <stddef.h>
#include <stdint.h>

/// Writes the question to standard error and reads a line from the terminal, which does not show it: its length without the line end, or -errno. -EINTR: a signal that
/// would have ended the process came; the terminal is as it was, and the signal is let through. -ENOTTY: no terminal.
ptrdiff_t px_secret_read(int terminal, const uint8_t *question, size_t count, uint8_t *line, size_t capacity);

#endif
