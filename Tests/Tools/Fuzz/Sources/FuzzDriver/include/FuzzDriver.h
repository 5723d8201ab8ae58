#pragma once
#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer where it is linked in (`swift build --sanitize=fuzzer`); otherwise checks with
/// each file given as an argument. Answers with the exit status of the process.
int fuzz_drive(int argc, char **argv);

/// Prints why, and aborts.
_Noreturn void fuzz_fail(const char *why);

/// Writes a seed for a target to the folder that the environment calls HALO_SEEDS; the file is
/// named after its content.
void fuzz_write_seed(const char *target, const uint8_t *bytes, size_t length);
