#define _GNU_SOURCE
#include "include/px_lookup.h"
#include "include/px_thread.h"
#include "px_sockaddr.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The caller owns `reading`, the thread `writing` and, until `is_done`, the answer.
struct px_lookup {
  atomic_int owners; // 2 at first: the caller and the thread
  atomic_bool is_done;
  int reading;
  int writing;
  int code;
  int system_code;
  int count;
  uint16_t port;
  uint8_t version;
  px_address addresses[px_lookup_capacity];
  char host[]; // NUL-terminated
};

static void drop(px_lookup *lookup) {
  if (atomic_fetch_sub_explicit(&lookup->owners, 1, memory_order_acq_rel) == 1) free(lookup);
}

/// In getaddrinfo's order, which is the order to try them in (RFC 6724).
static void keep_addresses(px_lookup *lookup, const struct addrinfo *answer) {
  for (; answer && lookup->count < px_lookup_capacity; answer = answer->ai_next) {
    px_address address;
    if (!answer->ai_addr || px_address_from_native(answer->ai_addr, &address) < 0) continue;
    address.port = lookup->port;
    lookup->addresses[lookup->count++] = address;
  }
}

/// Closing would be enough to wake the caller, but a forked child may hold the other end open.
static void wake_caller(int descriptor) {
#ifdef MSG_NOSIGNAL
  (void)send(descriptor, "", 1, MSG_NOSIGNAL);
#else
  (void)send(descriptor, "", 1, 0); // SO_NOSIGPIPE is set, and every signal is blocked here
#endif
  (void)close(descriptor);
}

static void *resolve(void *argument) {
  px_lookup *lookup = argument;
  struct addrinfo hints = {
      .ai_family = lookup->version == 4 ? AF_INET : lookup->version == 6 ? AF_INET6 : AF_UNSPEC,
      .ai_socktype = SOCK_STREAM};
  struct addrinfo *answer = NULL;
  lookup->code = getaddrinfo(lookup->host, NULL, &hints, &answer);
  if (lookup->code == EAI_SYSTEM) lookup->system_code = errno;
  if (lookup->code == 0) {
    keep_addresses(lookup, answer);
    freeaddrinfo(answer);
    if (lookup->count == 0) lookup->code = EAI_NONAME;
  }
  int writing = lookup->writing;
  atomic_store_explicit(&lookup->is_done, true, memory_order_release);
  wake_caller(writing);
  drop(lookup);
  return NULL;
}

static int open_pair(int ends[2]) {
#ifdef __linux__
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) < 0 ? -errno : 0;
#else
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return -errno;
  for (int i = 0; i < 2; i++) {
    (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[i], F_SETFL, O_NONBLOCK);
#ifdef SO_NOSIGPIPE
    int on = 1;
    (void)setsockopt(ends[i], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  }
  return 0;
#endif
}

int px_lookup_start(const uint8_t *host, uint16_t port, uint8_t version, px_lookup **lookup) {
  size_t length = strlen((const char *)host);
  px_lookup *made = calloc(1, sizeof *made + length + 1);
  if (!made) return -ENOMEM;
  memcpy(made->host, host, length + 1);
  made->port = port;
  made->version = version;
  atomic_init(&made->owners, 2);
  atomic_init(&made->is_done, false);
  int ends[2];
  int outcome = open_pair(ends);
  if (outcome < 0) {
    free(made);
    return outcome;
  }
  made->reading = ends[0];
  made->writing = ends[1];
  outcome = px_thread_start(resolve, made);
  if (outcome < 0) {
    (void)close(ends[0]);
    (void)close(ends[1]);
    free(made);
    return outcome;
  }
  *lookup = made;
  return 0;
}

int px_lookup_descriptor(const px_lookup *lookup) { return lookup->reading; }

bool px_lookup_is_done(const px_lookup *lookup) {
  return atomic_load_explicit(&lookup->is_done, memory_order_acquire);
}

int px_lookup_code(const px_lookup *lookup) { return lookup->code; }
int px_lookup_system_code(const px_lookup *lookup) { return lookup->system_code; }
int px_lookup_count(const px_lookup *lookup) { return lookup->count; }

px_address px_lookup_address(const px_lookup *lookup, int index) {
  return lookup->addresses[index];
}

void px_lookup_abandon(px_lookup *lookup) {
  (void)close(lookup->reading);
  drop(lookup);
}

int px_EAI_AGAIN(void) { return EAI_AGAIN; }
int px_EAI_SYSTEM(void) { return EAI_SYSTEM; }

const char *px_lookup_text(int code) { return gai_strerror(code); }
