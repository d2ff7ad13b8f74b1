// Nanoseconds of CPU that a response head costs a parser: the median of 9 rounds.
//   heads FILE COUNT PARSER   FILE: heads one after the other, each with its empty line; COUNT of them in a round
// PARSER is lines (the least: memchr for each line and colon, and the fields that a download looks at), or
// picohttpparser or llhttp where the program was built with them.
#define _GNU_SOURCE
#include "loopback.h"
#include <time.h>
#ifdef PICOHTTPPARSER
#include "picohttpparser.h"
#endif
#ifdef LLHTTP
#include "llhttp.h"
#endif

enum { HEADS = 1024, ROUNDS = 9 };

static struct { const char *bytes; size_t count; } heads[HEADS];

static int is(const char *name, size_t count, const char *known) {
  return count == strlen(known) && strncasecmp(name, known, count) == 0;
}

/// The status and what frames or identifies the content; nothing is checked.
static size_t lines(const char *bytes, size_t count) {
  const char *limit = bytes + count, *line = memchr(bytes, '\n', count) + 1;
  size_t status = (size_t)((bytes[9] - '0') * 100 + (bytes[10] - '0') * 10 + bytes[11] - '0');
  size_t length = 0, other = 0;
  for (const char *next; *line != '\r'; line = next + 1) {
    next = memchr(line, '\n', (size_t)(limit - line));
    const char *colon = memchr(line, ':', (size_t)(next - line)), *value = colon + 1;
    size_t name = (size_t)(colon - line);
    while (*value == ' ') value++;
    if (is(line, name, "content-length")) {
      for (length = 0; *value != '\r'; value++) length = length * 10 + (size_t)(*value - '0');
    } else if (is(line, name, "transfer-encoding") || is(line, name, "content-range") || is(line, name, "etag") ||
               is(line, name, "last-modified") || is(line, name, "location") || is(line, name, "connection")) {
      other += (size_t)(next - value);
    }
  }
  return status + length + other;
}

#ifdef PICOHTTPPARSER
static size_t picohttpparser(const char *bytes, size_t count) {
  struct phr_header fields[64];
  size_t number = 64, reason_size;
  int version, status;
  const char *reason;
  if (phr_parse_response(bytes, count, &version, &status, &reason, &reason_size, fields, &number, 0) < 0) abort();
  return number + (size_t)status;
}
#endif

#ifdef LLHTTP
static size_t spans;
static llhttp_settings_t settings;

static int on_span(llhttp_t *parser, const char *bytes, size_t count) {
  (void)parser, (void)bytes;
  spans += count;
  return 0;
}

static int on_head(llhttp_t *parser) {
  (void)parser;
  return 1;  // there is no content here
}

static size_t llhttp(const char *bytes, size_t count) {
  llhttp_t parser;
  llhttp_init(&parser, HTTP_RESPONSE, &settings);
  if (llhttp_execute(&parser, bytes, count) != HPE_OK) abort();
  return spans + parser.status_code;
}
#endif

static size_t read_heads(const char *path) {
  static char text[4 << 20];
  int file = open(path, O_RDONLY);
  ssize_t count = read(file, text, sizeof text);
  size_t number = 0;
  for (const char *at = text, *last; count > 0 && number < HEADS; at = last + 4, number++) {
    last = memmem(at, (size_t)(text + count - at), "\r\n\r\n", 4);
    if (last == NULL) break;
    heads[number].bytes = at;
    heads[number].count = (size_t)(last + 4 - at);
  }
  return number;
}

static int compare(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  size_t (*parse)(const char *, size_t) = lines;
#ifdef PICOHTTPPARSER
  if (strcmp(arguments[3], "picohttpparser") == 0) parse = picohttpparser;
#endif
#ifdef LLHTTP
  settings.on_header_field = settings.on_header_value = settings.on_status = on_span;
  settings.on_headers_complete = on_head;
  if (strcmp(arguments[3], "llhttp") == 0) parse = llhttp;
#endif
  if (parse == lines && strcmp(arguments[3], "lines") != 0) return 2;
  size_t number = read_heads(arguments[1]), sum = 0;
  long each_round = atol(arguments[2]);
  double results[ROUNDS];
  if (number == 0) return 2;
  for (int round = 0; round < ROUNDS; round++) {
    clock_t from = clock();
    for (long index = 0; index < each_round; index++) {
      sum += parse(heads[(size_t)index % number].bytes, heads[(size_t)index % number].count);
    }
    results[round] = (double)(clock() - from) * 1e9 / CLOCKS_PER_SEC / (double)each_round;
  }
  qsort(results, ROUNDS, sizeof *results, compare);
  printf("%.1f\n", results[ROUNDS / 2]);
  return sum == 0;  // all of it was used
}
