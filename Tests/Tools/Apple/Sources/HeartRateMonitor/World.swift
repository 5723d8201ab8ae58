import CoreBluetooth
import HaloProtocol
import HaloSimulator

/// The phone on which the program runs, and a strap in its reach.
@main
struct World {
    static func main() async throws {
        let air = VirtualBluetooth(mode: .realTime(speed: 10))
        let measurements = [
            try HeartRateMeasurement(beatsPerMinute: 72),
            try HeartRateMeasurement(beatsPerMinute: 75, width: .twoBytes),
            try HeartRateMeasurement(beatsPerMinute: 300),
        ]
        air.add(VirtualHeartRateSensor(playing: measurements))
        try await Phone.$current.withValue(Phone(air: air)) { try await runHeartRateMonitor() }
    }
}
