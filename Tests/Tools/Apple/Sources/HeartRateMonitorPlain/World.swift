import CoreBluetooth
import Foundation
import HaloProtocol
import HaloSimulator

/// The phone on which the program runs, and a strap in its reach.
@main
@MainActor
struct World {
    static func main() throws {
        let air = VirtualBluetooth(mode: .realTime(speed: 10))
        let measurements = [
            try HeartRateMeasurement(beatsPerMinute: 72),
            try HeartRateMeasurement(beatsPerMinute: 75, width: .twoBytes),
            try HeartRateMeasurement(beatsPerMinute: 300),
        ]
        air.add(VirtualHeartRateSensor(playing: measurements))
        Phone.$current.withValue(Phone(air: air)) {
            let controller = HeartRateMonitorViewController()
            controller.onEnd = { exit(0) }
            controller.viewDidLoad()
            withExtendedLifetime(controller) { RunLoop.main.run() }
        }
    }
}
