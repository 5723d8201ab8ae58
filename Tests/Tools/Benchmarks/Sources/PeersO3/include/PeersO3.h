#ifndef PEERS_O3_H
#define PEERS_O3_H
#define PEER(name) name##_o3
#include "../../../Peers/peers.h"
#undef PEER
#endif
