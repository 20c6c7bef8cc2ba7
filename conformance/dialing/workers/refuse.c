/* Record the hosts that a program looks up and the addresses to which it connects, and refuse both.
 *
 * LD_PRELOAD loads this library. It writes a line for each event to the file DIALING_LOG:
 *
 *     lookup HEX        the program asks the resolver for this host
 *     connect IP PORT   the program connects to this address
 *
 * The system's resolver still reads numeric hosts and the port. The address of any other name is a
 * loopback address, and every connection is refused.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void report(const char *line, size_t length) {
  const char *path = getenv("DIALING_LOG");
  int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (file < 0) abort();
  if (write(file, line, length) != (ssize_t)length) abort();
  close(file);
}

static void report_lookup(const char *host) {
  size_t length = strlen(host);
  char *line = malloc(2 * length + 10);
  if (!line) abort();
  char *end = line + sprintf(line, "lookup ");
  for (size_t i = 0; i < length; i++) end += sprintf(end, "%02x", (unsigned char)host[i]);
  *end++ = '\n';
  report(line, (size_t)(end - line));
  free(line);
}

typedef int (*Resolve)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints,
                struct addrinfo **found) {
  Resolve resolve = (Resolve)dlsym(RTLD_NEXT, "getaddrinfo");
  struct addrinfo numeric = {0};
  if (hints) {
    numeric.ai_family = hints->ai_family;
    numeric.ai_socktype = hints->ai_socktype;
    numeric.ai_protocol = hints->ai_protocol;
    numeric.ai_flags = hints->ai_flags & ~AI_ADDRCONFIG;
  }
  if (!host || numeric.ai_flags & AI_NUMERICHOST) return resolve(host, service, hints, found);
  numeric.ai_flags |= AI_NUMERICHOST;
  int status = resolve(host, service, &numeric, found);
  if (status == EAI_NONAME) {
    const char *loopback = numeric.ai_family == AF_INET6 ? "::1" : "127.0.0.1";
    status = resolve(loopback, service, &numeric, found);
  }
  if (!status) report_lookup(host);
  return status;
}

struct hostent *gethostbyname(const char *host) {
  static struct in_addr address;
  static char *addresses[2], *aliases[1], name[1025];
  static struct hostent answer = {name, aliases, AF_INET, sizeof address, addresses};
  if (!inet_aton(host, &address)) address.s_addr = htonl(INADDR_LOOPBACK);
  snprintf(name, sizeof name, "%s", host);
  addresses[0] = (char *)&address;
  report_lookup(host);
  return &answer;
}

int connect(int socket, const struct sockaddr *address, socklen_t length) {
  typedef int (*Connect)(int, const struct sockaddr *, socklen_t);
  char ip[INET6_ADDRSTRLEN], line[INET6_ADDRSTRLEN + 20];
  const void *octets;
  int kind = 0, port;
  socklen_t size = sizeof kind;
  if (address->sa_family == AF_INET) {
    octets = &((const struct sockaddr_in *)address)->sin_addr;
    port = ntohs(((const struct sockaddr_in *)address)->sin_port);
  } else if (address->sa_family == AF_INET6) {
    octets = &((const struct sockaddr_in6 *)address)->sin6_addr;
    port = ntohs(((const struct sockaddr_in6 *)address)->sin6_port);
  } else {
    return ((Connect)dlsym(RTLD_NEXT, "connect"))(socket, address, length);
  }
  getsockopt(socket, SOL_SOCKET, SO_TYPE, &kind, &size);
  if (kind == SOCK_STREAM && inet_ntop(address->sa_family, octets, ip, sizeof ip))
    report(line, (size_t)snprintf(line, sizeof line, "connect %s %d\n", ip, port));
  errno = ECONNREFUSED;
  return -1;
}

/* No datagram leaves the machine either, such as a question to a name server. */
ssize_t sendto(int socket, const void *data, size_t size, int flags,
               const struct sockaddr *address, socklen_t length) {
  typedef ssize_t (*Send)(int, const void *, size_t, int, const struct sockaddr *, socklen_t);
  if (address && (address->sa_family == AF_INET || address->sa_family == AF_INET6)) {
    errno = ECONNREFUSED;
    return -1;
  }
  return ((Send)dlsym(RTLD_NEXT, "sendto"))(socket, data, size, flags, address, length);
}
