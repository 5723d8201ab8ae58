#if os(Linux)
public import HaloTransport

/// The same, for who holds what `add` gave:
///
///     let ring = fake.add(VirtualRing(.r02))
///     fake.loseLink(ring)
extension FakeBlueZ {
    /// Has an adapter connect to a device by itself, which leaves a link that nobody asked for.
    public func connect(_ device: Hosted<some GATTPeripheral>, adapter number: Int = 0) {
        if let identity = device.identity { connect(identity, adapter: number) }
    }

    /// Breaks the link to a device, which stays within reach.
    public func loseLink(_ device: Hosted<some GATTPeripheral>) {
        if let identity = device.identity { loseLink(identity) }
    }

    /// Takes a device out of reach until it is brought back.
    public func setAway(_ isAway: Bool, _ device: Hosted<some GATTPeripheral>) {
        if let identity = device.identity { setAway(isAway, identity) }
    }

    /// Says how strong a device is heard from now on, in dBm.
    public func setRSSI(_ rssi: Int16, _ device: Hosted<some GATTPeripheral>) {
        if let identity = device.identity { setRSSI(rssi, identity) }
    }
}
#endif
