#if defined(__linux__) && !defined(PX_PORTABLE)
#define _GNU_SOURCE
#include "include/px_poller.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

struct px_poller {
  int descriptor;
};

enum { events_at_once = 64 };

int px_poller_create(px_poller **poller) {
  px_poller *made = malloc(sizeof *made);
  if (!made) return -ENOMEM;
  made->descriptor = epoll_create1(EPOLL_CLOEXEC);
  if (made->descriptor < 0) {
    int code = errno;
    free(made);
    return -code;
  }
  *poller = made;
  return 0;
}

void px_poller_destroy(px_poller *poller) {
  (void)close(poller->descriptor);
  free(poller);
}

int px_poller_descriptor(const px_poller *poller) { return poller->descriptor; }

int px_poller_watch(px_poller *poller, int descriptor, uint32_t readiness, uint64_t token) {
  struct epoll_event wanted = {.data.u64 = token};
  if (readiness & px_readable) wanted.events |= EPOLLIN;
  if (readiness & px_writable) wanted.events |= EPOLLOUT;
  if (epoll_ctl(poller->descriptor, EPOLL_CTL_ADD, descriptor, &wanted) == 0) return 0;
  if (errno != EEXIST) return -errno;
  return epoll_ctl(poller->descriptor, EPOLL_CTL_MOD, descriptor, &wanted) == 0 ? 0 : -errno;
}

void px_poller_forget(px_poller *poller, int descriptor) {
  struct epoll_event unused = {0}; // Linux before 2.6.9 wants one
  (void)epoll_ctl(poller->descriptor, EPOLL_CTL_DEL, descriptor, &unused);
}

/// A hang-up counts as readable: whoever reads then finds the end.
static uint32_t readiness_of(uint32_t events) {
  uint32_t readiness = 0;
  if (events & (EPOLLIN | EPOLLHUP)) readiness |= px_readable;
  if (events & EPOLLOUT) readiness |= px_writable;
  if (events & EPOLLERR) readiness |= px_failed;
  return readiness;
}

int px_poller_wait(px_poller *poller, int milliseconds, px_event *events, int capacity) {
  struct epoll_event ready[events_at_once];
  if (capacity > events_at_once) capacity = events_at_once;
  int count = epoll_wait(poller->descriptor, ready, capacity, milliseconds);
  if (count < 0) return errno == EINTR ? 0 : -errno;
  for (int i = 0; i < count; i++) {
    events[i].token = ready[i].data.u64;
    events[i].readiness = readiness_of(ready[i].events);
  }
  return count;
}
#else
typedef int px_poller_is_in_poller_poll_c;
#endif
