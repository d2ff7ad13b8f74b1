/*
 * What rawget.h says of each call and each option, held against the library: calls FOLDER
 * A server of its own on loopback keeps the last request's head and answers by its path.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <rawget.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int failures;
static const char *folder;
static char base[64];        /* http://127.0.0.1:PORT */
static char silent[64];      /* of a port that takes connections and says nothing */
static char last_head[4096]; /* of the request that was answered last; written before its answer is sent */
static const char content[] = "0123456789abcdefghij";
enum { length = sizeof content - 1 };

static void check(int holds, const char *what) {
  if (holds) return;
  failures++;
  fprintf(stderr, "calls: %s\n", what);
}
#define CHECK(holds) check(!!(holds), #holds)

/* ---- The server ---- */

static int listening(char *url, const char *scheme) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(descriptor, (struct sockaddr *)&address, size) < 0 || listen(descriptor, 64) < 0) exit(1);
  getsockname(descriptor, (struct sockaddr *)&address, &size);
  sprintf(url, "%s://127.0.0.1:%d", scheme, ntohs(address.sin_port));
  return descriptor;
}

static void answer(int connection, const char *head) {
  char text[1024];
  const char *common = "Connection: close\r\n";
  int count;
  if (strstr(head, "/redirect ")) {
    count = sprintf(text, "HTTP/1.1 302 Found\r\nLocation: /file?a=b\r\nContent-Length: 0\r\n%s\r\n", common);
  } else if (strstr(head, "/missing ")) {
    count = sprintf(text, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n%s\r\n", common);
  } else if (strstr(head, "/unproven ")) {
    count = sprintf(text, "HTTP/1.1 200 OK\r\n%s\r\n%s", common, content);
  } else if (strstr(head, "/cut ") && !strstr(head, "Range:")) {
    count = sprintf(text, "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: %d\r\n%s\r\n%.5s", length, common, content);
  } else if (strstr(head, "/cut ")) {
    count = sprintf(text, "HTTP/1.1 206 Partial\r\nETag: \"a\"\r\nContent-Range: bytes 5-%d/%d\r\nContent-Length: %d\r\n%s\r\n%s",
                    length - 1, length, length - 5, common, content + 5);
  } else {
    count = sprintf(text, "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nLast-Modified: Thu, 01 Jan 2015 00:00:00 GMT\r\nContent-Length: %d\r\n%s\r\n%s",
                    length, common, content);
  }
  send(connection, text, (size_t)count, MSG_NOSIGNAL);
}

static void *serve(void *argument) {
  int descriptor = *(int *)argument;
  for (int connection; (connection = accept(descriptor, NULL, NULL)) >= 0; close(connection)) {
    char head[sizeof last_head] = "";
    size_t count = 0;
    while (!strstr(head, "\r\n\r\n")) {
      ssize_t got = recv(connection, head + count, sizeof head - 1 - count, 0);
      if (got <= 0) break;
      count += (size_t)got;
    }
    memcpy(last_head, head, sizeof head);
    answer(connection, head);
    shutdown(connection, SHUT_WR);
  }
  return NULL;
}

/* ---- Options ---- */

static char url[128], file[256];
static rawget_options plain(const char *path) {
  rawget_options options = {0};
  options.size = sizeof options;
  snprintf(url, sizeof url, "%s%s", base, path);
  snprintf(file, sizeof file, "%s/file", folder);
  options.url = url;
  options.file = file;
  unlink(file);
  return options;
}

typedef struct {
  int32_t status, http_status, length_proven, was_here;
  int64_t length;
  char reason[64], path[300];
  int has_message;
} end;

static end ended(rawget_download *download) {
  rawget_result result = {0};
  result.size = sizeof result;
  check(rawget_download_result(download, &result) == RAWGET_OK, "there is no result");
  end end = {result.status, result.http_status, result.length_proven, result.was_here, result.length, "", "", *result.message != 0};
  snprintf(end.reason, sizeof end.reason, "%s", result.reason);
  snprintf(end.path, sizeof end.path, "%s", result.path ? result.path : "");
  return end;
}

static end run(const rawget_options *options) {
  rawget_download *download = rawget_download_create(options);
  int32_t status = rawget_download_run(download);
  end end = ended(download);
  check(end.status == status, "run and result differ");
  rawget_download_free(download);
  return end;
}

static void refused(rawget_options options, int32_t status, const char *reason, const char *what) {
  last_head[0] = 0;
  end end = run(&options);
  if (end.status != status || strcmp(end.reason, reason) != 0 || !end.has_message || last_head[0]) {
    failures++;
    fprintf(stderr, "calls: %s: %d %s\n", what, end.status, end.reason);
  }
}
#define USAGE(change) \
  do { rawget_options o = plain("/file"); change; refused(o, RAWGET_USAGE, "invalid-request", #change); } while (0)

static long long size_of(const char *path) {
  struct stat status;
  return stat(path, &status) < 0 ? -1 : (long long)status.st_size;
}

static void options_that_do_not_read(void) {
  static const char *many[1002], *mirrors[34];
  for (int i = 0; i < 1001; i++) many[i] = "A: b";
  for (int i = 0; i < 33; i++) mirrors[i] = base;
  CHECK(run(NULL).status == RAWGET_USAGE);
  USAGE(o.size = 0);
  USAGE(o.size = sizeof o - 1);
  USAGE(o.url = NULL);
  USAGE(o.url = "http://");
  USAGE(o.fields = ((const char *[]){"Range: bytes=0-1", NULL}));
  USAGE(o.fields = ((const char *[]){"A: b", "no field", NULL}));
  USAGE(o.fields = many);
  USAGE(o.mirrors = mirrors);
  USAGE(o.mirrors = ((const char *[]){"nowhere", NULL}));
  USAGE(o.checksum = "sha-256=00");
  USAGE(o.proxy = "gopher://127.0.0.1");
  USAGE(o.user_agent = "a\nb");
  USAGE(o.existing = RAWGET_EXISTING_RENAME + 1);
  USAGE(o.existing = -1);
  USAGE(o.connections = 33);
  USAGE(o.connections = -2);
  USAGE(o.retries = -2);
  USAGE(o.connect_timeout = -1);
  USAGE(o.response_timeout = -1);
  USAGE(o.idle_timeout = -1);
  USAGE(o.total_timeout = -1);
  USAGE(o.rate_limit = -1);
  USAGE(o.length_limit = -1);
  rawget_options o = plain("/file");
  o.url = "ftp://127.0.0.1/";
  refused(o, RAWGET_UNSUPPORTED, "unsupported", "another scheme");
  o = plain("/file");
  o.flags = RAWGET_ALLOW_DOWNGRADE << 1;
  refused(o, RAWGET_UNSUPPORTED, "unsupported", "a newer flag");
  struct {
    rawget_options options;
    int64_t newer;
  } larger = {plain("/file"), 0};
  larger.options.size = sizeof larger;
  CHECK(run(&larger.options).status == RAWGET_OK);
  unlink(file);
  larger.newer = 1;
  CHECK(run(&larger.options).status == RAWGET_UNSUPPORTED && size_of(file) == -1);
}

static void write_file(const char *path, const char *text) {
  int descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
  check(write(descriptor, text, strlen(text)) == (ssize_t)strlen(text), "can't write");
  close(descriptor);
}
static long long time_of(const char *path) {
  struct stat status;
  return stat(path, &status) < 0 ? -1 : (long long)status.st_mtime;
}

static void what_is_there(void) {
  static const struct {
    int32_t existing, status, was_here;
    long long size;
  } rows[] = {
      {RAWGET_EXISTING_FAIL, RAWGET_EXISTS, 0, 3},
      {RAWGET_EXISTING_SKIP, RAWGET_OK, 1, 3},
      {RAWGET_EXISTING_RESUME, RAWGET_CHANGED, 0, 3},
      {RAWGET_EXISTING_REPLACE, RAWGET_OK, 0, length},
      {RAWGET_EXISTING_RENAME, RAWGET_OK, 0, 3},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    rawget_options o = plain("/file");
    write_file(file, "xyz");
    o.existing = rows[i].existing;
    end end = run(&o);
    if (end.status != rows[i].status || end.was_here != rows[i].was_here || size_of(file) != rows[i].size) {
      failures++;
      fprintf(stderr, "calls: existing %d: %d %s, %lld bytes\n", o.existing, end.status, end.reason, size_of(file));
    }
    if (rows[i].existing == RAWGET_EXISTING_RENAME) {
      CHECK(strcmp(end.path, file) != 0 && size_of(end.path) == length);
      unlink(end.path);
    }
  }
}

static void what_options_do(void) {
  rawget_options o = plain("/file");
  CHECK(run(&o).status == RAWGET_OK && time_of(file) == 1420070400);
  end again = run(&o);
  CHECK(again.status == RAWGET_OK && again.was_here == 1 && again.length == length && strcmp(again.path, file) == 0);
  o = plain("/file");
  o.flags = RAWGET_NO_REMOTE_TIME;
  CHECK(run(&o).status == RAWGET_OK && time_of(file) > 1420070400);
  o = plain("/file");
  o.length_limit = length - 1;
  CHECK(strcmp(run(&o).reason, "too-large") == 0 && size_of(file) == -1);
  o.length_limit = length;
  CHECK(run(&o).status == RAWGET_OK);

  char path[300];
  o = plain("/file");
  snprintf(path, sizeof path, "%s/new/file", folder);
  o.file = path;
  CHECK(run(&o).status == RAWGET_FILE);
  o.flags = RAWGET_CREATE_DIRECTORIES;
  CHECK(run(&o).status == RAWGET_OK && size_of(path) == length);
  unlink(path);
  o.file = NULL;
  snprintf(path, sizeof path, "%s/new", folder);
  o.directory = path;
  end named = run(&o);
  CHECK(named.status == RAWGET_OK && strstr(named.path, "/new/file") && size_of(named.path) == length);
  unlink(named.path);
  rmdir(path);

  o = plain("/file");
  o.fields = (const char *[]){"A: b", "C: d", NULL};
  o.user_agent = "someone/1";
  CHECK(run(&o).status == RAWGET_OK);
  CHECK(strstr(last_head, "\r\nA: b\r\n") && strstr(last_head, "\r\nC: d\r\n"));
  CHECK(strstr(last_head, "\r\nUser-Agent: someone/1\r\n"));
  o = plain("/file");
  o.url = "http://nowhere.invalid/file";
  o.proxy = base;
  CHECK(run(&o).status == RAWGET_OK && strncmp(last_head, "GET http://nowhere.invalid/file ", 32) == 0);
  o = plain("/missing");
  o.mirrors = (const char *[]){url, NULL};
  end missing = run(&o);
  CHECK(missing.status == RAWGET_SERVER && missing.http_status == 404 && strcmp(missing.path, "") == 0);
  char mirror[128];
  snprintf(mirror, sizeof mirror, "%s/file", base);
  o.mirrors = (const char *[]){mirror, NULL};
  CHECK(run(&o).status == RAWGET_OK);
  o = plain("/file");
  o.checksum = "md5=00000000000000000000000000000000";
  if (rawget_has_tls()) {
    CHECK(run(&o).status == RAWGET_INTEGRITY && size_of(file) == -1);
    snprintf(path, sizeof path, "%s.bad", file);
    CHECK(unlink(path) == 0);
  }
  o = plain("/unproven");
  end unproven = run(&o);
  CHECK(unproven.status == RAWGET_OK && unproven.length_proven == 0);
  o = plain("/file");
  CHECK(run(&o).length_proven == 1);
}

static void what_ends_a_wait(void) {
  for (int which = 0; which < 4; which++) {
    rawget_options o = plain("/file");
    char address[128];
    snprintf(address, sizeof address, "%s%s", which == 3 ? "https" : "http", silent + 4);
    o.url = address;
    o.retries = RAWGET_NO_RETRIES;
    o.response_timeout = o.idle_timeout = o.connect_timeout = 1000000;
    o.total_timeout = 10000; /* before any of the defaults */
    int64_t *bounds[] = {&o.response_timeout, &o.idle_timeout, &o.total_timeout, &o.connect_timeout};
    *bounds[which] = 50;
    if (which == 3 && !rawget_has_tls()) continue;
    CHECK(run(&o).status == (which == 2 ? RAWGET_LIMIT : RAWGET_NETWORK));
  }
  rawget_options o = plain("/file");
  o.rate_limit = 1;
  o.total_timeout = 300;
  CHECK(run(&o).status == RAWGET_LIMIT);
}

static void retries(void) {
  rawget_options o = plain("/cut");
  o.retries = RAWGET_NO_RETRIES;
  end cut = run(&o);
  CHECK(cut.status == RAWGET_INCOMPLETE && cut.length == 5 && strstr(cut.path, "/file.part"));
  unlink(cut.path);
  char record[310];
  snprintf(record, sizeof record, "%s.meta", cut.path);
  unlink(record);
  o = plain("/cut");
  o.retries = 1;
  CHECK(run(&o).status == RAWGET_OK && size_of(file) == length);
}

/* ---- Objects ---- */

static rawget_progress progress_of(const rawget_download *download) {
  rawget_progress progress = {0};
  progress.size = sizeof progress;
  CHECK(rawget_download_progress(download, &progress) == RAWGET_OK && progress.size == sizeof progress);
  return progress;
}

static void a_download(void) {
  rawget_options o = plain("/file");
  rawget_download *download = rawget_download_create(&o);
  rawget_result result = {0};
  rawget_progress progress = progress_of(download);
  CHECK(progress.phase == RAWGET_PHASE_CREATED && progress.kept == 0 && progress.complete_length == -1);
  result.size = sizeof result;
  CHECK(rawget_download_result(download, &result) == RAWGET_BUSY);
  CHECK(rawget_download_run(download) == RAWGET_OK);
  CHECK(rawget_download_run(download) == RAWGET_USAGE);
  progress = progress_of(download);
  CHECK(progress.phase == RAWGET_PHASE_ENDED && progress.kept == length && progress.complete_length == length);
  CHECK(rawget_download_result(download, NULL) == RAWGET_USAGE && rawget_download_progress(download, NULL) == RAWGET_USAGE);
  result.size = sizeof result - 1;
  CHECK(rawget_download_result(download, &result) == RAWGET_USAGE);
  struct {
    rawget_result result;
    int64_t newer;
  } larger = {{.size = sizeof larger}, 7};
  CHECK(rawget_download_result(download, &larger.result) == RAWGET_OK);
  CHECK(larger.newer == 0 && larger.result.size == sizeof larger && larger.result.length == length);
  CHECK(strcmp(larger.result.reason, "complete") == 0 && *larger.result.message == 0);
  rawget_loop *loop = NULL;
  CHECK(rawget_loop_create(&loop) == RAWGET_OK && rawget_loop_add(loop, download) == RAWGET_USAGE);
  rawget_loop_free(loop);
  rawget_download_free(download);

  o = plain("/file");
  download = rawget_download_create(&o);
  rawget_download_cancel(download);
  CHECK(rawget_download_run(download) == RAWGET_INTERNAL && strcmp(ended(download).reason, "cancelled") == 0);
  rawget_download_free(download);
}

static void nothing_at_all(void) {
  rawget_event event = {.size = sizeof event};
  rawget_loop *loop = NULL;
  rawget_download_free(NULL);
  rawget_download_cancel(NULL);
  rawget_loop_free(NULL);
  rawget_loop_wake(NULL);
  CHECK(rawget_download_run(NULL) == RAWGET_USAGE && rawget_loop_create(NULL) == RAWGET_USAGE);
  CHECK(rawget_loop_add(NULL, NULL) == RAWGET_USAGE && rawget_loop_run(NULL, 0, &event) == RAWGET_USAGE);
  CHECK(rawget_loop_advance(NULL, &event) == RAWGET_USAGE);
  CHECK(rawget_loop_descriptor(NULL) == -1 && rawget_loop_timeout(NULL) == -1);
  CHECK(rawget_loop_create(&loop) == RAWGET_OK && rawget_loop_add(loop, NULL) == RAWGET_USAGE);
  CHECK(rawget_loop_run(loop, 0, NULL) == RAWGET_USAGE);
  rawget_loop_wake(loop);
  event.size = 1; /* no room: nothing is taken, and nothing lost */
  CHECK(rawget_loop_advance(loop, &event) == RAWGET_USAGE);
  event.size = sizeof event;
  CHECK(rawget_loop_advance(loop, &event) == RAWGET_OK && event.kind == RAWGET_EVENT_WOKEN);
  CHECK(event.download == NULL && event.user_data == NULL && event.complete_length == -1);
  CHECK(rawget_loop_advance(loop, &event) == RAWGET_OK && event.kind == RAWGET_EVENT_NONE);
  CHECK(rawget_loop_run(loop, 0, &event) == RAWGET_OK && event.kind == RAWGET_EVENT_NONE);
  CHECK(rawget_loop_timeout(loop) == -1);
  rawget_loop_free(loop);
  CHECK(rawget_abi_version() == RAWGET_ABI_VERSION && strcmp(rawget_status_name(RAWGET_TLS), "tls") == 0);
  CHECK(strcmp(rawget_status_name(99), "internal") == 0 && strcmp(rawget_status_name(RAWGET_OK), "ok") == 0);
}

/* The next event of a kind, passing over others. */
static rawget_event next(rawget_loop *loop, int32_t kind) {
  rawget_event event = {.size = sizeof event};
  do {
    if (rawget_loop_run(loop, -1, &event) != RAWGET_OK) break;
  } while (event.kind != kind && event.kind != RAWGET_EVENT_FINISHED);
  check(event.kind == kind, "another event");
  return event;
}

static void events(void) {
  rawget_loop *loop = NULL;
  rawget_loop_create(&loop);
  rawget_options o = plain("/redirect");
  o.user_data = &o;
  rawget_download *download = rawget_download_create(&o);
  CHECK(rawget_loop_add(loop, download) == RAWGET_OK && rawget_loop_timeout(loop) == 0);
  CHECK(rawget_loop_add(loop, download) == RAWGET_USAGE && rawget_download_run(download) == RAWGET_USAGE);
  rawget_event event = next(loop, RAWGET_EVENT_REDIRECTED);
  CHECK(event.uri && strstr(event.uri, "/file?***") && event.download == download && event.user_data == &o);
  event = next(loop, RAWGET_EVENT_BEGAN);
  CHECK(event.kept == 0 && event.complete_length == length && !event.reason && !event.uri);
  event = next(loop, RAWGET_EVENT_FINISHED);
  CHECK(event.status == RAWGET_OK && event.kept == length && event.download == download && event.user_data == &o);
  rawget_download_free(download);

  o = plain("/cut");
  download = rawget_download_create(&o);
  rawget_loop_add(loop, download);
  event = next(loop, RAWGET_EVENT_INTERRUPTED);
  CHECK(event.status == RAWGET_INCOMPLETE && event.reason && event.kept == 5 && event.delay >= 0 && event.delay < 1000);
  event = next(loop, RAWGET_EVENT_FINISHED);
  rawget_download_free(download);

  o = plain("/missing");
  char mirror[128];
  snprintf(mirror, sizeof mirror, "%s/file", base);
  o.mirrors = (const char *[]){mirror, NULL};
  download = rawget_download_create(&o);
  rawget_loop_add(loop, download);
  event = next(loop, RAWGET_EVENT_MIRRORED);
  CHECK(event.status == RAWGET_SERVER && event.uri && strcmp(event.uri, mirror) == 0 && event.reason);
  event = next(loop, RAWGET_EVENT_FINISHED);
  CHECK(event.status == RAWGET_OK);
  rawget_download_free(download);

  o = plain("/file");
  o.retries = -2;
  download = rawget_download_create(&o);
  CHECK(rawget_loop_add(loop, download) == RAWGET_OK && rawget_loop_timeout(loop) == 0);
  event = next(loop, RAWGET_EVENT_FINISHED);
  CHECK(event.status == RAWGET_USAGE && event.download == download);
  rawget_download_free(download);

  download = rawget_download_create(&o);
  CHECK(rawget_loop_add(loop, download) == RAWGET_OK);
  rawget_download_free(download); /* its end is told to nobody */
  CHECK(rawget_loop_advance(loop, &event) == RAWGET_OK && event.kind == RAWGET_EVENT_NONE);
  rawget_loop_free(loop);
}

/* Waits as a loop of one's own does: 0 means that there is something to do, and never that there soon will be. */
static void wait_for_the_next_attempt(rawget_loop *loop, rawget_download *download) {
  rawget_event event = {.size = sizeof event};
  while (progress_of(download).phase == RAWGET_PHASE_WAITING) {
    int64_t timeout = rawget_loop_timeout(loop);
    CHECK(timeout >= 0);
    if (timeout > 2) poll(NULL, 0, (int)timeout - 2);
    CHECK(rawget_loop_advance(loop, &event) == RAWGET_OK);
    if (timeout == 0) CHECK(progress_of(download).phase != RAWGET_PHASE_WAITING);
  }
}

static void delays(void) {
  rawget_loop *loop = NULL;
  rawget_loop_create(&loop);
  rawget_options o = plain("/file");
  o.url = "http://127.0.0.1:1/"; /* refused: nobody listens there */
  rawget_download *download = rawget_download_create(&o);
  rawget_loop_add(loop, download);
  rawget_event event = next(loop, RAWGET_EVENT_INTERRUPTED);
  CHECK(event.delay >= 250 && event.delay <= 500 && event.status == RAWGET_NETWORK && event.kept == 0);
  for (event.kind = -1; event.kind != RAWGET_EVENT_NONE;) rawget_loop_advance(loop, &event);
  CHECK(progress_of(download).phase == RAWGET_PHASE_WAITING);
  int64_t timeout = rawget_loop_timeout(loop);
  CHECK(timeout >= 0 && timeout <= 500);
  wait_for_the_next_attempt(loop, download);
  event = next(loop, RAWGET_EVENT_INTERRUPTED);
  for (event.kind = -1; event.kind != RAWGET_EVENT_NONE;) rawget_loop_advance(loop, &event);
  poll(NULL, 0, 1100); /* longer than the second delay can be */
  CHECK(rawget_loop_timeout(loop) == 0);
  rawget_download_free(download); /* nothing more is told of it */
  for (event.kind = -1; event.kind != RAWGET_EVENT_NONE;) {
    rawget_loop_advance(loop, &event);
    CHECK(event.download == NULL);
  }
  CHECK(rawget_loop_timeout(loop) == -1);

  o = plain("/file");
  o.url = silent;
  download = rawget_download_create(&o);
  rawget_loop_add(loop, download);
  rawget_loop_free(loop);
  end end = ended(download);
  CHECK(end.status == RAWGET_INTERNAL && strcmp(end.reason, "cancelled") == 0);
  rawget_download_free(download);
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  folder = arguments[1];
  alarm(120); /* what waits for ever fails */
  pthread_t server;
  int descriptor = listening(base, "http");
  listening(silent, "http");
  pthread_create(&server, NULL, serve, &descriptor);
  nothing_at_all();
  options_that_do_not_read();
  what_is_there();
  what_options_do();
  what_ends_a_wait();
  retries();
  a_download();
  events();
  delays();
  plain("/");
  if (failures == 0) puts("calls: all is as the header says");
  return failures > 0;
}
