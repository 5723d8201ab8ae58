// What the Swift runtime wants from a C library, where there is none: memory that is given out
// and never taken back, and moving and filling it.
typedef __SIZE_TYPE__ size_t;

extern unsigned char __heap_base;
static size_t used;

int posix_memalign(void **memory, size_t alignment, size_t size) {
    size_t base = (size_t)&__heap_base;
    size_t start = (base + used + alignment - 1) & ~(alignment - 1);
    size_t end = start + size;
    size_t available = __builtin_wasm_memory_size(0) * 65536;
    if (end > available) {
        size_t pages = (end - available + 65535) / 65536;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return 12;
    }
    used = end - base;
    *memory = (void *)start;
    return 0;
}

void free(void *memory) {
    (void)memory;
}

__attribute__((no_builtin)) void *memmove(void *target, const void *source, size_t count) {
    unsigned char *to = target;
    const unsigned char *from = source;
    if (to < from) {
        for (size_t index = 0; index < count; index++) to[index] = from[index];
    } else {
        for (size_t index = count; index > 0; index--) to[index - 1] = from[index - 1];
    }
    return target;
}

__attribute__((no_builtin)) void *memcpy(void *target, const void *source, size_t count) {
    return memmove(target, source, count);
}

__attribute__((no_builtin)) void *memset(void *target, int value, size_t count) {
    unsigned char *to = target;
    for (size_t index = 0; index < count; index++) to[index] = (unsigned char)value;
    return target;
}

/// Seeds hash tables; nothing here is secret.
void arc4random_buf(void *target, size_t count) {
    memset(target, 4, count);
}

int putchar(int character) {
    return character;
}

size_t __stack_chk_guard = 0x5A17;

void __stack_chk_fail(void) {
    __builtin_trap();
}

// A product of 128 bits, which durations are made of: four products of 64 bits.
typedef unsigned long long word;

__int128 __multi3(__int128 left, __int128 right) {
    const word mask = 0xFFFFFFFF;
    const word a = (word)left, b = (word)right;
    const word low = (a & mask) * (b & mask);
    const word middle = (a >> 32) * (b & mask) + (low >> 32);
    const word other = (a & mask) * (b >> 32) + (middle & mask);
    const word high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32)
        + (word)(left >> 64) * b + a * (word)(right >> 64);
    return (__int128)((unsigned __int128)high << 64 | (other << 32) | (low & mask));
}
