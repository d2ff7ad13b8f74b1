#include "px_input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

int px_input_open(const uint8_t *path) {
  int descriptor = open((const char *)path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}

bool px_input_is_missing(const uint8_t *path) {
  struct stat status;
  return stat((const char *)path, &status) < 0 && (errno == ENOENT || errno == ENOTDIR);
}

bool px_input_is_stream(const uint8_t *path) {
  struct stat status;
  if (stat((const char *)path, &status) < 0) return false;
  return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

ptrdiff_t px_input_read(int descriptor, void *bytes, size_t capacity) {
  int ready = px_input_wait(descriptor, -1);
  if (ready < 0) return ready;
  ptrdiff_t count = read(descriptor, bytes, capacity > INT_MAX ? INT_MAX : capacity);
  return count < 0 ? -errno : count;
}

bool px_input_is_ready(int descriptor) {
  struct pollfd entry = {.fd = descriptor, .events = POLLIN};
  return poll(&entry, 1, 0) > 0;
}

int px_input_wait(int descriptor, int wake) {
  struct pollfd entries[] = {{.fd = descriptor, .events = POLLIN}, {.fd = wake, .events = POLLIN}};
  return poll(entries, 2, -1) < 0 ? -errno : 0;
}

int px_input_is_private(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) < 0) return -errno;
  return (status.st_uid == geteuid() || status.st_uid == 0) && (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}
