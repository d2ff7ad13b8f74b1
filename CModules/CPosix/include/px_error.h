#ifndef PX_ERROR_H
#define PX_ERROR_H

#include <errno.h>
#include <stddef.h>

// The errno values that Posix tells apart.
static const int px_EACCES = EACCES;
static const int px_EADDRNOTAVAIL = EADDRNOTAVAIL;
static const int px_EAFNOSUPPORT = EAFNOSUPPORT;
static const int px_EAGAIN = EAGAIN;
static const int px_EBADF = EBADF;
static const int px_ECONNREFUSED = ECONNREFUSED;
static const int px_ECONNRESET = ECONNRESET;
static const int px_EDQUOT = EDQUOT;
static const int px_EEXIST = EEXIST;
static const int px_EFBIG = EFBIG;
static const int px_EHOSTUNREACH = EHOSTUNREACH;
static const int px_EINTR = EINTR;
static const int px_EINVAL = EINVAL;
static const int px_EIO = EIO;
static const int px_EISDIR = EISDIR;
static const int px_ELOOP = ELOOP;
static const int px_EMFILE = EMFILE;
static const int px_ENAMETOOLONG = ENAMETOOLONG;
static const int px_ENETUNREACH = ENETUNREACH;
static const int px_ENFILE = ENFILE;
static const int px_ENOENT = ENOENT;
static const int px_ENOMEM = ENOMEM;
static const int px_ENOSPC = ENOSPC;
static const int px_ENOTSUP = ENOTSUP;
static const int px_EPERM = EPERM;
static const int px_EPIPE = EPIPE;
static const int px_EROFS = EROFS;
static const int px_ETIMEDOUT = ETIMEDOUT;
static const int px_EWOULDBLOCK = EWOULDBLOCK;

/// Writes the text of `code` with its NUL to `text`; returns its length in bytes, without the NUL.
ptrdiff_t px_error_text(int code, char *text, size_t capacity);

#endif
