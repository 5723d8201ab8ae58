import HaloDevices

/// Connects to the nearest COLMI ring, and prints its battery level.
func readRing(over bluetooth: some BLETransport) async throws {
    let ring = try await Ring.connect(over: bluetooth, options: RingOptions(clock: .leave))
    print("ring: \(try await ring.battery())")
    await ring.disconnect()
    print("disconnected")
}
