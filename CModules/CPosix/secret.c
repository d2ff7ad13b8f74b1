#define _GNU_SOURCE
#include "include/px_secret.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int px_ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
enum { px_ending_count = sizeof px_ending / sizeof px_ending[0] };

static volatile sig_atomic_t px_secret_signal;

static void px_secret_note(int number) { px_secret_signal = number; }

static ptrdiff_t px_secret_line(int terminal, uint8_t *line, size_t capacity) {
  size_t length = 0;
  while (px_secret_signal == 0) {
    uint8_t byte;
    ptrdiff_t count = read(terminal, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -errno;
    if (count == 0 || byte == '\n') return (ptrdiff_t)length;
    if (length == capacity) return -EMSGSIZE;
    line[length++] = byte;
  }
  return -EINTR;
}

static ptrdiff_t px_secret_ask(int terminal, const struct termios *hidden, const uint8_t *question, size_t count,
                               uint8_t *line, size_t capacity) {
  // What was typed before the question was not meant for it.
  if (tcsetattr(terminal, TCSAFLUSH, hidden) < 0 || write(STDERR_FILENO, question, count) < 0) return -errno;
  return px_secret_line(terminal, line, capacity);
}

ptrdiff_t px_secret_read(int terminal, const uint8_t *question, size_t count, uint8_t *line, size_t capacity) {
  struct termios shown;
  if (tcgetattr(terminal, &shown) < 0) return -errno;
  struct sigaction note, before[px_ending_count];
  memset(&note, 0, sizeof note);
  note.sa_handler = px_secret_note;  // without SA_RESTART: it ends the read
  (void)sigemptyset(&note.sa_mask);
  px_secret_signal = 0;
  for (int index = 0; index < px_ending_count; index += 1) (void)sigaction(px_ending[index], &note, &before[index]);

  struct termios hidden = shown;
  hidden.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK);
  hidden.c_lflag |= ECHONL;
  ptrdiff_t outcome = px_secret_ask(terminal, &hidden, question, count, line, capacity);
  (void)tcsetattr(terminal, TCSAFLUSH, &shown);

  for (int index = 0; index < px_ending_count; index += 1) (void)sigaction(px_ending[index], &before[index], NULL);
  if (px_secret_signal != 0) (void)raise(px_secret_signal);
  return outcome;
}
