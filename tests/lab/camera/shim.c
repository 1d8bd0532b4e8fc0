/* For LD_PRELOAD, in the camera lab only: anonymous memory stands in for the DMA heaps that a plain kernel lacks.
 *
 * libcamera opens /dev/dma_heap/… and asks it for buffers by ioctl. Here opening a heap gives a memory file as a token,
 * and asking it for a buffer gives another memory file of the wanted length. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_FILES 1024
static char is_heap[MOST_FILES];

/* Looked up once, before anybody runs: dlsym takes a lock that a loading library may hold while it waits for us. */
static int (*next_open)(const char *, int, ...);
static int (*next_open64)(const char *, int, ...);
static int (*next_ioctl)(int, unsigned long, ...);
static int (*next_close)(int);

__attribute__((constructor)) static void look_up(void) {
    next_open = dlsym(RTLD_NEXT, "open");
    next_open64 = dlsym(RTLD_NEXT, "open64");
    next_ioctl = dlsym(RTLD_NEXT, "ioctl");
    next_close = dlsym(RTLD_NEXT, "close");
}

static int opened_heap(const char *path) {
    if (!path || strncmp(path, "/dev/dma_heap/", 14)) return -1;
    int fd = memfd_create("heap", MFD_CLOEXEC);
    if (fd >= 0 && fd < MOST_FILES) is_heap[fd] = 1;
    return fd;
}

#define OPENS(name)                                                 \
    int name(const char *path, int flags, ...) {                    \
        int heap = opened_heap(path);                               \
        if (heap >= 0) return heap;                                 \
        va_list rest;                                               \
        va_start(rest, flags);                                      \
        int mode = va_arg(rest, int);                               \
        va_end(rest);                                               \
        if (!next_##name) look_up();                                \
        return next_##name(path, flags, mode);                      \
    }
OPENS(open)
OPENS(open64)

int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *told = va_arg(rest, void *);
    va_end(rest);
    if (fd >= 0 && fd < MOST_FILES && is_heap[fd] && request == DMA_HEAP_IOCTL_ALLOC) {
        struct dma_heap_allocation_data *wanted = told;
        int buffer = memfd_create("buffer", MFD_CLOEXEC);
        if (buffer < 0 || ftruncate(buffer, (off_t)wanted->len)) return -1;
        wanted->fd = (unsigned int)buffer;
        return 0;
    }
    if (_IOC_TYPE(request) == DMA_BUF_BASE && _IOC_NR(request) <= 1) return 0; /* plain memory: nothing to keep in step */
    if (!next_ioctl) look_up();
    return next_ioctl(fd, request, told);
}

int close(int fd) {
    if (fd >= 0 && fd < MOST_FILES) is_heap[fd] = 0;
    if (!next_close) look_up();
    return next_close(fd);
}
