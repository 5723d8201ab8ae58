#include "include/PeersO2.h"
#define PEER(name) name##_o2
#include "../../Peers/all.c"
