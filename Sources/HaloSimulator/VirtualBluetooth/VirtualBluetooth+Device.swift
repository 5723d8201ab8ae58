public import HaloTransport

extension VirtualBluetooth {
    /// An air with one central and one device.
    public convenience init(_ device: some GATTPeripheral, seed: UInt64 = 0) {
        self.init(seed: seed)
        add(device)
    }

    /// An air with one central and one device that was recorded; what a clock on the wall shows
    /// is what it showed when the recording began, if that is known.
    public convenience init(_ device: ReplayDevice, seed: UInt64 = 0) {
        let clock = device.recordedClock
        self.init(
            seed: seed, startingAt: clock?.local ?? VirtualBluetooth.defaultStart,
            secondsFromUTC: clock?.secondsFromUTC ?? 0)
        add(device)
    }
}
