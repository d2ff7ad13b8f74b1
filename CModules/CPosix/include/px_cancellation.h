#ifndef PX_CANCELLATION_H
#define PX_CANCELLATION_H

#include <stdbool.h>

/// A request that any thread may make and one thread heeds, and a lock for what belongs to it.
typedef struct px_cancellation px_cancellation;

/// Ends the process where there is no memory left, as Swift does for its own objects.
px_cancellation *px_cancellation_create(void);
void px_cancellation_destroy(px_cancellation *cancellation);

void px_cancellation_request(px_cancellation *cancellation);
bool px_cancellation_is_requested(const px_cancellation *cancellation);

/// Held for some instructions only.
void px_cancellation_lock(px_cancellation *cancellation);
void px_cancellation_unlock(px_cancellation *cancellation);

#endif
