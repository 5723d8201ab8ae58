import CoreBluetooth
import Foundation
import FourDevicesAir

/// The phone on which the programs run, one after the other.
@main
@MainActor
struct World {
    private static var phone = Phone()
    private static var program: NSObject?

    static func main() throws {
        phone = Phone(air: try makeAir())
        Phone.$current.withValue(phone) {
            run(Ring()) { run(Strap()) { run(Strip()) { program = BeaconScan { exit(0) } } } }
        }
        RunLoop.main.run()
    }

    private static func run(_ device: Device, then next: @escaping @MainActor () -> Void) {
        program = device
        device.onEnd = { Phone.$current.withValue(phone, operation: next) }
    }
}
