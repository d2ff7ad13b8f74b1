// A slow network in front of a server on 127.0.0.1: a round trip, a rate, slow start, connections that break. Prints
// its port, and on SIGTERM, as JSON, what it saw. One thread; the clock decides when bytes go on, not the sockets.
//   proxy SERVER-PORT [NAME=VALUE…]
//     rtt=SECONDS    each byte is half of it under way; the first of a connection one more, for TCP's handshake
//     rate=BYTES     a second from the server, for each connection
//     link=BYTES     a second from the server, for all of them together, in pieces of 16 KiB
//     slowstart=1    a connection begins with 10 segments of 1,460 bytes a round trip and doubles that in each
//     window=1       the server sends no more than the client's window had room for, half a round trip ago
//     drop=BYTES     a connection ends after so many to the client; reset=1: by RST
//     slow=K         connection K, counted by their first bytes, has a tenth of the rate
#define _GNU_SOURCE
#include "line.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <math.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 16384, SEGMENT = 1460, UP_LIMIT = 1 << 20, EDGES = 512, EVENTS = 256 };  // bytes, but for the last two

struct edge {
  double due;
  int64_t position;
};

struct connection {
  struct connection *next;
  int client, server;
  int gone;
  long number;               // from 1, by the first byte
  struct line up, down;
  int heard, answered;       // edge-triggered: the client, the server may have something to read
  int client_full, server_full, told_server;
  double rate, tokens, filled, first;
  int64_t far, given;        // bytes the server's end has sent; the client's end was given
  struct edge edges[EDGES];  // what the server's end will know of the window
  int edge_from, edge_count;
  int64_t edge, edge_seen;
};

static struct { double rtt, rate, link, slowstart, window, drop, reset, slow; } set;
static struct { long used, most, drops; int64_t down, far; } seen;
static struct connection *all;
static long live;
static double now, next, link_tokens;
static int poller, server_port;
static volatile sig_atomic_t stopped;

static void stop(int signal) { (void)signal, stopped = 1; }

static double clock_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void wake_at(double time) {
  if (time < next) next = time;
}

static struct sockaddr_in loopback(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

static void watch(int descriptor, struct connection *connection) {
  int one = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  fcntl(descriptor, F_SETFL, O_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = connection};
  epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
}

static void accept_all(int listener) {
  for (int client; (client = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0;) {
    struct connection *connection = calloc(1, sizeof *connection);
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int room = 131072;  // bytes: or the server's whole file would wait in the kernel, on its way nowhere
    if (set.rate > 0) setsockopt(server, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    struct sockaddr_in address = loopback(server_port);
    if (connection == NULL || connect(server, (struct sockaddr *)&address, sizeof address) != 0) {
      close(client), close(server), free(connection);
      continue;
    }
    *connection = (struct connection){.next = all, .client = client, .server = server, .filled = now, .rate = set.rate};
    all = connection;
    watch(client, connection);
    watch(server, connection);
  }
}

static void lose(struct connection *connection, int with_reset) {
  struct linger now_or_never = {.l_onoff = 1};
  if (with_reset) setsockopt(connection->client, SOL_SOCKET, SO_LINGER, &now_or_never, sizeof now_or_never);
  close(connection->client), close(connection->server);
  line_clear(&connection->up), line_clear(&connection->down);
  if (connection->number) live--;
  connection->gone = 1;
}

/// From the client: a byte is half a round trip under way.
static void listen_to_client(struct connection *connection) {
  static char bytes[65536];
  while (connection->heard && connection->up.count < UP_LIMIT) {
    ssize_t count = recv(connection->client, bytes, sizeof bytes, 0);
    if (count > 0) {
      double handshake = 0;
      if (connection->number == 0) {
        connection->number = ++seen.used;
        if (++live > seen.most) seen.most = live;
        if (connection->number == (long)set.slow) connection->rate = set.rate / 10;
        handshake = set.rtt;
      }
      line_add(&connection->up, bytes, (size_t)count, now + handshake + set.rtt / 2);
    } else if (count == 0 || errno != EAGAIN) {
      connection->heard = 0;
      line_end(&connection->up, now + set.rtt / 2);
    } else {
      connection->heard = 0;
    }
  }
}

/// How far the server's end may send, as it knows by now: what was acknowledged and the window, half a round trip ago.
static int64_t room(struct connection *connection) {
  struct tcp_info info;
  socklen_t size = sizeof info;
  if (getsockopt(connection->client, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ||
      size < offsetof(struct tcp_info, tcpi_snd_wnd) + sizeof info.tcpi_snd_wnd) return INT64_MAX;
  int64_t position = (int64_t)info.tcpi_bytes_acked + info.tcpi_snd_wnd;
  if (connection->edge == 0) connection->edge = connection->edge_seen = position;  // the handshake told it
  if (position > connection->edge_seen) {
    connection->edge_seen = position;
    int full = connection->edge_count == EDGES;
    int place = (connection->edge_from + connection->edge_count - full) % EDGES;
    if (full) connection->edges[place].position = position;
    else connection->edges[place] = (struct edge){now + set.rtt / 2, position}, connection->edge_count++;
  }
  while (connection->edge_count > 0 && connection->edges[connection->edge_from].due <= now) {
    connection->edge = connection->edges[connection->edge_from].position;
    connection->edge_from = (connection->edge_from + 1) % EDGES;
    connection->edge_count--;
  }
  return connection->edge - connection->far;
}

/// Bytes a second that the connection may carry now; 0 for as many as come.
static double current_rate(const struct connection *connection) {
  if (!(set.slowstart > 0) || set.rtt <= 0 || connection->first <= 0) return connection->rate;
  double grown = 10.0 * SEGMENT * exp2(fmin((now - connection->first) / set.rtt, 40)) / set.rtt;
  if (connection->rate > 0) return fmin(grown, connection->rate);
  return grown < 1e10 ? grown : 0;
}

/// Bytes that may be taken from the server now. When there are none, the loop is woken when there will be.
static size_t allowance(struct connection *connection) {
  double rate = current_rate(connection);
  size_t held = (size_t)(connection->rate > 0 ? connection->rate * set.rtt + 262144 : 4 << 20);
  if (connection->down.count >= held) return 0;
  double allowed = PIECE;
  if (rate > 0) {
    double least = fmax(SEGMENT, fmin(rate * 0.002, PIECE));
    connection->tokens = fmin(connection->tokens + (now - connection->filled) * rate, fmax(least, rate * 0.01));
    if (connection->tokens < least) wake_at(now + (least - connection->tokens) / rate);
    allowed = connection->tokens < least ? 0 : fmin(allowed, connection->tokens);
  }
  connection->filled = now;
  if (set.link > 0 && allowed > 0 && link_tokens < allowed) {
    wake_at(now + (allowed - link_tokens) / set.link);
    return 0;
  }
  if (set.window > 0 && allowed > 0) {
    int64_t free_room = room(connection);
    if (free_room <= 0) wake_at(now + 0.001);  // a window opens without an event
    allowed = fmax(0, fmin(allowed, (double)free_room));
  }
  return (size_t)allowed;
}

static void listen_to_server(struct connection *connection) {
  static char bytes[PIECE];
  while (connection->answered && !connection->down.ended && connection->number > 0) {
    size_t allowed = allowance(connection);
    if (allowed == 0) return;
    ssize_t count = recv(connection->server, bytes, allowed, 0);
    if (count > 0) {
      if (connection->first <= 0) connection->first = now;
      connection->far += count, seen.far += count;
      connection->tokens -= (double)count, link_tokens -= (double)count;
      line_add(&connection->down, bytes, (size_t)count, now + set.rtt / 2);
    } else if (count == 0 || errno != EAGAIN) {
      line_end(&connection->down, now + set.rtt / 2);
    } else {
      connection->answered = 0;
    }
  }
}

/// Passes on what is due; the connection may be lost by it.
static void deliver(struct connection *connection) {
  if (line_give(&connection->up, connection->server, now, INT32_MAX, &connection->server_full) < 0) {
    lose(connection, 0);
    return;
  }
  int64_t limit = set.drop > 0 ? (int64_t)set.drop - connection->given : INT32_MAX;
  long given = line_give(&connection->down, connection->client, now, limit, &connection->client_full);
  if (given < 0) {
    lose(connection, 0);
    return;
  }
  connection->given += given, seen.down += given;
  if (given > 0 && connection->answered) wake_at(now);  // there may be room for more of it
  if (given == limit) {
    seen.drops++;
    lose(connection, set.reset > 0);
    return;
  }
  struct line *up = &connection->up, *down = &connection->down;
  if (down->ended && down->first == NULL && down->end <= now) lose(connection, 0);
  else if (up->ended && connection->number == 0) lose(connection, 0);
  else if (up->ended && up->first == NULL && up->end <= now && !connection->told_server) {
    shutdown(connection->server, SHUT_WR);
    connection->told_server = 1;
  }
}

static void wake_for(const struct line *line, int full) {
  if (line->first != NULL && !full) wake_at(line->first->due);
  if (line->first == NULL && line->ended && line->end > now) wake_at(line->end);
}

static void advance_all(void) {
  for (struct connection **place = &all; *place != NULL;) {
    struct connection *connection = *place;
    listen_to_client(connection);
    listen_to_server(connection);
    deliver(connection);
    if (connection->gone) {
      *place = connection->next;
      free(connection);
      continue;
    }
    wake_for(&connection->up, connection->server_full);
    wake_for(&connection->down, connection->client_full);
    place = &connection->next;
  }
}

/// Waits for an event or for the time that something is due.
static void wait_for_events(int listener) {
  double seconds = fmax(0, fmin(next - clock_now(), 1));
  struct timespec time = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
  struct epoll_event events[EVENTS];
  int count = epoll_pwait2(poller, events, EVENTS, &time, NULL);
  double last = now;
  now = clock_now();
  link_tokens = fmin(link_tokens + (now - last) * set.link, fmax(PIECE, set.link * 0.01));
  for (int index = 0; index < count; index++) {
    struct connection *connection = events[index].data.ptr;
    if (connection == NULL) accept_all(listener);
    else connection->heard = connection->answered = 1;  // which of the two it was, recv tells
  }
}

static void read_settings(int count, char **words) {
  const struct { const char *name; double *value; } known[] = {
    {"rtt", &set.rtt}, {"rate", &set.rate}, {"link", &set.link}, {"slowstart", &set.slowstart},
    {"window", &set.window}, {"drop", &set.drop}, {"reset", &set.reset}, {"slow", &set.slow}};
  for (int word = 0; word < count; word++) {
    size_t length = strcspn(words[word], "="), each = 0;
    while (each < 8 && (strlen(known[each].name) != length || memcmp(known[each].name, words[word], length))) each++;
    if (each == 8) exit(2);
    *known[each].value = atof(words[word] + length + 1);
  }
}

int main(int count, char **words) {
  if (count < 2) return 2;
  server_port = atoi(words[1]);
  read_settings(count - 2, words + 2);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  prctl(PR_SET_TIMERSLACK, 1);  // nanoseconds
  signal(SIGTERM, stop);
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  struct sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 4096) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &size) != 0) return 1;
  poller = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  now = clock_now();
  while (!stopped) {
    wait_for_events(listener);
    next = now + 1;
    advance_all();
  }
  printf("{\"used\": %ld, \"most\": %ld, \"drops\": %ld, \"down\": %lld, \"far\": %lld}\n", seen.used, seen.most,
         seen.drops, (long long)seen.down, (long long)seen.far);
  return 0;
}
