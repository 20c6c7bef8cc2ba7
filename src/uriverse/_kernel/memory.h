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

#define ALIGNMENT 64                  /* of each buffer, as Arrow recommends */
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

/* The bytes before a buffer: the block that malloc returned, and the size of the buffer. */
struct head {
    void *block;
    size_t size;
};
#define HEAD sizeof(struct head)

/* The number of buffers in use, for tests. */
static ptrdiff_t given_out;
#if defined(__GNUC__)
#define COUNT(by) ((void)__atomic_add_fetch(&given_out, by, __ATOMIC_RELAXED))
#else
#define COUNT(by) ((void)(given_out += (by)))
#endif

static inline struct head *head_of(const void *buffer)
{
    return (struct head *)((unsigned char *)buffer - HEAD);
}

static inline size_t room_size(const void *buffer)
{
    return head_of(buffer)->size;
}

/* A buffer of that size, or up to a quarter more, so that it fits what is alike; NULL without memory. */
static void *room_new(size_t size)
{
    size_t step = LEAST_KEPT >> 2;
    unsigned char *found = NULL, *block;
    if (size > SIZE_MAX >> 2) /* so that no sum below overflows */
        return NULL;
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
        if (found) {
            COUNT(1);
            return found;
        }
    }
    block = (unsigned char *)malloc(size + HEAD + ALIGNMENT);
    if (!block)
        return NULL;
    /* The first aligned address after a head; it is less than HEAD + ALIGNMENT after the block's. */
    found = (unsigned char *)(((uintptr_t)block + HEAD + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (size >= LARGE) {
        const uintptr_t page = 4096, start = ((uintptr_t)found + page - 1) & ~(page - 1);
        madvise((void *)start, ((uintptr_t)found + size - start) & ~(page - 1), MADV_HUGEPAGE);
    }
#endif
    head_of(found)->block = block;
    head_of(found)->size = size;
    COUNT(1);
    return found;
}

static void room_free(void *buffer)
{
    if (!buffer)
        return;
    COUNT(-1);
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
    free(head_of(buffer)->block);
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
    if (buffer && room_size(buffer) < 2 * used + ALIGNMENT)
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
