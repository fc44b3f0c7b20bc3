// bare.c: the fastest possible server. One epoll loop moves the bytes of a turn, and does nothing else.
//
// It has no JSON parser, rules or clock. It sends the messages that the swarm (swarm.c) expects: handshake, bot
// list, game start and round start. Then it sends a fixed observation to every bot, waits for one message of each
// bot, and repeats this. The difference to a real server is the cost of everything except moving bytes.
//
//     cc -O2 -o out/bare bare.c && out/bare -p PORT [-e SCAN_EVENTS_PER_TICK]
//
// It plays one game, and ends when a bot leaves. With PORT 0, it chooses a free port. It prints its port first.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS_MAX = 2048, READ_MAX = 1 << 18, REPLY_MAX = 1 << 16 };
enum role { STRANGER, BOT, WATCHER };

struct client {
  int fd, upgraded, port, answered;
  enum role role;
  size_t length;
  char *buffer;
};

static struct client clients[CLIENTS_MAX];
static int clients_open, bots, ready, waiting, playing;
static char tick[REPLY_MAX];
static size_t tick_length;

static void fail(const char *what) { perror(what); exit(1); }

// The swarm always sends the key of the example in RFC 6455 §1.3, so this is always the right answer.
static const char UPGRADE[] =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

// Write `text` as a server's text frame (unmasked, one fragment). `out` must have room for 10 more bytes.
static size_t frame(char *out, const char *text, size_t length) {
  size_t header = 0;
  out[header++] = (char)0x81;
  if (length < 126) {
    out[header++] = (char)length;
  } else if (length < 65536) {
    out[header++] = 126; out[header++] = (char)(length >> 8); out[header++] = (char)length;
  } else {
    out[header++] = 127;
    for (int shift = 56; shift >= 0; shift -= 8) out[header++] = (char)((uint64_t)length >> shift);
  }
  memcpy(out + header, text, length);
  return header + length;
}

// The swarm always reads, so a full socket buffer becomes empty without our help.
static void put(struct client *c, const char *bytes, size_t length) {
  while (length) {
    ssize_t sent = send(c->fd, bytes, length, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (sent < 0) return;
    bytes += sent; length -= (size_t)sent;
  }
}

static void say(struct client *c, const char *text) {
  static char out[REPLY_MAX + 16];
  put(c, out, frame(out, text, strlen(text)));
}

// A realistic observation: the state of a turning bot, no bullets, and `scans` scanned bots.
static void build_tick(int scans) {
  static char text[REPLY_MAX - 16];
  int n = snprintf(text, sizeof text,
      "{\"type\":\"TickEventForBot\",\"turnNumber\":1234,\"roundNumber\":1,\"botState\":{\"isDroid\":false,\"energy\":100.0,"
      "\"x\":412.70513942261516,\"y\":288.3160498213402,\"direction\":205.0,\"gunDirection\":85.0,"
      "\"radarDirection\":330.0,\"radarSweep\":55.0,\"speed\":0.0,\"turnRate\":5.0,\"gunTurnRate\":5.0,"
      "\"radarTurnRate\":45.0,\"gunHeat\":0.0,\"enemyCount\":9,\"isDebuggingEnabled\":false},\"bulletStates\":[],\"events\":[");
  for (int i = 0; i < scans && n < (int)sizeof text - 300; i++)
    n += snprintf(text + n, sizeof text - (size_t)n,
        "%s{\"type\":\"ScannedBotEvent\",\"turnNumber\":1234,\"scannedByBotId\":1,\"scannedBotId\":%d,\"energy\":100.0,"
        "\"x\":126.83016473215091,\"y\":579.1170344201337,\"direction\":205.0,\"speed\":0.0}", i ? "," : "", i + 2);
  n += snprintf(text + n, sizeof text - (size_t)n, "]}");
  tick_length = frame(tick, text, (size_t)n);
}

static void play_turn(void) {
  waiting = 0;
  for (int i = 0; i < CLIENTS_MAX; i++)
    if (clients[i].role == BOT) { clients[i].answered = 0; put(&clients[i], tick, tick_length); waiting++; }
}

static void list_bots(struct client *to) {
  static char text[REPLY_MAX];
  int n = sprintf(text, "{\"type\":\"BotListUpdate\",\"bots\":["), listed = 0;
  for (int i = 0; i < CLIENTS_MAX && n < REPLY_MAX - 200; i++)
    if (clients[i].role == BOT)
      n += sprintf(text + n, "%s{\"name\":\"b\",\"version\":\"1\",\"host\":\"127.0.0.1\",\"port\":%d}", listed++ ? "," : "", clients[i].port);
  sprintf(text + n, "]}");
  say(to, text);
}

static void start_game(void) {
  for (int i = 0, id = 1; i < CLIENTS_MAX; i++) {
    char text[200];
    if (clients[i].role == WATCHER) say(&clients[i], "{\"type\":\"GameStartedEventForObserver\",\"participants\":[]}");
    if (clients[i].role != BOT) continue;
    snprintf(text, sizeof text, "{\"type\":\"GameStartedEventForBot\",\"myId\":%d,\"teammateIds\":[],\"gameSetup\":{}}", id++);
    say(&clients[i], text);
  }
}

static void start_round(void) {
  for (int i = 0; i < CLIENTS_MAX; i++)
    if (clients[i].role != STRANGER) say(&clients[i], "{\"type\":\"RoundStartedEvent\",\"roundNumber\":1}");
  playing = 1;
  play_turn();
}

static int is(const char *text, size_t length, const char *word) { return memmem(text, length, word, strlen(word)) != NULL; }

static void hear(struct client *c, const char *text, size_t length) {
  if (playing && c->role == BOT) {
    if (!c->answered) { c->answered = 1; if (--waiting == 0) play_turn(); }
  } else if (is(text, length, "\"BotHandshake\"")) {
    c->role = BOT; bots++;
  } else if (is(text, length, "\"BotReady\"")) {
    if (++ready == bots) start_round();
  } else if (is(text, length, "\"StartGame\"")) {
    start_game();
  } else if (is(text, length, "\"ControllerHandshake\"") || is(text, length, "\"ObserverHandshake\"")) {
    c->role = WATCHER; list_bots(c);
  }
}

static void leave(struct client *c) {
  close(c->fd);
  clients_open--;
  if (c->role == BOT) exit(0);
  c->role = STRANGER; c->fd = -1;
}

// Unmask and handle the whole frames at the start of the buffer. Return the number of bytes used.
static size_t unwrap(struct client *c) {
  size_t at = 0;
  while (c->length - at >= 6) {
    unsigned char *head = (unsigned char *)c->buffer + at;
    uint64_t size = head[1] & 127;
    size_t header = 2;
    if (size == 126) { size = (uint64_t)head[2] << 8 | head[3]; header = 4; }
    else if (size == 127) { size = 0; header = 10; if (c->length - at < 14) break; for (int i = 0; i < 8; i++) size = size << 8 | head[2 + i]; }
    if (c->length - at < header + 4 + size) break;
    unsigned char *mask = head + header, *body = mask + 4;
    for (uint64_t i = 0; i < size; i++) body[i] ^= mask[i & 3];
    if ((head[0] & 15) == 1) hear(c, (char *)body, size);
    at += header + 4 + size;
  }
  return at;
}

static void receive(struct client *c) {
  ssize_t got = recv(c->fd, c->buffer + c->length, READ_MAX - c->length, 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) { leave(c); return; }
  c->length += (size_t)got;
  if (!c->upgraded) {
    char *end = memmem(c->buffer, c->length, "\r\n\r\n", 4);
    if (!end) return;
    c->upgraded = 1; c->length = 0;
    put(c, UPGRADE, sizeof UPGRADE - 1);
    say(c, "{\"type\":\"ServerHandshake\",\"sessionId\":\"bare\",\"name\":\"bare\",\"variant\":\"Tank Royale\",\"version\":\"1\",\"gameTypes\":[\"custom\"]}");
    return;
  }
  size_t used = unwrap(c);
  memmove(c->buffer, c->buffer + used, c->length - used);
  c->length -= used;
}

static void welcome(int listener, int poll) {
  struct sockaddr_in from; socklen_t size = sizeof from; int one = 1, i = 0;
  int fd = accept4(listener, (void *)&from, &size, SOCK_NONBLOCK);
  if (fd < 0) return;
  while (i < CLIENTS_MAX && clients[i].buffer && clients[i].fd >= 0) i++;
  if (i == CLIENTS_MAX) { close(fd); return; }
  char *buffer = clients[i].buffer ? clients[i].buffer : malloc(READ_MAX);
  clients[i] = (struct client){.fd = fd, .port = ntohs(from.sin_port), .buffer = buffer};
  clients_open++;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = &clients[i]};
  epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
}

int main(int argc, char **argv) {
  int port = 0, scans = 1, option, one = 1;
  while ((option = getopt(argc, argv, "p:e:")) > 0) {
    if (option == 'p') port = atoi(optarg);
    else if (option == 'e') scans = atoi(optarg);
    else return 2;
  }
  build_tick(scans);
  int listener = socket(AF_INET, SOCK_STREAM, 0), poll = epoll_create1(0);
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof here;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listener, (void *)&here, sizeof here) || listen(listener, 1024)) fail("bind");
  getsockname(listener, (void *)&here, &size);
  printf("%d\n", ntohs(here.sin_port)); fflush(stdout);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, events[256];
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
  for (;;) {
    int count = epoll_wait(poll, events, 256, -1);
    for (int i = 0; i < count; i++) {
      if (events[i].data.ptr == NULL) welcome(listener, poll);
      else receive(events[i].data.ptr);
    }
  }
}
