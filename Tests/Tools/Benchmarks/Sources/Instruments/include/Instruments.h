#ifndef BENCHMARKS_INSTRUMENTS_H
#define BENCHMARKS_INSTRUMENTS_H
#include <stddef.h>
#include <stdint.h>
#include "Results.h"

#pragma clang assume_nonnull begin

/// How often memory was asked for since the process began, by anyone in it.
int64_t allocation_count(void);

/// Takes a result: the compiler must assume that every byte of it is read.
void benchmark_sink(const void * bytes, ptrdiff_t count);

/// From now on the sink reads what it is given, and adds it to a digest.
void benchmark_sink_begin_digest(void);

/// The digest of what the sink was given since then; it stops reading.
uint64_t benchmark_sink_end_digest(void);

#pragma clang assume_nonnull end

#endif
