#include "include/PeersO3.h"
#define PEER(name) name##_o3
#include "../../Peers/all.c"
