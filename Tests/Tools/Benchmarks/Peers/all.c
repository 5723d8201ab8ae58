#include "../Sources/Instruments/include/Instruments.h"
#include <stdlib.h>
#include <string.h>

#include "frames.c"
#include "replies.c"
#include "heart_rate_log.c"
#include "heart_rate_measurement.c"
#include "crc16.c"
#include "blood_oxygen.c"
