#include "include/px_cancellation.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct px_cancellation {
  atomic_bool is_requested;
  pthread_mutex_t lock;
};

px_cancellation *px_cancellation_create(void) {
  px_cancellation *made = malloc(sizeof *made);
  if (!made || pthread_mutex_init(&made->lock, NULL) != 0) abort();
  atomic_init(&made->is_requested, false);
  return made;
}

void px_cancellation_destroy(px_cancellation *cancellation) {
  (void)pthread_mutex_destroy(&cancellation->lock);
  free(cancellation);
}

void px_cancellation_request(px_cancellation *cancellation) {
  atomic_store_explicit(&cancellation->is_requested, true, memory_order_release);
}

bool px_cancellation_is_requested(const px_cancellation *cancellation) {
  return atomic_load_explicit(&cancellation->is_requested, memory_order_acquire);
}

void px_cancellation_lock(px_cancellation *cancellation) { (void)pthread_mutex_lock(&cancellation->lock); }
void px_cancellation_unlock(px_cancellation *cancellation) { (void)pthread_mutex_unlock(&cancellation->lock); }
