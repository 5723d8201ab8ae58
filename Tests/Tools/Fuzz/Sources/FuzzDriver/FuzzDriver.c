#include "FuzzDriver.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/// Each executable defines it; libFuzzer calls it by this name.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

// libFuzzer has a `main` of its own, and which of the two the linker takes is its affair: the
// checks run from either. On Apple systems there is no libFuzzer, and no such weak symbol.
#ifndef __APPLE__
__attribute__((weak)) int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*test)(const uint8_t *, size_t));
#endif

/// The file in just as many bytes as it has, so that a sanitizer sees a read past the end.
static uint8_t *contents(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    size_t capacity = 4096;
    uint8_t *bytes = malloc(capacity);
    *length = 0;
    while (bytes) {
        *length += fread(bytes + *length, 1, capacity - *length, file);
        if (*length < capacity) break;
        capacity *= 2;
        bytes = realloc(bytes, capacity);
    }
    fclose(file);
    return bytes ? realloc(bytes, *length > 0 ? *length : 1) : NULL;
}

int fuzz_drive(int argc, char **argv) {
#ifndef __APPLE__
    if (LLVMFuzzerRunDriver) return LLVMFuzzerRunDriver(&argc, &argv, LLVMFuzzerTestOneInput);
#endif
    int status = 0;
    for (int index = 1; index < argc; index++) {
        if (argv[index][0] == '-') continue;
        size_t length = 0;
        uint8_t *bytes = contents(argv[index], &length);
        if (!bytes) {
            perror(argv[index]);
            status = 1;
            continue;
        }
        fprintf(stderr, "%s: %zu bytes\n", argv[index], length);
        LLVMFuzzerTestOneInput(bytes, length);
        free(bytes);
    }
    return status;
}

void fuzz_fail(const char *why) {
    fprintf(stderr, "\n%s\n", why);
    abort();
}

void fuzz_write_seed(const char *target, const uint8_t *bytes, size_t length) {
    const char *folder = getenv("HALO_SEEDS");
    char path[4096];
    uint64_t hash = 0xCBF29CE484222325u;
    if (!folder) return;
    for (size_t index = 0; index < length; index++) {
        hash = (hash ^ bytes[index]) * 0x100000001B3u;
    }
    snprintf(path, sizeof path, "%s/%s", folder, target);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%016llx", folder, target, (unsigned long long)hash);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length) fuzz_fail(path);
    fclose(file);
}
