// What the limit programs share: a blocking connection to 127.0.0.1, one request, one head. They do what a download
// cannot do without and nothing else; whatever goes wrong ends them.
#ifndef LOOPBACK_H
#define LOOPBACK_H

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static inline void end(const char *what) {
  perror(what);
  exit(1);
}

static inline int connected(int port, int type) {
  int descriptor = socket(AF_INET, SOCK_STREAM | type, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) end("connect");
  return descriptor;
}

static inline size_t request_for(char *text, size_t size, const char *path) {
  return (size_t)snprintf(text, size, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
}

static inline void ask(int descriptor, const char *path) {
  char text[1024];
  size_t count = request_for(text, sizeof text, path);
  if (send(descriptor, text, count, MSG_NOSIGNAL) != (ssize_t)count) end("send");
}

/// Bytes of the head at the front of what was received, 0 if its end is not there yet.
static inline size_t head_in(const char *received, size_t count, int64_t *content_length) {
  const char *last = memmem(received, count, "\r\n\r\n", 4);
  if (last == NULL) return 0;
  *content_length = -1;
  for (const char *line = received; line < last;) {
    if (strncasecmp(line, "content-length:", 15) == 0) *content_length = atoll(line + 15);
    line = (const char *)memchr(line, '\n', (size_t)(last + 2 - line)) + 1;
  }
  if (count < 12 || memcmp(received + 9, "200", 3) != 0 || *content_length < 0) end("not a 200 with a length");
  return (size_t)(last + 4 - received);
}

static inline void put(int file, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written < 0) end("write");
    bytes += written;
    count -= (size_t)written;
  }
}

static inline int created(const char *path) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) end(path);
  return file;
}

#endif
