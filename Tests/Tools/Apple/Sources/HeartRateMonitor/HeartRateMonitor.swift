import HaloCoreBluetooth
import HaloDevices
import HaloProtocol

/// A heart-rate monitor: it shows the body sensor location and three heart rates of the first strap
/// that it finds, disconnects, and scans again.
func runHeartRateMonitor() async throws {
    let bluetooth = CoreBluetoothTransport()
    let strap = try await HeartRateSensor.connect(over: bluetooth)
    print(try await strap.location()?.label ?? "unknown")
    var count = 0
    for try await measurement in strap.measurements {
        print("\(measurement.beatsPerMinute) bpm")
        count += 1
        if count == 3 { break }
    }
    await strap.disconnect()
    print("disconnected")
    _ = try await HeartRateSensor.find(over: bluetooth)
    print("found again")
}
