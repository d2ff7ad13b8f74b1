// Counts what a program allocates: loaded by LD_PRELOAD before libc, it passes every call on and, at the end, writes how
// many there were to the file that ALLOCATIONS names.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static unsigned long calls;

static void count(void) { __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED); }

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **into, size_t alignment, size_t size) {
  void *bytes = memalign(alignment, size);
  if (bytes == NULL) return ENOMEM;
  *into = bytes;
  return 0;
}

__attribute__((destructor)) static void say(void) {
  const char *path = getenv("ALLOCATIONS");
  int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file >= 0) dprintf(file, "%lu\n", calls);
}
