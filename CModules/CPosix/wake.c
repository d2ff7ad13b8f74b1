#define _GNU_SOURCE
#include "include/px_poller.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#if defined(__linux__) && !defined(PX_PORTABLE)
#include <sys/eventfd.h>

int px_wake_open(int *read_descriptor, int *write_descriptor) {
  int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0) return -errno;
  *read_descriptor = descriptor;
  *write_descriptor = descriptor;
  return 0;
}
#else
int px_wake_open(int *read_descriptor, int *write_descriptor) {
  int ends[2];
  if (pipe(ends) < 0) return -errno;
  for (int i = 0; i < 2; i++) {
    (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[i], F_SETFL, O_NONBLOCK);
  }
  *read_descriptor = ends[0];
  *write_descriptor = ends[1];
  return 0;
}
#endif

void px_wake(int write_descriptor) {
  int kept = errno;
  uint64_t one = 1; // eventfd wants eight bytes; a full pipe or counter is awake already
  ptrdiff_t count;
  do count = write(write_descriptor, &one, sizeof one);
  while (count < 0 && errno == EINTR);
  errno = kept;
}

void px_wake_drain(int read_descriptor) {
  uint64_t bytes[8];
  ptrdiff_t count;
  do count = read(read_descriptor, bytes, sizeof bytes);
  while (count == (ptrdiff_t)sizeof bytes || (count < 0 && errno == EINTR));
}
