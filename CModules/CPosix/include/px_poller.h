#ifndef PX_POLLER_H
#define PX_POLLER_H

#include <stdint.h>

/// epoll on Linux, poll elsewhere; level-triggered in both.
typedef struct px_poller px_poller;

typedef struct {
  uint64_t token;
  uint32_t readiness; // px_readable | px_writable | px_failed
} px_event;

static const uint32_t px_readable = 1;
static const uint32_t px_writable = 2;
static const uint32_t px_failed = 4;

/// 0 and a poller to destroy, or why not.
int px_poller_create(px_poller **poller);
void px_poller_destroy(px_poller *poller);

/// The one descriptor that becomes readable when an event waits; -1 where there is none (poll).
int px_poller_descriptor(const px_poller *poller);

/// Adds the descriptor, or changes what is wanted of it.
int px_poller_watch(px_poller *poller, int descriptor, uint32_t readiness, uint64_t token);
void px_poller_forget(px_poller *poller, int descriptor);

/// Waits at most `milliseconds` (-1: without end) for at most `capacity` events; their count.
/// A signal ends the wait with 0 events.
int px_poller_wait(px_poller *poller, int milliseconds, px_event *events, int capacity);

/// A descriptor to read and one to write (they may be the same), both non-blocking.
int px_wake_open(int *read_descriptor, int *write_descriptor);

/// Safe in a signal handler: one write, errno kept.
void px_wake(int write_descriptor);
void px_wake_drain(int read_descriptor);

#endif
