#ifndef PX_FILE_H
#define PX_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Every call here retries EINTR but px_file_open_for_writing.

/// A directory to give to the calls below.
int px_directory_open(const uint8_t *path);

/// Makes those directories of the path that are missing, for everyone whom the umask does not keep out.
int px_make_directories(const uint8_t *path);

static const int px_kind_regular = 0;
static const int px_kind_symbolic_link = 1;
static const int px_kind_directory = 2;
static const int px_kind_other = 3;

typedef struct {
  uint64_t device;
  uint64_t inode;
  int64_t size;                  // bytes
  int64_t modification_seconds;  // since 1970
  int kind;                      // px_kind_*
} px_status;

/// What `name` is, without following a symbolic link.
int px_status_of_name(int directory, const uint8_t *name, px_status *status);
int px_status_of_descriptor(int descriptor, px_status *status);

/// What a path leads to, through symbolic links.
int px_status_of_path(const uint8_t *path, px_status *status);

/// New, for reading and appending, for this user alone (mode 0600). -EEXIST if the name is taken.
int px_file_create(int directory, const uint8_t *name);

/// New and without a name, for reading and appending, with these permission bits but for the umask's; gone when it is
/// closed. -ENOTSUP where that can't be, or where it could not get a name.
int px_file_create_nameless(int directory, uint32_t mode);

/// The first name of such a file. -EEXIST if it is taken.
int px_file_give_name(int descriptor, int directory, const uint8_t *name);

/// What is there, for reading and appending; never through a symbolic link, never waiting.
int px_file_open(int directory, const uint8_t *name);

/// What is there, for writing, through symbolic links. A FIFO waits for its reader; a signal
/// with a handler ends that wait with -EINTR. Writes to it do not wait.
int px_file_open_for_writing(int directory, const uint8_t *name);

/// -EEXIST rather than replacing.
int px_rename_without_replacing(int directory, const uint8_t *from, const uint8_t *to);
int px_rename_replacing(int directory, const uint8_t *from, const uint8_t *to);
int px_remove(int directory, const uint8_t *name);

/// What was renamed in it stays so after a power cut, on file systems that can promise that.
int px_directory_synchronize(int directory);

/// Bytes that this user may still write, or -errno.
int64_t px_free_space(int descriptor);

/// One write: the bytes taken, perhaps fewer than `count`.
ptrdiff_t px_write(int descriptor, const void *bytes, size_t count);
ptrdiff_t px_read_at(int descriptor, int64_t offset, void *bytes, size_t capacity);
int px_truncate(int descriptor, int64_t length);
int px_synchronize_data(int descriptor);
int px_synchronize(int descriptor);

/// Begins to write the content out, and does not wait: a hint.
void px_begin_synchronizing(int descriptor);
int px_set_mode(int descriptor, uint32_t mode);
int px_set_modification_time(int descriptor, int64_t seconds);

/// Sets an extended attribute; -ENOTSUP where there are none.
int px_set_attribute(int descriptor, const uint8_t *name, const void *value, size_t count);

/// 1: locked, or the file system knows no locks. 0: another open file has the lock.
int px_try_lock(int descriptor);

/// Zeroed pages, or NULL.
void *px_pages_map(size_t bytes);
void px_pages_unmap(void *pages, size_t bytes);

#endif
