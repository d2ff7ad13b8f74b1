#include "include/rawget.h"

// What programs that are compiled already rely on: a member that moves does not compile. Members are added at the end.
#define AT(structure, member, after) \
  _Static_assert(offsetof(structure, member) == (after), #structure "." #member " has moved")
enum { word = sizeof(size_t) };
#define ALIGNED(bytes) (((bytes) + _Alignof(int64_t) - 1) / _Alignof(int64_t) * _Alignof(int64_t))

AT(rawget_options, url, word);
AT(rawget_options, flags, 11 * word);
AT(rawget_options, retries, 11 * word + 12);
AT(rawget_options, connect_timeout, ALIGNED(11 * word + 16));
AT(rawget_options, length_limit, ALIGNED(11 * word + 16) + 40);
AT(rawget_progress, connections, ALIGNED(word) + 20);
AT(rawget_result, status, word);
AT(rawget_result, length, ALIGNED(word + 8));
AT(rawget_result, path, ALIGNED(word + 8) + 8 + 2 * word);
AT(rawget_result, was_here, ALIGNED(word + 8) + 8 + 3 * word + 4);
AT(rawget_event, kind, 3 * word);
AT(rawget_event, delay, ALIGNED(3 * word + 8) + 16);
AT(rawget_event, uri, ALIGNED(3 * word + 8) + 24 + word);

const char *rawget_status_name(int32_t status) {
  static const char *const names[] = {"ok",       "internal",   "usage",     "file",    "network", "tls",
                                      "auth",     "protocol",   "server",    "incomplete", "integrity", "changed",
                                      "exists",   "busy",       "nospace",   "limit",   "unsupported"};
  int32_t count = (int32_t)(sizeof names / sizeof *names);
  return names[status >= 0 && status < count ? status : RAWGET_INTERNAL];
}
