#ifndef PX_THREAD_H
#define PX_THREAD_H

/// Runs the function on a thread of its own, which is detached and has every signal blocked: 0, or why not. The context is
/// the function's to free.
int px_thread_start(void *(*function)(void *), void *context);

#endif
