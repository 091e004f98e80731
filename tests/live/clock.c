/* The clock of a process, moved by the nanoseconds that stand in the file CLOCK_OFFSET names; loaded by LD_PRELOAD. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *moved;

__attribute__((constructor)) static void find(void) {
  const char *path = getenv("CLOCK_OFFSET");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  void *page = file < 0 ? MAP_FAILED : mmap(0, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  if (page != MAP_FAILED) moved = page;
}

int clock_gettime(clockid_t which, struct timespec *at) {
  long failed = syscall(SYS_clock_gettime, which, at);
  if (!failed && moved && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) {
    int64_t all = at->tv_sec * 1000000000LL + at->tv_nsec + *moved;
    at->tv_sec = all / 1000000000LL;
    at->tv_nsec = all % 1000000000LL;
  }
  return (int)failed;
}

int gettimeofday(struct timeval *at, void *zone) {
  struct timespec now;
  (void)zone;
  int failed = clock_gettime(CLOCK_REALTIME, &now);
  if (!failed) at->tv_sec = now.tv_sec, at->tv_usec = now.tv_nsec / 1000;
  return failed;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}
