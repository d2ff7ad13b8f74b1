// The least that many small files can cost: one connection, one request after the other, a file for each.
//   files PORT LIST FOLDER   LIST: a path a line, the last part of which is the file's name
#define _GNU_SOURCE
#include "loopback.h"

static char buffer[262144];  // bytes: a head and a small file in one receive

static void fetch(int from, const char *path, int folder) {
  ask(from, path);
  size_t received = 0, head = 0;
  int64_t length = 0;
  while (head == 0 || (int64_t)(received - head) < length) {
    ssize_t more = recv(from, buffer + received, sizeof buffer - received, 0);
    if (more <= 0) end("recv");
    received += (size_t)more;
    if (head == 0) head = head_in(buffer, received, &length);
  }
  int file = openat(folder, strrchr(path, '/') + 1, O_WRONLY | O_CREAT | O_EXCL, 0644);
  if (file < 0) end(path);
  put(file, buffer + head, received - head);
  if (close(file) != 0) end(path);
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  FILE *list = fopen(arguments[2], "r");
  int folder = open(arguments[3], O_DIRECTORY | O_CLOEXEC);
  if (list == NULL || folder < 0) end("list or folder");
  int from = connected(atoi(arguments[1]), SOCK_CLOEXEC);
  char path[512];
  while (fgets(path, sizeof path, list) != NULL) {
    path[strcspn(path, "\n")] = 0;
    fetch(from, path, folder);
  }
  return 0;
}
