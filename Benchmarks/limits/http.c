// The least that a download over http can cost: receive, write, until the announced length is there.
//   http PORT PATH FILE BUFFER MARK   BUFFER bytes for each receive; MARK: SO_RCVLOWAT, 0 to leave it alone
//   http PORT PATH FILE splice        the kernel moves the content through a pipe of 1 MiB; no byte is seen
#define _GNU_SOURCE
#include "loopback.h"

#define PIPE (1 << 20)  // bytes

static void move_content(int from, int file, int64_t left) {
  int through[2];
  if (pipe(through) != 0 || fcntl(through[1], F_SETPIPE_SZ, PIPE) < 0) end("pipe");
  while (left > 0) {
    ssize_t taken = splice(from, NULL, through[1], NULL, PIPE, SPLICE_F_MOVE);
    if (taken <= 0) end("splice");
    for (ssize_t rest = taken; rest > 0;) {
      ssize_t moved = splice(through[0], NULL, file, NULL, (size_t)rest, SPLICE_F_MOVE);
      if (moved <= 0) end("splice");
      rest -= moved;
    }
    left -= taken;
  }
}

static void copy_content(int from, int file, int64_t left, char *buffer, size_t size, int mark) {
  if (mark > 0) setsockopt(from, SOL_SOCKET, SO_RCVLOWAT, &mark, sizeof mark);
  while (left > 0) {
    // A receive that has taken less than the mark sleeps until as much again is there: the end must not be nearer.
    if (mark > 0 && left < 2 * mark) {
      mark = 0;
      int one = 1;
      setsockopt(from, SOL_SOCKET, SO_RCVLOWAT, &one, sizeof one);
    }
    ssize_t received = recv(from, buffer, size, 0);
    if (received <= 0) end("recv");
    put(file, buffer, (size_t)received);
    left -= received;
  }
}

int main(int count, char **arguments) {
  if (count < 5) return 2;
  int splices = strcmp(arguments[4], "splice") == 0;
  size_t size = splices ? 65536 : (size_t)atol(arguments[4]);
  char *buffer = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
  if (buffer == NULL) end("memory");
  int from = connected(atoi(arguments[1]), SOCK_CLOEXEC), file = created(arguments[3]);
  ask(from, arguments[2]);

  size_t received = 0, head = 0;
  int64_t length = 0;
  while (head == 0) {
    ssize_t more = recv(from, buffer + received, size - received, 0);
    if (more <= 0) end("recv");
    received += (size_t)more;
    head = head_in(buffer, received, &length);
  }
  put(file, buffer + head, received - head);
  length -= (int64_t)(received - head);
  if (splices) move_content(from, file, length);
  else copy_content(from, file, length, buffer, size, count > 5 ? atoi(arguments[5]) : 0);
  return close(file) == 0 ? 0 : 1;
}
