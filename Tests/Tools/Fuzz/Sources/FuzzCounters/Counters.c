#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// libFuzzer looks at every counter after every input, and the library has 130,000 of them: that
// is most of the time of a check that takes less than a microsecond. A target whose reach is small
// says so by defining `fuzz_is_narrow`; then a few thousand inputs are tried first,
// and libFuzzer is told only of the counters near those that moved. HALO_FUZZ_WIDE=1 undoes it.
//
// The linker is told to send the registration of counters here (--wrap).

struct pc { uintptr_t address, flags; };

__attribute__((weak)) int fuzz_is_narrow(void);
__attribute__((weak)) int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
__attribute__((weak)) void __real___sanitizer_cov_8bit_counters_init(uint8_t *, uint8_t *);
__attribute__((weak)) void __real___sanitizer_cov_pcs_init(const struct pc *, const struct pc *);

enum { block = 256, longest = 40, inputs = 4096 };

static uint8_t *counters, *counters_end;
static const struct pc *pcs;

static int is_narrow(void) { return fuzz_is_narrow && fuzz_is_narrow() && !getenv("HALO_FUZZ_WIDE"); }

void __wrap___sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end) {
    counters = start;
    counters_end = end;
    if (!is_narrow()) __real___sanitizer_cov_8bit_counters_init(start, end);
}

void __wrap___sanitizer_cov_pcs_init(const struct pc *start, const struct pc *end) {
    pcs = start;
    if (!is_narrow()) __real___sanitizer_cov_pcs_init(start, end);
}

/// Bytes by chance; of every other run of sixteen the last is the sum of the others.
static void try_inputs(void) {
    uint64_t state = 1;
    for (int input = 0; input < inputs; input++) {
        uint8_t bytes[longest], sum = 0;
        size_t length = input % 2 ? 16 : (size_t)(input / 2 % longest);
        for (size_t index = 0; index < length; index++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            bytes[index] = (uint8_t)(state >> 56);
            if (index < 15) sum += bytes[index];
        }
        if (input % 4 == 1) bytes[15] = sum;
        LLVMFuzzerTestOneInput(bytes, length);
    }
}

/// What libFuzzer calls before it counts its counters.
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    if (!is_narrow() || !counters || !pcs) return 0;
    try_inputs();
    size_t count = (size_t)(counters_end - counters);
    for (size_t start = 0; start < count; start += block) {
        size_t end = start + block < count ? start + block : count;
        int moved = 0;
        for (size_t index = start; index < end; index++) moved |= counters[index];
        if (!moved) continue;
        __real___sanitizer_cov_8bit_counters_init(counters + start, counters + end);
        __real___sanitizer_cov_pcs_init(pcs + start, pcs + end);
    }
    return 0;
}
