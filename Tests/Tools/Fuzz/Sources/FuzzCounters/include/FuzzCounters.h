#pragma once

/// Defined by a target whose reach is small; see Counters.c.
int fuzz_is_narrow(void);
