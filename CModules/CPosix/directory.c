#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "include/px_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__) && !defined(PX_PORTABLE)
#include <sys/syscall.h>
#endif

/// -errno of a call that failed, 0 otherwise.
static int outcome_of(int value) { return value < 0 ? -errno : 0; }

static int open_retrying(int directory, const uint8_t *name, int flags, mode_t mode) {
  int descriptor;
  do descriptor = openat(directory, (const char *)name, flags | O_CLOEXEC, mode);
  while (descriptor < 0 && errno == EINTR);
  return descriptor < 0 ? -errno : descriptor;
}

int px_directory_open(const uint8_t *path) {
  int descriptor = open_retrying(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
#ifdef O_PATH
  // A directory that may be entered and written but not listed: all but fsync works.
  if (descriptor == -EACCES) return open_retrying(AT_FDCWD, path, O_PATH | O_DIRECTORY, 0);
#endif
  return descriptor;
}

int px_file_create(int directory, const uint8_t *name) {
  return open_retrying(
      directory, name, O_CREAT | O_EXCL | O_RDWR | O_APPEND | O_NOFOLLOW, S_IRUSR | S_IWUSR);
}

#if defined(O_TMPFILE) && !defined(PX_PORTABLE)

/// A file without a name is reached through its descriptor: either by the descriptor alone, which not every user may (and
/// before Linux 6.10 few), or by its path here.
enum { descriptor_path_size = sizeof "/proc/self/fd/-2147483648" };

static const char *descriptor_path(int descriptor, char path[descriptor_path_size]) {
  (void)snprintf(path, descriptor_path_size, "/proc/self/fd/%d", descriptor);
  return path;
}

int px_file_create_nameless(int directory, uint32_t mode) {
  int descriptor = open_retrying(directory, (const uint8_t *)".", O_TMPFILE | O_RDWR | O_APPEND, (mode_t)mode);
  // The last is what a system says that does not know the flag.
  if (descriptor == -EOPNOTSUPP || descriptor == -EINVAL || descriptor == -EISDIR) return -ENOTSUP;
  return descriptor;
}

int px_file_give_name(int descriptor, int directory, const uint8_t *name) {
  const char *new = (const char *)name;
  if (linkat(descriptor, "", directory, new, AT_EMPTY_PATH) == 0) return 0;
  if (errno != ENOENT && errno != EPERM && errno != EINVAL) return -errno;
  char path[descriptor_path_size];
  return outcome_of(linkat(AT_FDCWD, descriptor_path(descriptor, path), directory, new, AT_SYMLINK_FOLLOW));
}

#else

int px_file_create_nameless(int directory, uint32_t mode) {
  (void)directory, (void)mode;
  return -ENOTSUP;
}

int px_file_give_name(int descriptor, int directory, const uint8_t *name) {
  (void)descriptor, (void)directory, (void)name;
  return -ENOTSUP;
}

#endif

int px_file_open(int directory, const uint8_t *name) {
  return open_retrying(directory, name, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
}

int px_file_open_for_writing(int directory, const uint8_t *name) {
  int descriptor = openat(directory, (const char *)name, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return -errno;
  struct stat native; // the description is our own: nobody else meets the flag
  if (fstat(descriptor, &native) == 0 && S_ISFIFO(native.st_mode)) (void)fcntl(descriptor, F_SETFL, O_NONBLOCK);
  return descriptor;
}

/// For file systems whose rename always replaces: a second name first, then the first one goes.
static int link_then_remove(int directory, const char *from, const char *to) {
  if (linkat(directory, from, directory, to, 0) < 0) return -errno;
  if (unlinkat(directory, from, 0) == 0) return 0;
  int code = errno; // two names for one file would let a later run append to the finished one
  (void)unlinkat(directory, to, 0);
  return -code;
}

int px_rename_without_replacing(int directory, const uint8_t *from, const uint8_t *to) {
  const char *old = (const char *)from, *new = (const char *)to;
#if defined(__linux__) && !defined(PX_PORTABLE)
  enum { no_replace = 1 }; // RENAME_NOREPLACE; musl lacked both until lately
  if (syscall(SYS_renameat2, directory, old, directory, new, no_replace) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -errno;
#elif defined(RENAME_EXCL)
  if (renameatx_np(directory, old, directory, new, RENAME_EXCL) == 0) return 0;
  if (errno != EINVAL && errno != ENOTSUP) return -errno;
#endif
  return link_then_remove(directory, old, new);
}

int px_rename_replacing(int directory, const uint8_t *from, const uint8_t *to) {
  return outcome_of(renameat(directory, (const char *)from, directory, (const char *)to));
}

int px_remove(int directory, const uint8_t *name) {
  return outcome_of(unlinkat(directory, (const char *)name, 0));
}

int px_directory_synchronize(int directory) {
  int outcome;
  do outcome = fsync(directory);
  while (outcome < 0 && errno == EINTR);
  if (outcome == 0) return 0;
  // Some file systems cannot, and a directory that may not be listed is not open for it.
  return errno == EINVAL || errno == EBADF || errno == EOPNOTSUPP ? 0 : -errno;
}

/// The directory `name` in `directory`, made if it was missing; durable then, where the system can promise it.
static int enter_or_make(int directory, const char *name) {
  int is_new = mkdirat(directory, name, S_IRWXU | S_IRWXG | S_IRWXO) == 0;
  if (!is_new && errno != EEXIST && errno != EROFS && errno != EACCES) return -errno;
  if (is_new) (void)px_directory_synchronize(directory);
  int descriptor = open_retrying(directory, (const uint8_t *)name, O_RDONLY | O_DIRECTORY, 0);
#ifdef O_PATH
  if (descriptor == -EACCES) return open_retrying(directory, (const uint8_t *)name, O_PATH | O_DIRECTORY, 0);
#endif
  return descriptor;
}

int px_make_directories(const uint8_t *path) {
  const char *rest = (const char *)path;
  int directory = px_directory_open((const uint8_t *)(*rest == '/' ? "/" : "."));
  while (directory >= 0) {
    rest += strspn(rest, "/");
    size_t length = strcspn(rest, "/");
    if (length == 0) break;
    char name[256]; // bytes, with the NUL; no file system has longer ones
    int next = -ENAMETOOLONG;
    if (length < sizeof name) {
      memcpy(name, rest, length);
      name[length] = 0;
      next = enter_or_make(directory, name);
    }
    (void)close(directory);
    directory = next;
    rest += length;
  }
  if (directory < 0) return directory;
  (void)close(directory);
  return 0;
}
