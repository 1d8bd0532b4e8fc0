/* A USB camera of the kernel's Video4Linux, pretended: it plays JPEG files as motion JPEG. In the camera lab only.
 *
 * The node V4L_NODE, once opened through shim.c, is a memory file that answers a camera's ioctls. V4L_FAULT, which may
 * change while it runs, says how it fails: hang (a call never returns), gone (the node disappears), stall (no picture
 * comes any more), frozen (the same picture with new times), repeats (the same with the same time), busy (it is taken). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define BUFFERS 4
#define LENGTH (1 << 20)
#define CONTROLS 9
static struct v4l2_pix_format format = {.width = 640, .height = 480, .pixelformat = V4L2_PIX_FMT_MJPEG};
static struct v4l2_fract frame_time = {1, 30};
static struct {
    uint32_t id;
    int32_t value;
} controls[CONTROLS] = {
    {V4L2_CID_AUTO_WHITE_BALANCE, 1},     {V4L2_CID_WHITE_BALANCE_TEMPERATURE, 4600}, {V4L2_CID_POWER_LINE_FREQUENCY, 0},
    {V4L2_CID_GAIN, 10},                  {V4L2_CID_EXPOSURE_AUTO, 3},                {V4L2_CID_EXPOSURE_ABSOLUTE, 157},
    {V4L2_CID_EXPOSURE_AUTO_PRIORITY, 1}, {V4L2_CID_FOCUS_ABSOLUTE, 40},              {V4L2_CID_FOCUS_AUTO, 1},
};
static uint32_t queue[BUFFERS], queued, shown;
static struct timespec due;

static int is_fault(const char *name) {
    const char *told = getenv("V4L_FAULT");
    return told && !strcmp(told, name);
}

static int fail(int why) {
    errno = why;
    return -1;
}

/* A file descriptor for the camera's node; -1 with errno 0 where the path is another. */
int v4l_open(const char *path) {
    const char *node = getenv("V4L_NODE");
    errno = 0;
    if (!node || !path || strcmp(path, node) || access(node, F_OK)) return -1;
    return memfd_create("camera", MFD_CLOEXEC);
}

/* The next picture into buffer `index`, at its time; its length. */
static uint32_t expose(int fd, uint32_t index, struct timeval *stamp) {
    static char jpeg[LENGTH];
    static uint32_t length;
    static struct timeval last;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long apart = 1000000000L / (long)frame_time.denominator * (long)frame_time.numerator;
    due = now;
    due.tv_nsec += apart;
    due.tv_sec += due.tv_nsec / 1000000000L;
    due.tv_nsec %= 1000000000L;
    if (!is_fault("repeats")) last = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    if (!length || (!is_fault("frozen") && !is_fault("repeats"))) {
        char path[256];
        for (int tries = 0; tries < 2; tries++) {
            snprintf(path, sizeof path, "%s/%u.jpg", getenv("V4L_FRAMES"), shown);
            FILE *file = fopen(path, "rb");
            if (file) {
                length = (uint32_t)fread(jpeg, 1, sizeof jpeg, file);
                fclose(file);
                shown++;
                break;
            }
            shown = 0;
        }
    }
    *stamp = last;
    return pwrite(fd, jpeg, length, (off_t)index * LENGTH) == (ssize_t)length ? length : 0;
}

static int dequeue(int fd, struct v4l2_buffer *buffer) {
    if (is_fault("hang")) for (;;) pause();
    if (is_fault("gone")) {
        unlink(getenv("V4L_NODE"));
        return fail(ENODEV);
    }
    if (!queued || is_fault("stall")) return fail(EAGAIN);
    uint32_t index = queue[0];
    memmove(queue, queue + 1, --queued * sizeof *queue);
    memset(buffer, 0, sizeof *buffer);
    buffer->type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    buffer->memory = V4L2_MEMORY_MMAP;
    buffer->index = index;
    buffer->length = LENGTH;
    buffer->m.offset = index * LENGTH;
    buffer->flags = V4L2_BUF_FLAG_MAPPED | V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    buffer->bytesused = expose(fd, index, &buffer->timestamp);
    return 0;
}

int v4l_ioctl(int fd, unsigned long request, void *told) {
    struct v4l2_buffer *buffer = told;
    switch ((uint32_t)request) {
    case VIDIOC_QUERYCAP: {
        struct v4l2_capability *able = told;
        memset(able, 0, sizeof *able);
        strcpy((char *)able->driver, "lab");
        strcpy((char *)able->card, "Lab camera");
        able->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
        able->capabilities = able->device_caps | V4L2_CAP_DEVICE_CAPS;
        return 0;
    }
    case VIDIOC_ENUMINPUT: {
        struct v4l2_input *input = told;
        if (input->index) return fail(EINVAL);
        input->type = V4L2_INPUT_TYPE_CAMERA;
        return 0;
    }
    case VIDIOC_G_INPUT: *(int *)told = 0; return 0;
    case VIDIOC_S_INPUT: return 0;
    case VIDIOC_S_FMT:
    case VIDIOC_TRY_FMT: {
        struct v4l2_pix_format wanted = ((struct v4l2_format *)told)->fmt.pix;
        int large = wanted.width * wanted.height > 640 * 480;
        wanted.width = large ? 1280 : 640; /* the nearest that it has */
        wanted.height = large ? 720 : 480;
        wanted.pixelformat = V4L2_PIX_FMT_MJPEG;
        wanted.bytesperline = 0;
        wanted.sizeimage = LENGTH;
        ((struct v4l2_format *)told)->fmt.pix = wanted;
        if ((uint32_t)request == VIDIOC_S_FMT) format = wanted;
        return 0;
    }
    case VIDIOC_G_FMT: ((struct v4l2_format *)told)->fmt.pix = format; return 0;
    case VIDIOC_S_PARM: frame_time = ((struct v4l2_streamparm *)told)->parm.capture.timeperframe; return 0;
    case VIDIOC_G_PARM: ((struct v4l2_streamparm *)told)->parm.capture.timeperframe = frame_time; return 0;
    case VIDIOC_REQBUFS: {
        struct v4l2_requestbuffers *asked = told;
        if (is_fault("busy")) return fail(EBUSY);
        if (asked->count > BUFFERS) asked->count = BUFFERS;
        queued = 0;
        return asked->count ? ftruncate(fd, (off_t)asked->count * LENGTH) : 0;
    }
    case VIDIOC_QUERYBUF:
        buffer->length = LENGTH;
        buffer->m.offset = buffer->index * LENGTH;
        return buffer->index < BUFFERS ? 0 : fail(EINVAL);
    case VIDIOC_QBUF:
        if (queued < BUFFERS) queue[queued++] = buffer->index;
        return 0;
    case VIDIOC_DQBUF: return dequeue(fd, buffer);
    case VIDIOC_STREAMON: clock_gettime(CLOCK_MONOTONIC, &due); return 0;
    case VIDIOC_STREAMOFF: queued = 0; return 0;
    case VIDIOC_G_CTRL:
    case VIDIOC_S_CTRL:
        for (int n = 0; n < CONTROLS; n++) {
            struct v4l2_control *control = told;
            if (controls[n].id != control->id) continue;
            if ((uint32_t)request == VIDIOC_S_CTRL) controls[n].value = control->value;
            else control->value = controls[n].value;
            return 0;
        }
        return fail(EINVAL);
    default: return fail(EINVAL);
    }
}

/* Whether to wait for a picture is to wait in vain; then it takes as long as `limit`. */
int v4l_waits_in_vain(const struct timeval *limit) {
    if (!is_fault("stall") && !is_fault("busy")) return 0;
    struct timespec asleep = {limit ? limit->tv_sec : 3600, limit ? limit->tv_usec * 1000 : 0};
    nanosleep(&asleep, NULL);
    return 1;
}
