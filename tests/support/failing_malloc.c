/* A library for LD_PRELOAD that makes chosen calls of malloc, calloc and realloc of one thread fail. */

#include <errno.h>
#include <stddef.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

/* The number of calls before the first failure, or -1; and the number of calls that fail. */
static __thread long before = -1, failing;
/* Whether a call has failed since fail_after. */
static __thread int failed;
/* The ranges of addresses whose calls are counted; without any, all calls. */
static size_t first[8], last[8];
static int ranges;

void fail_after(long count, long number)
{
    failed = 0;
    failing = number;
    before = count;
}

int stop_failing(void)
{
    before = -1;
    return failed;
}

/* Only calls from these addresses are counted, and those of earlier calls of this function. */
void fail_only_for(size_t start, size_t end)
{
    first[ranges] = start;
    last[ranges++] = end;
}

static int fails(void *caller)
{
    int counted = !ranges;
    for (int k = 0; k < ranges; k++)
        counted |= (size_t)caller >= first[k] && (size_t)caller < last[k];
    if (before < 0 || !counted)
        return 0;
    if (before > 0) {
        before--;
        return 0;
    }
    if (failing <= 0) {
        before = -1;
        return 0;
    }
    failing--;
    failed = 1;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}
