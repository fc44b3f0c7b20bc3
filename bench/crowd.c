// crowd.c: players of a text world (telnet and WebSocket) in one thread with epoll. Each sends two commands per
// second, alternately a step (answered at the end of a turn) and "say zN" (answered immediately).
// usage: crowd -q TELNET_PORT [-p WEB_PORT] -n TELNET -w WEBSOCKETS -W WARM_S -t MEASURE_S -c PLACES
//              [-J JOIN_S]   the time in which players may log in. Only these players play
//              [-l]          all players stay in one place, and send "look" instead of a step
//              [-e]          like -l, with an Evennia, where players log in by "connect guest"
// It prints one JSON object with percentiles of the times of replies in ms. "beyond" counts from the turn's end.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CAP = 1 << 18 };
typedef struct {
  int fd, web, open, in, index, odd;
  double due, went, said;
  long seq;
  char *buf;
  size_t len;
} Conn;
typedef struct { double *v; long n, cap; } Series;

static int telnet_port, web_port, telnets, webs, places = 300, evennia, looking, dead;
static double warm = 5, measure = 10, join = 240;
static Conn *conns;
static int count, inside, ep;
static Series go_all, go_beyond, social;
static long lost_go, lost_say, bytes_in, sent;
static double seg_g, seg_w, seg_rate, zero, pinged; // `zero` is our time when the server's clock is 0
static int measuring;

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }
static void put(Series *s, double v) {
  if (s->n == s->cap) s->v = realloc(s->v, sizeof(double) * (s->cap = s->cap ? 2 * s->cap : 1024));
  s->v[s->n++] = v;
}
static int by_value(const void *a, const void *b) { double d = *(const double *)a - *(const double *)b; return (d > 0) - (d < 0); }
static double share(Series *s, double q) {
  if (!s->n) return -1;
  qsort(s->v, s->n, sizeof(double), by_value);
  return 1e3 * s->v[(long)((s->n - 1) * q)];
}
static void die(const char *what) { perror(what); exit(1); }

static void out(Conn *c, const char *p, size_t l) {
  char frame[4200];
  size_t k = 0;
  if (c->web) {
    frame[k++] = (char)(c->web == 2 ? 0x81 : 0x82);
    if (l < 126) frame[k++] = (char)(0x80 | l);
    else { frame[k++] = (char)(0x80 | 126); frame[k++] = (char)(l >> 8); frame[k++] = (char)l; }
    memset(frame + k, 0, 4); k += 4;
  }
  memcpy(frame + k, p, l);
  if (write(c->fd, frame, k + l) != (ssize_t)(k + l)) { fprintf(stderr, "short write to %d: %s\n", c->index, strerror(errno)); }
}
static void line(Conn *c, const char *text) { char b[512]; int l = snprintf(b, sizeof b, c->web ? "%s\n" : "%s\r\n", text); out(c, b, l); sent++; }

static void start(Conn *c) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(c->web ? web_port : telnet_port)};
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  c->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(c->fd, (struct sockaddr *)&a, sizeof a)) die("connect");
  int one = 1; setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  fcntl(c->fd, F_SETFL, O_NONBLOCK);
  c->buf = malloc(CAP);
  struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
  epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &e);
  if (c->web) {
    char h[512];
    int l = snprintf(h, sizeof h, "GET / HTTP/1.1\r\nHost: localhost:%d\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: gmcp.\r\n\r\n", web_port);
    if (write(c->fd, h, l) != l) die("write");
  }
}
static void name(Conn *c) {
  char b[64];
  if (evennia) { line(c, "connect guest"); return; }
  int i = c->index;
  snprintf(b, sizeof b, "%s%c%c%c", c->web ? "Web" : "Tel", 'a' + i / 676 % 26, 'a' + i / 26 % 26, 'a' + i % 26);
  line(c, b);
}
static double first_end(double t) { // when the first turn ends at or after t
  if (!seg_rate || !zero) return t;
  double wall = (t - zero) * 1e6, game = seg_g + (wall - seg_w) * seg_rate / 1e6, dt = 250000; // a turn's time in the world
  double end = dt * (long)((game + dt - 1) / dt);
  return zero + (seg_w + (end - seg_g) * 1e6 / seg_rate) / 1e6;
}
static void clocks(const char *p, size_t l) {
  const char *s = memmem(p, l, "Time.Segment {", 14);
  if (s) sscanf(s, "Time.Segment {\"g\":%lf,\"w\":%lf,\"rate\":%lf", &seg_g, &seg_w, &seg_rate);
  s = memmem(p, l, "Time.Pong {", 11);
  double n, c, r, w;
  if (s && sscanf(s, "Time.Pong {\"n\":%lf,\"c\":%lf,\"r\":%lf,\"s\":%lf", &n, &c, &r, &w) == 4) {
    double z = (pinged + now()) / 2 - (r + w) / 2e6;
    if (!zero || z < zero) zero = z; // the pong with the least delay
  }
}
static void seen(Conn *c, const char *p, size_t l, double t) {
  if (c->index == 0) clocks(p, l);
  char mark[32];
  if (!c->in) {
    if (memmem(p, l, evennia ? "Limbo" : "Place ", evennia ? 5 : 6)) {
      c->in = 1; inside++;
      if (!looking) { char b[32]; snprintf(b, sizeof b, "jump p%d", c->index % places); line(c, b); }
    }
    return;
  }
  if (c->went && memmem(p, l, evennia ? "Limbo" : "Place ", evennia ? 5 : 6)) {
    if (measuring) { put(&go_all, t - c->went); put(&go_beyond, t - first_end(c->went + 0.01)); }
    c->went = 0;
  }
  if (c->said) {
    int k = snprintf(mark, sizeof mark, "z%ld", c->seq);
    if (memmem(p, l, mark, k)) { if (measuring) put(&social, t - c->said); c->said = 0; }
  }
}
static void frames(Conn *c, double t) {
  size_t at = 0;
  while (c->len - at >= 2) {
    unsigned char *p = (unsigned char *)c->buf + at;
    size_t l = p[1] & 127, head = 2;
    if (l == 126) { if (c->len - at < 4) break; l = p[2] << 8 | p[3]; head = 4; }
    else if (l == 127) { if (c->len - at < 10) break; l = 0; for (int i = 2; i < 10; i++) l = l << 8 | p[i]; head = 10; }
    if (c->len - at < head + l) break;
    if ((p[0] & 15) == 9) { char pong[6] = {(char)0x8A, (char)0x80, 0, 0, 0, 0}; if (write(c->fd, pong, 6) != 6) die("pong"); }
    else if ((p[0] & 15) == 8) { dead++; fprintf(stderr, "closed: %.*s\n", (int)(l > 2 ? l - 2 : 0), (char *)p + head + 2); }
    else seen(c, (char *)p + head, l, t);
    at += head + l;
  }
  memmove(c->buf, c->buf + at, c->len -= at);
}
static void take(Conn *c) {
  ssize_t r = read(c->fd, c->buf + c->len, CAP - c->len);
  if (r <= 0) { if (r < 0 && errno == EAGAIN) return; epoll_ctl(ep, EPOLL_CTL_DEL, c->fd, 0); dead++; c->in = -1; return; }
  double t = now();
  bytes_in += r; c->len += r;
  if (!c->open) {
    if (c->web) {
      char *end = memmem(c->buf, c->len, "\r\n\r\n", 4);
      if (!end) return;
      if (!memmem(c->buf, c->len, " 101 ", 5)) { fprintf(stderr, "%.*s\n", (int)c->len, c->buf); exit(3); }
      size_t head = end + 4 - c->buf;
      memmove(c->buf, c->buf + head, c->len -= head);
    }
    c->open = 1;
    name(c);
  }
  if (c->web) { frames(c, t); return; }
  seen(c, c->buf, c->len, t);
  size_t keep = c->len < 40 ? c->len : 40; // the next read may complete a mark
  if (!c->went && !c->said) keep = 0;
  memmove(c->buf, c->buf + c->len - keep, keep); c->len = keep;
  for (size_t i = 0; i + 5 < keep; i++) if (!memcmp(c->buf + i, evennia ? "Limbo" : "Place ", 5)) c->buf[i] = '.';
}
static void command(Conn *c, double t) {
  static const char *ways[] = {"north", "east", "south", "west"};
  char b[64];
  c->due += 0.5;
  if ((c->odd ^= 1)) {
    if (c->went && measuring) lost_go++;
    c->went = t;
    line(c, looking ? "look" : ways[rand() % 4]);
  } else {
    if (c->said && measuring) lost_say++;
    c->seq = 100000 + (c->seq + 7919 + c->index) % 899999; c->said = t;
    snprintf(b, sizeof b, "say z%ld", c->seq); line(c, b);
  }
}
static void turn_epoll(int wait_ms) {
  struct epoll_event e[256];
  int k = epoll_wait(ep, e, 256, wait_ms);
  for (int i = 0; i < k; i++) take(e[i].data.ptr);
}
static void run(double until) {
  for (double t; (t = now()) < until;) {
    for (int i = 0; i < count; i++) if (conns[i].in > 0 && conns[i].due <= t) command(&conns[i], t);
    turn_epoll(1);
  }
}
int main(int argc, char **argv) {
  for (int o; (o = getopt(argc, argv, "p:q:n:w:W:t:c:J:el")) != -1;)
    switch (o) {
    case 'p': web_port = atoi(optarg); break;
    case 'q': telnet_port = atoi(optarg); break;
    case 'n': telnets = atoi(optarg); break;
    case 'w': webs = atoi(optarg); break;
    case 'W': warm = atof(optarg); break;
    case 't': measure = atof(optarg); break;
    case 'c': places = atoi(optarg); break;
    case 'J': join = atof(optarg); break;
    case 'l': looking = 1; break;
    case 'e': evennia = looking = 1; break;
    default: return 2;
    }
  struct rlimit lim = {8192, 8192}; setrlimit(RLIMIT_NOFILE, &lim);
  count = telnets + webs; ep = epoll_create1(0); conns = calloc(count, sizeof *conns);
  double began = now();
  for (int i = 0; i < count; i++) {
    conns[i].index = i; conns[i].web = i < webs; start(&conns[i]);
    double next = now() + (evennia ? 0.05 : 0.01);
    while (now() < next) turn_epoll(1);
    if (now() - began > join) count = i + 1;
  }
  while (inside < count - dead && now() - began < join) turn_epoll(5);
  double joined = now() - began;
  double t = now();
  for (int i = 0; i < count; i++) conns[i].due = t + (double)rand() / RAND_MAX;
  for (int i = 0; i < 8 && webs; i++) { // learn the server's clock
    char b[64]; pinged = now();
    conns[0].web = 2; int l = snprintf(b, sizeof b, "Time.Ping {\"n\":%d,\"c\":%d}", i + 1, i + 1); out(&conns[0], b, l); conns[0].web = 1;
    run(now() + warm / 8);
  }
  if (!webs) run(now() + warm);
  bytes_in = sent = 0; measuring = 1;
  fprintf(stderr, "measuring\n");
  double from = now();
  run(from + measure);
  struct rusage u; getrusage(RUSAGE_SELF, &u);
  printf("{\"inside\": %d, \"closed\": %d, \"joined_s\": %.2f, \"commands_per_s\": %.0f, \"in_mb_per_s\": %.2f, \"go\": %ld, \"say\": %ld, \"unanswered_go\": %ld, \"unanswered_say\": %ld,\n",
    inside, dead, joined, sent / measure, bytes_in / measure / 1e6, go_all.n, social.n, lost_go, lost_say);
  printf(" \"go_ms\": [%.1f, %.1f, %.1f, %.1f], \"beyond_ms\": [%.1f, %.1f, %.1f, %.1f], \"social_ms\": [%.1f, %.1f, %.1f, %.1f], \"client_cpu_s\": %.2f}\n",
    share(&go_all, 0), share(&go_all, .5), share(&go_all, .99), share(&go_all, 1), share(&go_beyond, 0), share(&go_beyond, .5), share(&go_beyond, .99), share(&go_beyond, 1),
    share(&social, 0), share(&social, .5), share(&social, .99), share(&social, 1), u.ru_utime.tv_sec + u.ru_utime.tv_usec * 1e-6 + u.ru_stime.tv_sec + u.ru_stime.tv_usec * 1e-6);
  return 0;
}
