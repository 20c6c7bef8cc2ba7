/* The buffers of columns.
 *
 * Getting new memory from the system takes longer than writing to it: the system clears each page, and
 * threads wait for each other. So some freed buffers are kept in a pool and used again. For large
 * buffers, the system is asked for huge pages if it supports them.
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
#define LEAST_KEPT ((size_t)1 << 16)  /* smaller buffers are left to malloc */
#define MOST_KEPT ((size_t)1 << 25)   /* the total size of the buffers in the pool */
#define PLACES_KEPT 64
#define LARGE ((size_t)1 << 22)

static struct {
    char busy;
    int count;
    size_t octets;
    unsigned char *buffers[PLACES_KEPT];
} kept;

/* The pool of free buffers is never waited for: if another thread is using it, malloc is called instead.
 * So a child process that was forked while the pool was in use does not hang. */
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

/* Remove a buffer from the pool, whose order is that in which the buffers were freed. */
static void forget(int k)
{
    kept.octets -= room_size(kept.buffers[k]);
    memmove(kept.buffers + k, kept.buffers + k + 1, (--kept.count - k) * sizeof(kept.buffers[0]));
}

/* Return a buffer of at least `size` bytes, or NULL if memory runs out.
 *
 * The size is rounded up by at most a quarter, so that the buffer can be reused for similar sizes. */
static void *room_new(size_t size)
{
    size_t step = LEAST_KEPT >> 2;
    unsigned char *found = NULL, *block;
    if (size > SIZE_MAX >> 2) /* so that the sums below do not overflow */
        return NULL;
    while (step << 3 <= size)
        step <<= 1;
    if (size >= LEAST_KEPT) {
        size = (size + step - 1) / step * step;
        if (ENTER(&kept.busy)) {
            for (int k = kept.count - 1; k >= 0; k--)
                if (room_size(kept.buffers[k]) == size) {
                    found = kept.buffers[k];
                    forget(k);
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
    /* The first aligned address that leaves room for the head. It is less than HEAD + ALIGNMENT bytes
     * after the start of the block, so the buffer fits. */
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
    if (size >= LEAST_KEPT && size <= MOST_KEPT && ENTER(&kept.busy)) {
        /* The buffers of recent calls have the sizes that the next calls need. */
        while (kept.count == PLACES_KEPT || kept.octets + size > MOST_KEPT) {
            void *block = head_of(kept.buffers[0])->block;
            forget(0);
            free(block);
        }
        kept.buffers[kept.count++] = (unsigned char *)buffer;
        kept.octets += size;
        LEAVE(&kept.busy);
        return;
    }
    free(head_of(buffer)->block);
}

/* Return a buffer of at least `size` bytes with the first `used` bytes of `old`, which is freed if it is
 * too small. If memory runs out, return NULL; `old` then remains. */
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

/* Return a buffer with the first `used` bytes of `buffer`. If less than half of it is used, they are
 * copied to a smaller buffer, and `buffer` is freed. */
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
