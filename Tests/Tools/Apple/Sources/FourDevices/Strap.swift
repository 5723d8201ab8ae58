import HaloDevices

/// Connects to the nearest strap, and prints one heart rate.
func readStrap(over bluetooth: some BLETransport) async throws {
    let strap = try await HeartRateSensor.connect(over: bluetooth)
    for try await measured in strap.measurements {
        print("strap: \(measured.beatsPerMinute) bpm")
        break
    }
    await strap.disconnect()
    print("disconnected")
}
