#ifndef PX_PROCESS_H
#define PX_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Called once by the command's main. The strings are borrowed for the life of the process.
void px_keep_arguments(int count, char **arguments);

/// NULL beyond the last one; 0 is the name of the command.
const char *px_argument(int index);

int64_t px_monotonic_nanoseconds(void);
int64_t px_seconds_since_1970(void);

/// Fills `bytes` from the system's generator; 0, or why not.
int px_random_fill(void *bytes, size_t count);

/// The value with its NUL, or NULL. Valid until the environment changes.
const char *px_environment_value(const uint8_t *name);

/// The identity of this boot of the system: writes up to `capacity` bytes, returns how many; 0 where it is not known.
int px_boot_identity(char *text, int capacity);
int px_process_number(void);

/// Whether a process with this number runs on this system.
bool px_process_exists(int number);

/// The process's file mode creation mask, without changing it where the system allows.
uint32_t px_umask(void);

/// Raises the limit of descriptors to `count` if it is lower, as far as the process may. What it is then, or INT64_MAX
/// where there is none or it can't be told.
int64_t px_descriptor_limit_raise(int64_t count);

/// Starts `command`, looked for in PATH unless there is a slash in it, with one argument. `additions` are variables for
/// its environment, one string after the other and an empty one at the end. Its process's number, or why not.
int px_spawn(const uint8_t *command, const uint8_t *argument, const uint8_t *additions);

/// The exit status of a process that was started so, 128 and the signal's number if one ended it. -EAGAIN: it runs.
int px_child_status(int number);

bool px_is_terminal(int descriptor);
int px_terminal_columns(int descriptor); // 0: not known
int px_terminal_rows(int descriptor);    // 0: not known

/// False for a job in the background of the shell that owns the terminal.
bool px_terminal_is_foreground(int descriptor);

/// One write, interrupted by signals: the bytes taken, or -errno (-EINTR too).
ptrdiff_t px_write_once(int descriptor, const void *bytes, size_t count);

/// The same for a socket, whose flags others may share: it never waits.
ptrdiff_t px_send_once(int descriptor, const void *bytes, size_t count);

// How a descriptor takes what is written to it.
static const int px_takes_waiting = 0;     // a write waits in the system, until it is done or a signal comes
static const int px_takes_never_waits = 1; // it is non-blocking
static const int px_takes_sends = 2;       // a socket: px_send_once
int px_takes(int descriptor);

/// Waits until `descriptor` can be written, or will say why not; 0 then, and when a signal came.
int px_wait_writable(int descriptor);

/// Standard output under a new descriptor, or -errno. A pipe is opened anew and non-blocking.
int px_open_output(void);

/// A handler for SIGINT, SIGTERM and SIGHUP that keeps the first number and wakes the descriptor.
/// What was ignored when the program started stays ignored.
void px_signals_watch(int wake_descriptor);

/// The first of them that came; 0: none yet.
int px_signal_received(void);

/// Notes SIGUSR1 (and SIGINFO where there is one), a wish for a report, and SIGCONT, after which the screen is another's;
/// wakes the same descriptor.
void px_signals_watch_requests(void);

static const int px_request_report = 1;
static const int px_request_redraw = 2;

/// Those that came since the last call.
int px_signal_requests(void);
void px_signals_ignore_broken_pipe(void);
_Noreturn void px_die_by_signal(int number);

#endif
