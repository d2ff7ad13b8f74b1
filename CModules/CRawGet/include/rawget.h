/*
 * rawget: downloads over HTTP/1.1 that come whole and right, or say why not.
 *
 * C99 and C++. docs/C-API.md is the guide; this file has what holds for each call.
 *
 *   rawget_options options = {0};
 *   options.size = sizeof options;
 *   options.url = "https://example.org/image.iso";
 *   rawget_download *download = rawget_download_create(&options);
 *   int32_t status = rawget_download_run(download);
 *   rawget_download_free(download);
 *
 * Threads. Objects are independent of each other, but for a download and the loop that it was added to. One thread at
 * a time uses a loop and its downloads; the calls marked "any thread" may be made at any time by others, from creation
 * until the object is freed, and none may be made in a signal handler. There are no callbacks. The library begins a
 * thread for one thing only, to resolve a name; it runs nothing of the caller's.
 *
 * Memory. What a caller passes is borrowed until the call returns, and copied if it is needed longer. What is given out
 * is borrowed by the caller until the time that is stated, and never freed by it, but for the two kinds of objects,
 * which have a free function each.
 *
 * Nothing is printed, no signal disposition is touched, the environment is not read. Strings end with a NUL; texts for
 * people are UTF-8 with the bytes of others made harmless; paths are bytes as the system takes them.
 *
 * Growth. Every structure begins with its size as the caller was compiled, which the caller sets before the call.
 * Members are only ever added at the end. A member that a caller does not know counts as zero, and zero means what is
 * said to be the default. A caller that is newer than the library and uses a member the library does not know gets
 * RAWGET_UNSUPPORTED. New event kinds, status values and reasons may come: pass over what is unknown.
 */
#ifndef RAWGET_H
#define RAWGET_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes only when something that was compiled against an older header could no longer run. */
#define RAWGET_ABI_VERSION 1

/* That of the library at run time: to be compared with RAWGET_ABI_VERSION where it was loaded by hand. Any thread. */
uint32_t rawget_abi_version(void);

/* Such as "0.1.0": static. Any thread. */
const char *rawget_version(void);

/* 1 where https and digests can be had (OpenSSL is loaded when they are first needed), else 0. Any thread. */
int32_t rawget_has_tls(void);

/* How something ended: the exit statuses of the command (docs/PROMISES.md). */
typedef enum rawget_status {
  RAWGET_OK = 0,          /* whole, and proven to be */
  RAWGET_INTERNAL = 1,    /* cancelled, or the system refused what the library can't do without */
  RAWGET_USAGE = 2,       /* something that was passed does not read */
  RAWGET_FILE = 3,
  RAWGET_NETWORK = 4,
  RAWGET_TLS = 5,
  RAWGET_AUTH = 6,        /* 401 or 407 */
  RAWGET_PROTOCOL = 7,
  RAWGET_SERVER = 8,      /* another 4xx or 5xx */
  RAWGET_INCOMPLETE = 9,  /* what came is kept; the same download goes on there */
  RAWGET_INTEGRITY = 10,  /* not what the digest says */
  RAWGET_CHANGED = 11,    /* not the file whose beginning is here */
  RAWGET_EXISTS = 12,
  RAWGET_BUSY = 13,       /* another process downloads to the same name */
  RAWGET_NO_SPACE = 14,
  RAWGET_LIMIT = 15,
  RAWGET_UNSUPPORTED = 16
} rawget_status;

/* The status in a word, such as "network": static; "internal" for what is unknown. Any thread. */
const char *rawget_status_name(int32_t status);

/* ---- A download ---- */

typedef struct rawget_download rawget_download;

typedef enum rawget_existing {
  RAWGET_EXISTING_FAIL = 0, /* success if it agrees with the server in size and time, else RAWGET_EXISTS */
  RAWGET_EXISTING_SKIP = 1, /* success, without a look at the server */
  RAWGET_EXISTING_RESUME = 2, /* continued, after it was compared */
  RAWGET_EXISTING_REPLACE = 3, /* replaced, once the new content is whole */
  RAWGET_EXISTING_RENAME = 4   /* left alone: the new file gets a name with a number */
} rawget_existing;

typedef enum rawget_flags {
  RAWGET_INSECURE = 1,           /* anyone may pose as the server: certificates are not verified */
  RAWGET_WAIT = 2,               /* waits for another process that downloads to the same name */
  RAWGET_CREATE_DIRECTORIES = 4, /* makes those of the destination that are missing */
  RAWGET_NO_REMOTE_TIME = 8,     /* the file does not get the time that the server says */
  RAWGET_ALLOW_DOWNGRADE = 16    /* follows a redirect from https to http */
} rawget_flags;

#define RAWGET_CONNECTIONS_AUTO (-1)
#define RAWGET_NO_RETRIES (-1)

typedef struct rawget_options {
  size_t size;                /* sizeof(rawget_options) */
  const char *url;            /* http or https; a user and a password in it are for its origin alone */
  const char *file;           /* the file to make; content goes to FILE.part until it is whole */
  const char *directory;      /* in place of `file`: the name is the server's or the URL's; neither: "." */
  void *user_data;            /* handed back in events, never looked into */
  const char *const *mirrors; /* URLs of the same file, ended by NULL; at most 32 */
  const char *const *fields;  /* "Name: value", ended by NULL; not those that the engine owns (Host, Range…) */
  const char *checksum;       /* "sha-256=HEX", sha-512, sha-1 or md5: what the content must have */
  const char *ca_file;        /* PEM, in place of the system's authorities */
  const char *proxy;          /* http://…, https://…, socks5://… or socks5h://…; NULL: none */
  const char *user_agent;     /* NULL: rawget/VERSION */
  uint32_t flags;             /* of rawget_flags */
  int32_t existing;           /* a rawget_existing: what to do where something has the name */
  int32_t connections;        /* for this one file, 1 to 32; 0: 1; RAWGET_CONNECTIONS_AUTO: as many as help */
  int32_t retries;            /* attempts without a single new byte, after the first; 0: 10; RAWGET_NO_RETRIES */
  int64_t connect_timeout;    /* ms for a name, all its addresses and the TLS handshake; 0: 30,000 */
  int64_t response_timeout;   /* ms from the request to the end of the response's head; 0: 60,000 */
  int64_t idle_timeout;       /* ms without a byte; 0: 30,000 */
  int64_t total_timeout;      /* ms for everything; 0: no bound */
  int64_t rate_limit;         /* bytes a second; 0: no limit */
  int64_t length_limit;       /* bytes that the file may have; 0: no bound */
} rawget_options;

/*
 * Never NULL, and nothing is begun: a download whose options do not read fails with RAWGET_USAGE or RAWGET_UNSUPPORTED
 * when it is run or added, and says why. To be freed by rawget_download_free. Options: borrowed.
 */
rawget_download *rawget_download_create(const rawget_options *options);

/*
 * Ends it if it is under way (what came is kept, and nothing more is told of it), and frees it. Its loop may be gone
 * already. NULL does nothing. By the thread of its loop.
 */
void rawget_download_free(rawget_download *download);

/* Runs it to its end and returns its status. It must not have been run or added before: RAWGET_USAGE. */
int32_t rawget_download_run(rawget_download *download);

/*
 * Ends it at its next turn, keeping what is here; its reason is "cancelled" then. Before it begins, too: it ends as
 * soon as it does. One that ended stays as it is. Any thread.
 */
void rawget_download_cancel(rawget_download *download);

typedef enum rawget_phase {
  RAWGET_PHASE_CREATED = 0,
  RAWGET_PHASE_CONNECTING = 1, /* no response is known yet */
  RAWGET_PHASE_COMPARING = 2,  /* what an earlier run left is compared with the response */
  RAWGET_PHASE_RECEIVING = 3,
  RAWGET_PHASE_VERIFYING = 4,  /* what is here is read for its digest */
  RAWGET_PHASE_WAITING = 5,    /* until the next attempt */
  RAWGET_PHASE_ENDED = 6
} rawget_phase;

typedef struct rawget_progress {
  size_t size;            /* sizeof(rawget_progress) */
  int64_t kept;           /* bytes that are here, those of earlier runs included */
  int64_t complete_length; /* bytes; -1: not known, perhaps never */
  int32_t phase;          /* a rawget_phase */
  int32_t connections;    /* in use */
} rawget_progress;

/* By the thread of its loop. RAWGET_OK, or RAWGET_USAGE for a NULL or a size that is none. */
int32_t rawget_download_progress(const rawget_download *download, rawget_progress *progress);

typedef struct rawget_result {
  size_t size;            /* sizeof(rawget_result) */
  int32_t status;         /* a rawget_status */
  int32_t http_status;    /* of the response that refused it; 0: that was not why */
  int64_t length;         /* bytes: of the file; of a failure: what is kept */
  const char *reason;     /* a stable word, finer than the status (docs/EVENTS.md); "complete" for success */
  const char *message;    /* for people: what happened, what was kept; "" for success */
  const char *path;       /* the file; of a failure: where what is kept is; NULL: there is none */
  int32_t length_proven;  /* 0: the content ended with a plain connection, and nothing else says that it is whole */
  int32_t was_here;       /* 1: nothing was received, the file was here already */
} rawget_result;

/*
 * How it ended; the strings are borrowed until the download is freed. RAWGET_OK when there is a result, whatever it is;
 * RAWGET_BUSY before its end; RAWGET_USAGE for a NULL or a size that is none. By the thread of its loop.
 */
int32_t rawget_download_result(const rawget_download *download, rawget_result *result);

/* ---- Many downloads on one loop ---- */

typedef struct rawget_loop rawget_loop;

/* RAWGET_OK and a loop that is to be freed by rawget_loop_free, or RAWGET_INTERNAL: the system has no descriptor left. */
int32_t rawget_loop_create(rawget_loop **loop);

/* Cancels what is under way, keeping what came: results can be asked for afterwards. NULL does nothing. */
void rawget_loop_free(rawget_loop *loop);

/*
 * Takes the download into the loop's hands until an event says that it has ended: exactly one does, unless download
 * or loop are freed before. Both stay the caller's. RAWGET_USAGE when it was run or added before.
 */
int32_t rawget_loop_add(rawget_loop *loop, rawget_download *download);

/* Ends a wait: the next event is RAWGET_EVENT_WOKEN. Several calls may be one event. Any thread. */
void rawget_loop_wake(rawget_loop *loop);

typedef enum rawget_event_kind {
  RAWGET_EVENT_NONE = 0,        /* nothing to tell at present */
  RAWGET_EVENT_WOKEN = 1,       /* by rawget_loop_wake, or because another thread cancelled a download */
  RAWGET_EVENT_FINISHED = 2,    /* the loop has let go of it: rawget_download_result says how */
  RAWGET_EVENT_BEGAN = 3,       /* a response was accepted: its content is kept from here on */
  RAWGET_EVENT_INTERRUPTED = 4, /* for this `reason`; the next attempt follows after `delay` */
  RAWGET_EVENT_REDIRECTED = 5,  /* to `uri` */
  RAWGET_EVENT_MIRRORED = 6,    /* a place was given up for this `reason`; the next attempt begins at `uri` */
  RAWGET_EVENT_FOUND = 7,       /* `kept` bytes of an earlier run are here, to be continued */
  RAWGET_EVENT_REPLACED = 8,    /* the server has another file: a new one begins with the first `kept` bytes */
  RAWGET_EVENT_JOINED = 9,      /* the mirror at `uri` brings blocks as well */
  RAWGET_EVENT_LEFT = 10        /* that mirror was given up for this `reason`; the others go on */
} rawget_event_kind;

typedef struct rawget_event {
  size_t size;               /* sizeof(rawget_event) */
  rawget_download *download; /* the caller's own; NULL where it is about none */
  void *user_data;           /* of its options */
  int32_t kind;              /* a rawget_event_kind */
  int32_t status;            /* FINISHED: how; INTERRUPTED, MIRRORED, LEFT: what it would be if that were the end */
  int64_t kept;              /* bytes that are here */
  int64_t complete_length;   /* bytes; -1: not known */
  int64_t delay;             /* ms */
  const char *reason;        /* a stable word, or NULL; borrowed until the next call on the loop */
  const char *uri;           /* without userinfo, its query as `***`, or NULL; borrowed until the next call on the loop */
} rawget_event;

/*
 * Runs all downloads until there is something to tell, or for so many milliseconds (-1: without end): one event, which
 * may be RAWGET_EVENT_NONE. RAWGET_OK, RAWGET_USAGE, or RAWGET_INTERNAL when the system fails; then only
 * rawget_loop_free is left to do.
 */
int32_t rawget_loop_run(rawget_loop *loop, int64_t milliseconds, rawget_event *event);

/*
 * In a loop of the caller's own: when the descriptor is readable or the timeout has passed, advance is called until its
 * event is RAWGET_EVENT_NONE. Asked again after each such turn, and after add, cancel and free: the timeout changes.
 */

/* To watch for reading (level-triggered), never to read, write or close; -1 where the system has none (not Linux). */
int32_t rawget_loop_descriptor(const rawget_loop *loop);

/* Milliseconds, rounded up, until something is due without the descriptor; 0: now; -1: never. */
int64_t rawget_loop_timeout(const rawget_loop *loop);

/* As rawget_loop_run with 0 milliseconds, but one turn alone: it never waits. */
int32_t rawget_loop_advance(rawget_loop *loop, rawget_event *event);

#ifdef __cplusplus
}
#endif

#endif
