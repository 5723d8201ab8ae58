public import HaloTransport
