#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "include/px_file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#if defined(__linux__) || defined(__APPLE__)
#include <sys/xattr.h>
#endif

/// Repeats a call that a signal interrupted; its value, or the errno negated.
#define RETRIED(type, call)                  \
  do {                                       \
    type value;                              \
    do value = (call);                       \
    while (value < 0 && errno == EINTR);     \
    return value < 0 ? (type)-errno : value; \
  } while (0)

static int kind_of(mode_t mode) {
  if (S_ISREG(mode)) return px_kind_regular;
  if (S_ISLNK(mode)) return px_kind_symbolic_link;
  if (S_ISDIR(mode)) return px_kind_directory;
  return px_kind_other;
}

static void keep(const struct stat *native, px_status *status) {
  *status = (px_status){
      .device = (uint64_t)native->st_dev,
      .inode = (uint64_t)native->st_ino,
      .size = (int64_t)native->st_size,
      .modification_seconds = (int64_t)native->st_mtime,
      .kind = kind_of(native->st_mode)};
}

int px_status_of_descriptor(int descriptor, px_status *status) {
  struct stat native;
  if (fstat(descriptor, &native) < 0) return -errno;
  keep(&native, status);
  return 0;
}

ptrdiff_t px_write(int descriptor, const void *bytes, size_t count) {
  if (count > INT_MAX) count = INT_MAX;
  RETRIED(ptrdiff_t, write(descriptor, bytes, count));
}

ptrdiff_t px_read_at(int descriptor, int64_t offset, void *bytes, size_t capacity) {
  if (capacity > INT_MAX) capacity = INT_MAX;
  RETRIED(ptrdiff_t, pread(descriptor, bytes, capacity, (off_t)offset));
}

int px_truncate(int descriptor, int64_t length) {
  int outcome;
  do outcome = ftruncate(descriptor, (off_t)length);
  while (outcome < 0 && errno == EINTR);
  return outcome < 0 ? -errno : 0;
}

int px_synchronize_data(int descriptor) {
#ifdef __linux__
  RETRIED(int, fdatasync(descriptor));
#else
  RETRIED(int, fsync(descriptor));
#endif
}

int px_synchronize(int descriptor) { RETRIED(int, fsync(descriptor)); }

void px_begin_synchronizing(int descriptor) {
#ifdef __linux__
  (void)sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
  (void)descriptor;
#endif
}

int px_set_mode(int descriptor, uint32_t mode) { RETRIED(int, fchmod(descriptor, (mode_t)mode)); }

int px_set_modification_time(int descriptor, int64_t seconds) {
  struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = (time_t)seconds}};
  if (times[1].tv_sec != seconds) return -EOVERFLOW; // a 32-bit time_t
  return futimens(descriptor, times) < 0 ? -errno : 0;
}

int px_set_attribute(int descriptor, const uint8_t *name, const void *value, size_t count) {
#if defined(__linux__)
  return fsetxattr(descriptor, (const char *)name, value, count, 0) < 0 ? -errno : 0;
#elif defined(__APPLE__)
  return fsetxattr(descriptor, (const char *)name, value, count, 0, 0) < 0 ? -errno : 0;
#else
  (void)descriptor, (void)name, (void)value, (void)count;
  return -ENOTSUP;
#endif
}

int px_try_lock(int descriptor) {
  int outcome;
  do outcome = flock(descriptor, LOCK_EX | LOCK_NB);
  while (outcome < 0 && errno == EINTR);
  if (outcome == 0) return 1;
  switch (errno) {
  case EWOULDBLOCK: return 0;
  case ENOLCK:
  case ENOSYS:
  case EOPNOTSUPP: return 1; // no lock can be had here by anyone
  default: return -errno;
  }
}

int64_t px_free_space(int descriptor) {
  struct statvfs native;
  int outcome;
  do outcome = fstatvfs(descriptor, &native);
  while (outcome < 0 && errno == EINTR);
  if (outcome < 0) return -errno;
  uint64_t blocks = native.f_bavail, size = native.f_frsize;
  if (size != 0 && blocks > (uint64_t)INT64_MAX / size) return INT64_MAX;
  return (int64_t)(blocks * size);
}

void *px_pages_map(size_t bytes) {
  void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

void px_pages_unmap(void *pages, size_t bytes) { (void)munmap(pages, bytes); }

int px_status_of_path(const uint8_t *path, px_status *status) {
  struct stat native;
  if (stat((const char *)path, &native) < 0) return -errno;
  keep(&native, status);
  return 0;
}

int px_status_of_name(int directory, const uint8_t *name, px_status *status) {
  struct stat native;
  if (fstatat(directory, (const char *)name, &native, AT_SYMLINK_NOFOLLOW) < 0) return -errno;
  keep(&native, status);
  return 0;
}
