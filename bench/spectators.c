// spectators.c: many spectators in one thread (epoll, no JSON parser). It counts what they receive.
// usage: spectators -p PORT -n SPECTATORS [-k HOW_MANY_NEVER_READ] [-f 1 (lines of the record) or 0 (official ticks)] -w WARM_S -t MEASURE_S (or until SIGTERM) [-s SECRET]
// With -f 1, a spectator shows 30 turns per second from its first line on. A line is late if it arrives after its turn is due.
// It prints one JSON object: frames and bytes per second of the spectators that read, gaps, closed connections.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

typedef struct { int fd, deaf, up, said, closed; char *buf; size_t len, cap; long frames, gaps, bytes, last; double began; } Conn;
static int port = 7654, n = 1000, deaf = 0, ours = 1; static double warm = 5, meas = 10; static const char *secret = "csec";
static int measuring = 0, closed = 0; static volatile sig_atomic_t over = 0; static long late_ms[1000];

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }
static void die(const char *m) { perror(m); exit(1); }
static int frame(char *o, const char *p, size_t l) { // a text frame with a zero mask
  int k = 0; o[k++] = (char)0x81;
  if (l < 126) o[k++] = (char)(0x80 | l); else { o[k++] = (char)(0x80 | 126); o[k++] = l >> 8; o[k++] = l; }
  memset(o + k, 0, 4); k += 4; memcpy(o + k, p, l); return k + l;
}
static int starts(const char *p, size_t l, const char *t) { size_t tl = strlen(t); return l >= tl && !memcmp(p, t, tl); }
static void hello(Conn *c, const char *p, size_t l, int ep) {
  char s[100], b[500], o[600]; int k = 0; const char *q = memmem(p, l, "\"sessionId\":\"", 13);
  if (!q) { fprintf(stderr, "no sessionId\n"); exit(3); }
  for (q += 13; *q != '"' && k < 90; q++) s[k++] = *q;
  s[k] = 0;
  int bl = sprintf(b, "{\"type\":\"ObserverHandshake\",\"sessionId\":\"%s\",\"name\":\"spectator\",\"version\":\"1\",\"secret\":\"%s\"%s}", s, secret, ours ? ",\"turnwright\":1,\"history\":1" : "");
  int fl = frame(o, b, bl); if (write(c->fd, o, fl) != fl) die("write"); c->said = 1;
  if (c->deaf) epoll_ctl(ep, EPOLL_CTL_DEL, c->fd, NULL);
}
static void lines(Conn *c, const char *p, size_t l) {
  double t = now(); long number = atol((const char *)memmem(p, l, "\"first\":", 8) + 8);
  const char *head = memchr(p, '\n', l);
  if (c->last && number != c->last) { fprintf(stderr, "line %ld after %ld\n", number, c->last); exit(4); }
  if (!c->began) c->began = t - number / 30.0;
  number -= memmem(p, head - p, "\"start\":", 8) != NULL; // line 0 is in front
  c->bytes += measuring ? l : 0;
  for (const char *q = head; q && ++q < p + l; q = memchr(q, '\n', p + l - q), number++) {
    double late = t - c->began - number / 30.0; int ms = late < 0 ? 0 : late < 0.999 ? (int)(1000 * late) + 1 : 999;
    if (measuring) { c->frames++; late_ms[ms]++; }
  }
  c->last = number;
}
static double late_at(double share) { long all = 0, seen = 0; for (int i = 0; i < 1000; i++) all += late_ms[i]; for (int i = 0; i < 1000; i++) if ((seen += late_ms[i]) >= share * all) return i; return 0; }
static void message(Conn *c, const char *p, size_t l, int ep) {
  if (!c->said) { hello(c, p, l, ep); return; }
  if (starts(p, l, "{\"type\":\"History\"")) { lines(c, p, l); return; }
  if (!starts(p, l, "{\"type\":\"TickEventForObserver\"")) return;
  const char *q = memmem(p, l < 120 ? l : 120, "\"turnNumber\":", 13); long number = q ? atol(q + 13) : 0;
  c->gaps += measuring && c->last && number != c->last + 1;
  c->last = number;
  if (measuring) { c->frames++; c->bytes += l; }
}
static void rd(Conn *c, int ep) {
  for (;;) {
    if (c->cap - c->len < 16384) { c->cap = c->cap ? c->cap * 2 : 32768; c->buf = realloc(c->buf, c->cap); }
    size_t want = c->cap - c->len; ssize_t r = read(c->fd, c->buf + c->len, want);
    if (r == 0 || (r < 0 && errno == ECONNRESET)) { close(c->fd); c->closed = 1; closed++; return; }
    if (r < 0) { if (errno == EAGAIN) return; if (errno == EINTR) continue; die("read"); }
    c->len += r; size_t o = 0;
    if (!c->up) { char *e = memmem(c->buf, c->len, "\r\n\r\n", 4); if (!e) continue; if (memcmp(c->buf, "HTTP/1.1 101", 12)) { fprintf(stderr, "%.*s\n", (int)c->len, c->buf); exit(5); } c->up = 1; o = e + 4 - c->buf; }
    for (;;) {
      if (c->len - o < 2) break;
      unsigned char *h = (unsigned char *)c->buf + o; size_t hl = 2; uint64_t pl = h[1] & 127;
      if (pl == 126) { if (c->len - o < 4) break; pl = h[2] << 8 | h[3]; hl = 4; }
      else if (pl == 127) { if (c->len - o < 10) break; pl = 0; for (int i = 0; i < 8; i++) pl = pl << 8 | h[2 + i]; hl = 10; }
      if (c->len - o < hl + pl) break;
      int op = h[0] & 15;
      if (op == 1) { message(c, c->buf + o + hl, pl, ep); if (c->deaf && c->said) return; }
      else if (op == 9) { char pong[140]; pong[0] = (char)0x8A; pong[1] = (char)(0x80 | pl); memset(pong + 2, 0, 4); memcpy(pong + 6, c->buf + o + hl, pl); if (write(c->fd, pong, 6 + pl) < 0) {} }
      o += hl + pl;
    }
    if (o) { memmove(c->buf, c->buf + o, c->len - o); c->len -= o; }
    if ((size_t)r < want) return;
  }
}
static void conn(Conn *c, int ep) {
  c->fd = socket(AF_INET, SOCK_STREAM, 0); int one = 1; setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)}; a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(c->fd, (void *)&a, sizeof a)) die("connect");
  char req[300]; int l = sprintf(req, "GET / HTTP/1.1\r\nHost: localhost:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", port);
  if (write(c->fd, req, l) != l) die("write");
  fcntl(c->fd, F_SETFL, O_NONBLOCK);
  struct epoll_event e = {.events = EPOLLIN, .data.ptr = c}; epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &e);
}
static double cpu(void) { struct rusage r; getrusage(RUSAGE_SELF, &r); return r.ru_utime.tv_sec + r.ru_stime.tv_sec + 1e-6 * (r.ru_utime.tv_usec + r.ru_stime.tv_usec); }
static void end(int unused) { (void)unused; over = 1; }
int main(int ac, char **av) {
  signal(SIGTERM, end);
  int o; while ((o = getopt(ac, av, "p:n:k:f:w:t:s:")) > 0) switch (o) {
    case 'p': port = atoi(optarg); break; case 'n': n = atoi(optarg); break; case 'k': deaf = atoi(optarg); break; case 'f': ours = atoi(optarg); break;
    case 'w': warm = atof(optarg); break; case 't': meas = atof(optarg); break; case 's': secret = optarg; break; default: return 1; }
  Conn *C = calloc(n, sizeof *C); int ep = epoll_create1(0), there = 0; struct epoll_event ev[256]; double t0 = now(), next = t0, m0 = 0, c0 = 0;
  for (;;) {
    double t = now();
    while (there < n && t >= next) { C[there].deaf = there < deaf; conn(&C[there++], ep); next += 0.003; if (there == n) { t0 = t; fprintf(stderr, "all %d are there\n", n); } }
    if (there == n && !measuring && t - t0 > warm) { measuring = 1; m0 = t; c0 = cpu(); }
    if (over || (measuring && t - m0 > meas)) break;
    int k = epoll_wait(ep, ev, 256, there < n ? 3 : 100); for (int i = 0; i < k; i++) rd(ev[i].data.ptr, ep);
  }
  double dt = now() - m0; long fr = 0, ga = 0, by = 0, lo = -1, hi = 0; int readers = n - deaf;
  for (int i = deaf; i < n; i++) { Conn *c = &C[i]; fr += c->frames; ga += c->gaps; by += c->bytes; if (lo < 0 || c->frames < lo) lo = c->frames; if (c->frames > hi) hi = c->frames; }
  printf("{\"readers\":%d,\"deaf\":%d,\"seconds\":%.3f,\"frames\":%ld,\"frames_s\":%.2f,\"least_s\":%.2f,\"most_s\":%.2f,\"gaps\":%ld,\"mean_bytes\":%.0f,\"mbytes_s\":%.1f,\"closed\":%d,\"late_p99_ms\":%.0f,\"cpu\":%.2f}\n",
    readers, deaf, dt, fr, fr / dt / readers, lo / dt, hi / dt, ga, fr ? (double)by / fr : 0.0, by / dt / 1e6, closed, late_at(0.99), (cpu() - c0) / dt);
  return 0;
}
