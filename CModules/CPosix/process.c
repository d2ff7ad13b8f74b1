#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "include/px_process.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/random.h>
#endif

#ifdef MSG_NOSIGNAL
enum { no_signal = MSG_NOSIGNAL };
#else
enum { no_signal = 0 };
#endif

int64_t px_monotonic_nanoseconds(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t px_seconds_since_1970(void) { return (int64_t)time(NULL); }

int px_random_fill(void *bytes, size_t count) {
#ifdef __linux__
  unsigned char *rest = bytes;
  while (count > 0) {
    ptrdiff_t got = getrandom(rest, count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -errno;
    rest += got;
    count -= (size_t)got;
  }
#else
  arc4random_buf(bytes, count);
#endif
  return 0;
}

int px_boot_identity(char *text, int capacity) {
#ifdef __linux__
  int descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  ptrdiff_t count = read(descriptor, text, (size_t)capacity);
  (void)close(descriptor);
  while (count > 0 && text[count - 1] == '\n') count -= 1;
  return count < 0 ? 0 : (int)count;
#else
  (void)text;
  (void)capacity;
  return 0;
#endif
}

int px_process_number(void) { return (int)getpid(); }

bool px_process_exists(int number) { return number > 0 && (kill(number, 0) == 0 || errno == EPERM); }

const char *px_environment_value(const uint8_t *name) { return getenv((const char *)name); }

#if defined(__linux__) && !defined(PX_PORTABLE)
/// The "Umask:" line of /proc (Linux 4.7), as octal digits; -1 if it is not to be had.
static long umask_from_proc(void) {
  int descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  char text[1024]; // bytes; the line is the second
  ptrdiff_t count = read(descriptor, text, sizeof text - 1);
  (void)close(descriptor);
  if (count <= 0) return -1;
  text[count] = 0;
  const char *line = strstr(text, "\nUmask:");
  return line ? strtol(line + 7, NULL, 8) : -1;
}
#endif

uint32_t px_umask(void) {
#if defined(__linux__) && !defined(PX_PORTABLE)
  long known = umask_from_proc();
  if (known >= 0) return (uint32_t)known & 0777;
#endif
  // Asking means setting: a file that another thread makes meanwhile is for this user alone.
  mode_t mask = umask(S_IRWXG | S_IRWXO);
  (void)umask(mask);
  return (uint32_t)mask & 0777;
}

int64_t px_descriptor_limit_raise(int64_t count) {
  struct rlimit limit;
  if (count < 0 || getrlimit(RLIMIT_NOFILE, &limit) < 0) return INT64_MAX;
  rlim_t wanted = (rlim_t)count, before = limit.rlim_cur;
  if (before < wanted && before != RLIM_INFINITY) {
    int is_allowed = limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= wanted;
    limit.rlim_cur = is_allowed ? wanted : limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0) limit.rlim_cur = before;
  }
  return limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)limit.rlim_cur;
}

bool px_is_terminal(int descriptor) { return isatty(descriptor) == 1; }

int px_terminal_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) < 0 ? 0 : size.ws_col;
}

int px_terminal_rows(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) < 0 ? 0 : size.ws_row;
}

bool px_terminal_is_foreground(int descriptor) {
  pid_t group = tcgetpgrp(descriptor); // fails where the terminal is not the one that controls the process
  return group < 0 || group == getpgrp();
}

ptrdiff_t px_write_once(int descriptor, const void *bytes, size_t count) {
  if (count > INT_MAX) count = INT_MAX;
  ptrdiff_t written = write(descriptor, bytes, count);
  return written < 0 ? -errno : written;
}

ptrdiff_t px_send_once(int descriptor, const void *bytes, size_t count) {
  if (count > INT_MAX) count = INT_MAX;
  ptrdiff_t sent = send(descriptor, bytes, count, MSG_DONTWAIT | no_signal);
  return sent < 0 ? -errno : sent;
}

int px_takes(int descriptor) {
  struct stat native;
  if (fstat(descriptor, &native) == 0 && S_ISSOCK(native.st_mode)) return px_takes_sends;
  int flags = fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_NONBLOCK) ? px_takes_never_waits : px_takes_waiting;
}

int px_wait_writable(int descriptor) {
  struct pollfd entry = {.fd = descriptor, .events = POLLOUT};
  return poll(&entry, 1, -1) < 0 && errno != EINTR ? -errno : 0;
}

int px_open_output(void) {
#ifdef __linux__ // elsewhere /dev/fd/1 shares the description, and its flags, with everyone else
  struct stat native;
  if (fstat(STDOUT_FILENO, &native) == 0 && S_ISFIFO(native.st_mode)) {
    int opened = open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (opened >= 0) return opened;
  }
#endif
  int descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  return descriptor < 0 ? -errno : descriptor;
}
