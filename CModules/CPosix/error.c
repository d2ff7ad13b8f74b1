// Not _GNU_SOURCE: with it glibc's strerror_r is another function.
#define _POSIX_C_SOURCE 200809L
#include "include/px_error.h"
#include <string.h>

ptrdiff_t px_error_text(int code, char *text, size_t capacity) {
  if (capacity == 0) return 0;
  text[0] = 0;
  (void)strerror_r(code, text, capacity);
  text[capacity - 1] = 0;
  return (ptrdiff_t)strlen(text);
}
