/* Buffers of columns.
 *
 * Memory that is new costs more than what is written to it: the system clears each page, and threads
 * wait for each other to get it. So some of what is given back is kept, to be used again; and large
 * pages are asked for, where the system has them.
 */

#ifndef URIVERSE_MEMORY_H
#define URIVERSE_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#define HEAD 64                       /* before a buffer stands its size; Arrow wants it aligned */
#define LEAST_KEPT ((size_t)1 << 16)  /* of what is smaller, malloc keeps enough */
#define MOST_KEPT ((size_t)1 << 25)   /* of all together */
#define PLACES_KEPT 64
#define LARGE ((size_t)1 << 22)

static struct {
    char busy;
    int count;
    size_t octets;
    unsigned char *buffers[PLACES_KEPT];
} kept;

/* Nobody waits: who finds it busy goes to malloc. So a process that was forked meanwhile goes on. */
#if defined(__GNUC__)
#define ENTER(lock) (!__atomic_test_and_set(lock, __ATOMIC_ACQUIRE))
#define LEAVE(lock) __atomic_clear(lock, __ATOMIC_RELEASE)
#else
#define ENTER(lock) 0
#define LEAVE(lock) ((void)0)
#endif

static inline size_t room_size(const void *buffer)
{
    size_t size;
    memcpy(&size, (const unsigned char *)buffer - HEAD, sizeof size);
    return size;
}

/* A buffer of that size, or up to a quarter more, so that it fits what is alike; NULL without memory. */
static void *room_new(size_t size)
{
    size_t step = LEAST_KEPT >> 2;
    unsigned char *found = NULL;
    while (step << 3 <= size)
        step <<= 1;
    if (size >= LEAST_KEPT) {
        size = (size + step - 1) / step * step;
        if (ENTER(&kept.busy)) {
            for (int k = kept.count - 1; k >= 0; k--)
                if (room_size(kept.buffers[k]) == size) {
                    found = kept.buffers[k];
                    kept.buffers[k] = kept.buffers[--kept.count];
                    kept.octets -= size;
                    break;
                }
            LEAVE(&kept.busy);
        }
        if (found)
            return found;
    }
    found = (unsigned char *)malloc(size + HEAD);
    if (!found)
        return NULL;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (size >= LARGE) {
        const uintptr_t page = 4096, start = ((uintptr_t)found + page - 1) & ~(page - 1);
        madvise((void *)start, ((uintptr_t)found + size + HEAD - start) & ~(page - 1), MADV_HUGEPAGE);
    }
#endif
    memcpy(found, &size, sizeof size);
    return found + HEAD;
}

static void room_free(void *buffer)
{
    if (!buffer)
        return;
    const size_t size = room_size(buffer);
    if (size >= LEAST_KEPT && ENTER(&kept.busy)) {
        const int keep = kept.count < PLACES_KEPT && kept.octets + size <= MOST_KEPT;
        if (keep) {
            kept.buffers[kept.count++] = (unsigned char *)buffer;
            kept.octets += size;
        }
        LEAVE(&kept.busy);
        if (keep)
            return;
    }
    free((unsigned char *)buffer - HEAD);
}

/* A larger buffer with what has been used of the old one, which is there no more then. */
static void *room_grown(void *old, size_t used, size_t size)
{
    if (old && room_size(old) >= size)
        return old;
    void *grown = room_new(size);
    if (grown && old) {
        memcpy(grown, old, used);
        room_free(old);
    }
    return grown;
}

/* What has been used of a buffer, in one that it does not leave half empty. */
static void *room_fitted(void *buffer, size_t used)
{
    void *fitted;
    if (buffer && room_size(buffer) < 2 * used + HEAD)
        return buffer;
    fitted = room_new(used);
    if (fitted && buffer) {
        memcpy(fitted, buffer, used);
        room_free(buffer);
    }
    return fitted;
}

static void *room_zeroed(size_t size)
{
    void *buffer = room_new(size);
    if (buffer)
        memset(buffer, 0, size);
    return buffer;
}

#endif
