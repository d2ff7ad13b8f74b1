#ifndef CPOSIX_H
#define CPOSIX_H

// The system as Swift sees it: names that begin with px_, plain C types, nothing else. Every libc
// header that Swift cannot read, or that differs between glibc, musl and Darwin, stays in a .c file.
//
// A call that can fail returns a count or a descriptor (>= 0), or the errno negated (< 0), so that
// nobody can read errno too late. Paths and names are NUL-terminated bytes.
//
// Built and tested on Linux. The Darwin branches are kept but untested; most of what they use (poll,
// a pipe to wake by, rename by link) is compiled and tested on Linux with -DPX_PORTABLE.

#include "px_address.h"
#include "px_cancellation.h"
#include "px_error.h"
#include "px_file.h"
#include "px_input.h"
#include "px_lookup.h"
#include "px_poller.h"
#include "px_process.h"
#include "px_secret.h"
#include "px_socket.h"
#include "px_thread.h"

#endif
