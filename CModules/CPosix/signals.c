#define _GNU_SOURCE
#include "include/px_poller.h"
#include "include/px_process.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

// Lock-free, so safe in a handler as sig_atomic_t is, and between threads as that is not.
static atomic_int first_number;
static atomic_int wake_descriptor = -1;
static atomic_int requests; // px_request_…

static void note_signal(int number) {
  int none = 0;
  (void)atomic_compare_exchange_strong(&first_number, &none, number);
  px_wake(atomic_load(&wake_descriptor));
}

void px_signals_watch(int descriptor) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  atomic_store(&wake_descriptor, descriptor);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct sigaction before;
    if (sigaction(numbers[i], NULL, &before) < 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction action = {.sa_handler = note_signal}; // without SA_RESTART: waits must end
    (void)sigfillset(&action.sa_mask);
    (void)sigaction(numbers[i], &action, NULL);
  }
}

static void note_request(int number) {
  (void)atomic_fetch_or(&requests, number == SIGCONT ? px_request_redraw : px_request_report);
  px_wake(atomic_load(&wake_descriptor));
}

void px_signals_watch_requests(void) {
  static const int numbers[] = {
      SIGUSR1,
      SIGCONT,
#ifdef SIGINFO
      SIGINFO,
#endif
  };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct sigaction before;
    if (sigaction(numbers[i], NULL, &before) < 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction action = {.sa_handler = note_request, .sa_flags = SA_RESTART};
    (void)sigfillset(&action.sa_mask);
    (void)sigaction(numbers[i], &action, NULL);
  }
}

int px_signal_requests(void) { return atomic_exchange(&requests, 0); }

int px_signal_received(void) { return atomic_load(&first_number); }

void px_signals_ignore_broken_pipe(void) {
  struct sigaction action = {.sa_handler = SIG_IGN};
  (void)sigemptyset(&action.sa_mask);
  (void)sigaction(SIGPIPE, &action, NULL);
  (void)sigaction(SIGXFSZ, &action, NULL);
}

void px_die_by_signal(int number) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  (void)sigemptyset(&action.sa_mask);
  (void)sigaction(number, &action, NULL);
  sigset_t only;
  (void)sigemptyset(&only);
  (void)sigaddset(&only, number);
  (void)pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  (void)raise(number);
  _exit(128 + number); // its default was not to die
}
