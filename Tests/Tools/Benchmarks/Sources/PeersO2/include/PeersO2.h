#ifndef PEERS_O2_H
#define PEERS_O2_H
#define PEER(name) name##_o2
#include "../../../Peers/peers.h"
#undef PEER
#endif
