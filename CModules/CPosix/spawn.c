#define _GNU_SOURCE
#include "include/px_process.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/// Whether `entry` has the name of one of the `count` entries before.
static bool is_named(const char *entry, char *const *entries, size_t count) {
  size_t length = strcspn(entry, "=") + 1;
  for (size_t i = 0; i < count; i++) {
    if (strncmp(entry, entries[i], length) == 0) return true;
  }
  return false;
}

/// The environment with additions, which are strings one after the other and an empty one at the end; NULL: no memory.
static char **extended_environment(const char *additions) {
  size_t count = 0, added = 0;
  for (char **entry = environ; entry && *entry; entry++) count++;
  for (const char *next = additions; *next; next += strlen(next) + 1) added++;
  char **all = calloc(count + added + 1, sizeof *all);
  if (!all) return NULL;
  size_t used = 0;
  for (const char *next = additions; *next; next += strlen(next) + 1) all[used++] = (char *)next;
  for (size_t i = 0; i < count; i++) {
    if (!is_named(environ[i], all, added)) all[used++] = environ[i];
  }
  return all;
}

/// Signals as a program expects them, and nothing to read.
static int spawn(pid_t *process, char *const *arguments, char *const *environment) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) return code;
  code = posix_spawnattr_init(&attributes);
  if (code != 0) {
    (void)posix_spawn_file_actions_destroy(&actions);
    return code;
  }
  sigset_t none, defaults;
  (void)sigemptyset(&none);
  (void)sigemptyset(&defaults);
  (void)sigaddset(&defaults, SIGPIPE);
  (void)sigaddset(&defaults, SIGXFSZ);
  (void)posix_spawnattr_setsigmask(&attributes, &none);
  (void)posix_spawnattr_setsigdefault(&attributes, &defaults);
  (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (code == 0) code = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environment);
  (void)posix_spawnattr_destroy(&attributes);
  (void)posix_spawn_file_actions_destroy(&actions);
  return code;
}

int px_spawn(const uint8_t *command, const uint8_t *argument, const uint8_t *additions) {
  char **environment = extended_environment((const char *)additions);
  if (!environment) return -ENOMEM;
  char *const arguments[] = {(char *)command, (char *)argument, NULL};
  pid_t process = 0;
  int code = spawn(&process, arguments, environment);
  free(environment);
  return code == 0 ? (int)process : -code;
}

int px_child_status(int number) {
  int status = 0;
  pid_t ended = waitpid(number, &status, WNOHANG);
  if (ended == 0) return -EAGAIN;
  if (ended < 0) return -errno;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
