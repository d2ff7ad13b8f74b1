/*
 * Ten downloads on one thread, in an epoll loop of the program's own; five of them are cancelled at random moments. So
 * many rounds, after which no descriptor, no thread and no byte may have come to stay.
 *   soak ROUNDS SEED FOLDER LENGTH URL…        by the thread of the loop
 *   soak -t ROUNDS SEED FOLDER LENGTH URL…     by five other threads, while it is used
 * LENGTH is that of the file that all URLs lead to.
 *
 * Bytes are counted exactly, which takes GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.pthread.stack_cache_size=0.
 * Two things of glibc grow with the most threads that ever were at once, which differs from round to round where names
 * are resolved: the stacks that it keeps, each with 288 bytes from malloc (_dl_allocate_tls), which the second tunable
 * forbids; and its list of resolvers (__resolv_conf_attach), which `resolve_at_once` makes as long as it will ever be.
 */
#include <dirent.h>
#include <errno.h>
#include <malloc.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <rawget.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

enum { downloads = 10, cancelled = 5, warm_up = 20, most_resolvers = 64 };

typedef struct {
  rawget_download *download;
  char file[512];
  const char *url;
  int cancel_after; /* turns of the loop, or fifths of a millisecond; -1: never */
  int ends;
  int32_t status;
} item;

static const char *folder;
static char **urls;
static int url_count;
static long long length;
static int is_threaded;
static unsigned long long seed;
static long completed, stopped;

static unsigned next_random(unsigned below) { /* xorshift: the same rounds for the same seed */
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (unsigned)(seed % below);
}

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "soak: %s: %s\n", what, detail);
  exit(1);
}

static int count_in(const char *path) {
  DIR *directory = opendir(path);
  if (!directory) fail("can't open", path);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(directory));) count += entry->d_name[0] != '.';
  closedir(directory);
  return count;
}
static int open_descriptors(void) { return count_in("/proc/self/fd") - 1; } /* that of the count itself */

/* A thread that resolved a name for a download which was cancelled ends by itself. */
static int threads(int own) {
  int count = count_in("/proc/self/task");
  for (int tries = 0; count > own && tries < 500; tries++) {
    poll(NULL, 0, 10);
    count = count_in("/proc/self/task");
  }
  return count;
}

static pthread_barrier_t all_resolved;
static void *resolve(void *argument) {
  struct addrinfo *answer = NULL;
  if (getaddrinfo("localhost", NULL, NULL, &answer) == 0) freeaddrinfo(answer);
  pthread_barrier_wait(&all_resolved); /* what a thread resolves by lives as long as it does */
  return argument;
}
static void resolve_at_once(void) {
  pthread_t made[most_resolvers];
  pthread_barrier_init(&all_resolved, NULL, most_resolvers);
  for (int i = 0; i < most_resolvers; i++) {
    if (pthread_create(&made[i], NULL, resolve, NULL) != 0) fail("no thread", "to resolve");
  }
  for (int i = 0; i < most_resolvers; i++) pthread_join(made[i], NULL);
  pthread_barrier_destroy(&all_resolved);
}

static void *nothing(void *argument) { return argument; }

/* A thread can't give back the stack that it ends on: the next one that ends does. */
static size_t bytes(void) {
  pthread_t last;
  if (pthread_create(&last, NULL, nothing, NULL) != 0) fail("no thread", "to count by");
  pthread_join(last, NULL);
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
  return 0; /* its malloc is another */
#endif
#endif
  return mallinfo2().uordblks;
}

static void remove_files(const item *one) {
  static const char *const endings[] = {"", ".part", ".part.meta", ".part.tmp"};
  char path[600];
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    snprintf(path, sizeof path, "%s%s", one->file, endings[i]);
    if (unlink(path) < 0 && errno != ENOENT) fail("can't remove", path);
  }
}

static void prepare(item *items, rawget_loop *loop) {
  for (int i = 0; i < downloads; i++) {
    item *one = &items[i];
    memset(one, 0, sizeof *one);
    snprintf(one->file, sizeof one->file, "%s/%d", folder, i);
    one->url = urls[next_random((unsigned)url_count)];
    one->cancel_after = -1;
    rawget_options options = {0};
    options.size = sizeof options;
    options.url = one->url;
    options.file = one->file;
    options.user_data = one;
    options.connections = i % 3 == 0 ? 2 : 1;
    one->download = rawget_download_create(&options);
    if (rawget_loop_add(loop, one->download) != RAWGET_OK) fail("can't add", one->url);
  }
  for (int left = cancelled; left > 0;) {
    item *one = &items[next_random(downloads)];
    if (one->cancel_after >= 0) continue;
    one->cancel_after = (int)next_random(is_threaded ? 60 : 10);
    left--;
  }
}

static void note_end(const rawget_event *event) {
  item *one = event->user_data;
  if (one->download != event->download) fail("an event is about another download", one->url);
  if (event->kind != RAWGET_EVENT_FINISHED) return;
  one->ends++;
  rawget_result result = {0};
  result.size = sizeof result;
  if (rawget_download_result(one->download, &result) != RAWGET_OK) fail("there is no result", one->url);
  if (result.status != event->status) fail("two results", one->url);
  one->status = result.status;
  struct stat status;
  if (result.status == RAWGET_OK) {
    if (stat(one->file, &status) < 0 || status.st_size != length || result.length != length) fail("not whole", one->file);
    completed++;
  } else if (one->cancel_after >= 0 && strcmp(result.reason, "cancelled") == 0) {
    if (stat(one->file, &status) == 0) fail("not whole, and under its name", one->file);
    stopped++;
  } else {
    fail(result.reason, result.message);
  }
}

typedef struct {
  rawget_download *download;
  int microseconds;
} canceller;

static void *cancel_later(void *argument) {
  canceller *one = argument;
  usleep((useconds_t)one->microseconds);
  rawget_download_cancel(one->download);
  return NULL;
}

static int begin_cancellers(item *items, pthread_t *made, canceller *arguments) {
  int count = 0;
  for (int i = 0; is_threaded && i < downloads; i++) {
    if (items[i].cancel_after < 0) continue;
    arguments[count] = (canceller){items[i].download, items[i].cancel_after * 200};
    if (pthread_create(&made[count], NULL, cancel_later, &arguments[count]) != 0) fail("no thread", items[i].url);
    count++;
  }
  return count;
}

static int ended(const item *items) {
  int count = 0;
  for (int i = 0; i < downloads; i++) count += items[i].ends;
  return count;
}

static void run_round(void) {
  rawget_loop *loop = NULL;
  item items[downloads];
  pthread_t made[cancelled];
  canceller arguments[cancelled];
  if (rawget_loop_create(&loop) != RAWGET_OK) fail("no loop", "");
  prepare(items, loop);
  int made_count = begin_cancellers(items, made, arguments);
  int poller = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event wanted = {.events = EPOLLIN}, ready;
  epoll_ctl(poller, EPOLL_CTL_ADD, rawget_loop_descriptor(loop), &wanted);
  for (int turn = 0; ended(items) < downloads; turn++) {
    for (int i = 0; !is_threaded && i < downloads; i++) {
      if (items[i].cancel_after == turn) rawget_download_cancel(items[i].download);
    }
    for (;;) {
      rawget_event event = {0};
      event.size = sizeof event;
      if (rawget_loop_advance(loop, &event) != RAWGET_OK) fail("the loop", "failed");
      if (event.kind == RAWGET_EVENT_NONE) break;
      if (event.download) note_end(&event);
    }
    int64_t timeout = rawget_loop_timeout(loop);
    if (ended(items) == downloads) break;
    if (epoll_wait(poller, &ready, 1, timeout < 0 || timeout > 30000 ? 30000 : (int)timeout) == 0 && timeout < 0) {
      fail("nothing happens", "and nothing would");
    }
  }
  for (int i = 0; i < made_count; i++) pthread_join(made[i], NULL);
  close(poller);
  if (next_random(2)) { /* in either order */
    rawget_loop_free(loop);
    loop = NULL;
  }
  for (int i = 0; i < downloads; i++) {
    if (items[i].ends != 1) fail("not one end", items[i].url);
    rawget_download_free(items[i].download);
    remove_files(&items[i]);
  }
  rawget_loop_free(loop);
}

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "-t") == 0) {
    is_threaded = 1;
    arguments++;
    count--;
  }
  if (count < 6) fail("usage", "soak [-t] ROUNDS SEED FOLDER LENGTH URL...");
  long rounds = atol(arguments[1]);
  seed = strtoull(arguments[2], NULL, 10) | 1;
  folder = arguments[3];
  length = atoll(arguments[4]);
  urls = arguments + 5;
  url_count = count - 5;
  /* All in one heap, and nothing that was freed counts. */
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MXFAST, 0);
  int own = count_in("/proc/self/task"); /* a sanitizer has one too */
  resolve_at_once();
  for (int i = 0; i < warm_up; i++) run_round();
  int descriptors_before = open_descriptors(), threads_before = threads(own);
  size_t bytes_before = bytes();
  completed = stopped = 0;
  for (long i = 0; i < rounds; i++) {
    run_round();
    if (open_descriptors() != descriptors_before) fail("a descriptor", "stays open after a round");
  }
  int descriptors_after = open_descriptors(), threads_after = threads(own);
  size_t bytes_after = bytes();
  printf("%ld rounds: %ld whole, %ld cancelled; descriptors %d -> %d, threads %d -> %d, bytes %zu -> %zu\n", rounds,
         completed, stopped, descriptors_before, descriptors_after, threads_before, threads_after, bytes_before,
         bytes_after);
  if (threads_after != threads_before) fail("a thread", "stays");
  if (bytes_after > bytes_before) fail("memory", "grows");
  return stopped > 0 && completed > 0 ? 0 : 1;
}
