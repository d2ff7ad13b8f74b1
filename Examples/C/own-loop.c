/* Several downloads in an epoll loop of the program's own, on one thread: own-loop FOLDER URL… */
#include <errno.h>
#include <rawget.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

static int failed;
static int under_way;

static void tell(const rawget_event *event) {
  const char *url = event->user_data;
  rawget_result result = {0};
  switch (event->kind) {
  case RAWGET_EVENT_INTERRUPTED:
    printf("%s: %s, again in %lld ms\n", url, event->reason, (long long)event->delay);
    break;
  case RAWGET_EVENT_FINISHED:
    result.size = sizeof result;
    rawget_download_result(event->download, &result);
    printf("%s: %s %s\n", url, rawget_status_name(result.status), result.path ? result.path : result.message);
    rawget_download_free(event->download);
    under_way--;
    if (result.status != RAWGET_OK) failed = 1;
    break;
  default: break; /* kinds may come that this program does not know */
  }
}

/* What is to be done when the descriptor is readable or the timeout has passed. */
static int serve(rawget_loop *loop) {
  for (;;) {
    rawget_event event = {0};
    event.size = sizeof event;
    if (rawget_loop_advance(loop, &event) != RAWGET_OK) return -1;
    if (event.kind == RAWGET_EVENT_NONE) return 0;
    tell(&event);
  }
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: %s FOLDER URL...\n", arguments[0]);
    return RAWGET_USAGE;
  }
  rawget_loop *loop = NULL;
  if (rawget_loop_create(&loop) != RAWGET_OK) return RAWGET_INTERNAL;
  for (int i = 2; i < count; i++) {
    rawget_options options = {0};
    options.size = sizeof options;
    options.url = arguments[i];
    options.user_data = arguments[i];
    options.directory = arguments[1];
    options.existing = RAWGET_EXISTING_RENAME;
    if (rawget_loop_add(loop, rawget_download_create(&options)) == RAWGET_OK) under_way++;
  }

  int poller = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event wanted = {.events = EPOLLIN};
  epoll_ctl(poller, EPOLL_CTL_ADD, rawget_loop_descriptor(loop), &wanted);
  /* ... and the program's own descriptors */
  while (under_way > 0) {
    int64_t timeout = rawget_loop_timeout(loop);
    struct epoll_event ready;
    int found = epoll_wait(poller, &ready, 1, timeout > 60000 ? 60000 : (int)timeout);
    if (found < 0 && errno != EINTR) break;
    if (serve(loop) < 0) break;
  }
  close(poller);
  rawget_loop_free(loop);
  return failed || under_way > 0;
}
