#if !defined(__linux__) || defined(PX_PORTABLE)
#include "include/px_poller.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>

/// Two arrays side by side: what poll reads, and the token of each entry.
struct px_poller {
  struct pollfd *entries;
  uint64_t *tokens;
  int count;
  int capacity; // entries; doubles, so bounded by the descriptors the process may have
  int next;     // where the next look for events begins, so that nobody starves
};

int px_poller_create(px_poller **poller) {
  *poller = calloc(1, sizeof **poller);
  return *poller ? 0 : -ENOMEM;
}

void px_poller_destroy(px_poller *poller) {
  free(poller->entries);
  free(poller->tokens);
  free(poller);
}

int px_poller_descriptor(const px_poller *poller) {
  (void)poller;
  return -1;
}

static int index_of(const px_poller *poller, int descriptor) {
  for (int i = 0; i < poller->count; i++) {
    if (poller->entries[i].fd == descriptor) return i;
  }
  return -1;
}

static int grow(px_poller *poller) {
  int capacity = poller->capacity ? poller->capacity * 2 : 16;
  struct pollfd *entries = realloc(poller->entries, (size_t)capacity * sizeof *entries);
  if (!entries) return -ENOMEM;
  poller->entries = entries;
  uint64_t *tokens = realloc(poller->tokens, (size_t)capacity * sizeof *tokens);
  if (!tokens) return -ENOMEM;
  poller->tokens = tokens;
  poller->capacity = capacity;
  return 0;
}

int px_poller_watch(px_poller *poller, int descriptor, uint32_t readiness, uint64_t token) {
  if (descriptor < 0) return -EBADF;
  int index = index_of(poller, descriptor);
  if (index < 0) {
    if (poller->count == poller->capacity) {
      int outcome = grow(poller);
      if (outcome < 0) return outcome;
    }
    index = poller->count++;
  }
  short wanted = 0;
  if (readiness & px_readable) wanted |= POLLIN;
  if (readiness & px_writable) wanted |= POLLOUT;
  poller->entries[index] = (struct pollfd){.fd = descriptor, .events = wanted};
  poller->tokens[index] = token;
  return 0;
}

void px_poller_forget(px_poller *poller, int descriptor) {
  int index = index_of(poller, descriptor);
  if (index < 0) return;
  int last = --poller->count;
  poller->entries[index] = poller->entries[last];
  poller->tokens[index] = poller->tokens[last];
}

/// A hang-up counts as readable: whoever reads then finds the end.
static uint32_t readiness_of(short events) {
  uint32_t readiness = 0;
  if (events & (POLLIN | POLLHUP)) readiness |= px_readable;
  if (events & POLLOUT) readiness |= px_writable;
  if (events & (POLLERR | POLLNVAL)) readiness |= px_failed;
  return readiness;
}

int px_poller_wait(px_poller *poller, int milliseconds, px_event *events, int capacity) {
  int ready = poll(poller->entries, (nfds_t)poller->count, milliseconds);
  if (ready < 0) return errno == EINTR ? 0 : -errno;
  int found = 0;
  for (int step = 0; step < poller->count && found < ready && found < capacity; step++) {
    if (poller->next >= poller->count) poller->next = 0;
    int index = poller->next++;
    short seen = poller->entries[index].revents;
    if (seen == 0) continue;
    events[found].token = poller->tokens[index];
    events[found].readiness = readiness_of(seen);
    found++;
  }
  return found;
}
#else
typedef int px_poller_is_in_poller_epoll_c;
#endif
