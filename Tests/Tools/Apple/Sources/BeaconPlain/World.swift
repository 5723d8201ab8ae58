import CoreBluetooth
import Foundation
import HaloSimulator

/// Two phones in one room: the beacon runs on the first, the app that finds it on the second.
@main
@MainActor
struct World {
    private static var beacon: Beacon?
    private static var finder: BeaconFinder?

    static func main() {
        let air = VirtualBluetooth(mode: .realTime(speed: 10))
        let first = Phone(air: air, named: "first")
        let second = Phone(air: air, named: "second")
        beacon = Phone.$current.withValue(first) { Beacon { find(with: second) } }
        RunLoop.main.run()
    }

    private static func find(with phone: Phone) {
        finder = Phone.$current.withValue(phone) {
            BeaconFinder {
                beacon?.stop()
                exit(0)
            }
        }
    }
}
