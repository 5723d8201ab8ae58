// A read by sd-bus: `bus ADDRESS PATH COUNT` prints the median of what one took, and what each
// took of the processor, in microseconds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <systemd/sd-bus.h>

static double microseconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) {
    double d = *(const double *)a - *(const double *)b;
    return (d > 0) - (d < 0);
}

static void check(const char *what, int status) {
    if (status >= 0) return;
    fprintf(stderr, "%s: %s\n", what, strerror(-status));
    exit(3);
}

static void read_once(sd_bus *bus, const char *path) {
    sd_bus_message *reply = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    const void *bytes;
    size_t length;
    check("ReadValue", sd_bus_call_method(
        bus, "org.bluez", path, "org.bluez.GattCharacteristic1", "ReadValue", &error, &reply,
        "a{sv}", 0));
    check("value", sd_bus_message_read_array(reply, 'y', &bytes, &length));
    if (length != 16) exit(3);
    sd_bus_message_unref(reply);
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    int count = atoi(argv[3]);
    double *latencies = malloc(count * sizeof *latencies);
    sd_bus *bus = NULL;
    check("bus", sd_bus_new(&bus));
    check("address", sd_bus_set_address(bus, argv[1]));
    check("client", sd_bus_set_bus_client(bus, 1));
    check("start", sd_bus_start(bus));
    for (int i = 0; i < 100; i++) read_once(bus, argv[2]);
    double cpu = microseconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < count; i++) {
        double begun = microseconds(CLOCK_MONOTONIC);
        read_once(bus, argv[2]);
        latencies[i] = microseconds(CLOCK_MONOTONIC) - begun;
    }
    cpu = microseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    qsort(latencies, count, sizeof *latencies, compare);
    printf("%f %f\n", latencies[count / 2], cpu / count);
    return 0;
}
