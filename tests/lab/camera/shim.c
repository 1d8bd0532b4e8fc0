/* For LD_PRELOAD, in the camera lab only: anonymous memory stands in for the DMA heaps that a plain kernel lacks, and
 * one more file for a USB camera (v4l.c).
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
#include <sys/select.h>
#include <unistd.h>

#define MOST_FILES 1024
static char is_heap[MOST_FILES], is_camera[MOST_FILES];
int v4l_open(const char *path);
int v4l_ioctl(int fd, unsigned long request, void *told);
int v4l_waits_in_vain(const struct timeval *limit);

/* Looked up once, before anybody runs: dlsym takes a lock that a loading library may hold while it waits for us. */
static int (*next_open)(const char *, int, ...);
static int (*next_open64)(const char *, int, ...);
static int (*next_ioctl)(int, unsigned long, ...);
static int (*next_close)(int);
static int (*next_select)(int, fd_set *, fd_set *, fd_set *, struct timeval *);

__attribute__((constructor)) static void look_up(void) {
    next_open = dlsym(RTLD_NEXT, "open");
    next_open64 = dlsym(RTLD_NEXT, "open64");
    next_ioctl = dlsym(RTLD_NEXT, "ioctl");
    next_close = dlsym(RTLD_NEXT, "close");
    next_select = dlsym(RTLD_NEXT, "select");
}

static int opened_ours(const char *path) {
    int camera = v4l_open(path);
    if (camera >= 0 && camera < MOST_FILES) is_camera[camera] = 1;
    if (camera >= 0) return camera;
    if (!path || strncmp(path, "/dev/dma_heap/", 14)) return -1;
    int fd = memfd_create("heap", MFD_CLOEXEC);
    if (fd >= 0 && fd < MOST_FILES) is_heap[fd] = 1;
    return fd;
}

#define OPENS(name)                                                 \
    int name(const char *path, int flags, ...) {                    \
        int ours = opened_ours(path);                               \
        if (ours >= 0) return ours;                                 \
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
    if (fd >= 0 && fd < MOST_FILES && is_camera[fd]) return v4l_ioctl(fd, request, told);
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
    if (fd >= 0 && fd < MOST_FILES) is_heap[fd] = is_camera[fd] = 0;
    if (!next_close) look_up();
    return next_close(fd);
}

int select(int count, fd_set *reads, fd_set *writes, fd_set *faults, struct timeval *limit) {
    for (int fd = 0; reads && fd < count && fd < MOST_FILES; fd++)
        if (FD_ISSET(fd, reads) && is_camera[fd] && v4l_waits_in_vain(limit)) return 0;
    if (!next_select) look_up();
    return next_select(count, reads, writes, faults, limit);
}
