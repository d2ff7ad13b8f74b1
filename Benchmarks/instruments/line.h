// One direction of a connection through the network that proxy.c plays: bytes that arrive when their time has come.
#ifndef LINE_H
#define LINE_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct piece {
  struct piece *next;
  double due;  // seconds of the monotonic clock, as everywhere here
  size_t count, taken;
  char bytes[];
};

struct line {
  struct piece *first, *last;
  size_t count;  // bytes under way
  int ended;     // its sender has closed
  double end;    // when the receiver learns of it
};

static inline void line_add(struct line *line, const char *bytes, size_t count, double due) {
  struct piece *piece = malloc(sizeof *piece + count);
  if (piece == NULL) abort();
  *piece = (struct piece){.due = due, .count = count};
  memcpy(piece->bytes, bytes, count);
  if (line->first == NULL) line->first = piece;
  else line->last->next = piece;
  line->last = piece;
  line->count += count;
}

static inline void line_end(struct line *line, double at) {
  if (line->ended) return;
  line->ended = 1;
  line->end = at;
}

static inline void line_drop_first(struct line *line) {
  struct piece *piece = line->first;
  line->first = piece->next;
  line->count -= piece->count;
  free(piece);
}

static inline void line_clear(struct line *line) {
  while (line->first != NULL) line_drop_first(line);
}

/// Sends what is due, at most `limit` bytes: bytes sent, -1 if the receiver is gone. `*full` if it takes no more now.
static inline long line_give(struct line *line, int descriptor, double now, long limit, int *full) {
  long sent = 0;
  *full = 0;
  while (line->first != NULL && line->first->due <= now && sent < limit) {
    struct piece *piece = line->first;
    size_t count = piece->count - piece->taken;
    if ((long)count > limit - sent) count = (size_t)(limit - sent);
    ssize_t given = send(descriptor, piece->bytes + piece->taken, count, MSG_NOSIGNAL);
    if (given < 0 && errno == EAGAIN) {
      *full = 1;
      return sent;
    }
    if (given < 0) return -1;
    sent += given;
    piece->taken += (size_t)given;
    if (piece->taken == piece->count) line_drop_first(line);
  }
  return sent;
}

#endif
