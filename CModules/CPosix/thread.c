#define _GNU_SOURCE
#include "include/px_thread.h"
#include <pthread.h>
#include <signal.h>

enum { stack_size = 1024 * 1024 }; // bytes; a TLS handshake needs under a quarter, the resolver with its plug-ins less

int px_thread_start(void *(*function)(void *), void *context) {
  pthread_attr_t attributes;
  int code = pthread_attr_init(&attributes);
  if (code != 0) return -code;
  (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  (void)pthread_attr_setstacksize(&attributes, stack_size);
  sigset_t all, before;
  sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  code = pthread_create(&thread, &attributes, function, context);
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  (void)pthread_attr_destroy(&attributes);
  return -code;
}
