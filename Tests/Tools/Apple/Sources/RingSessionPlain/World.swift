import AccessorySetupKit
import CoreBluetooth
import Foundation
import HaloProtocol
import HaloSimulator

/// The phone on which the program runs, and a ring in its reach. The wearer's heart beats at the
/// same rate within a minute: slow time leaves the program a quarter of a minute to spare.
@main
@MainActor
struct World {
    static func main() {
        let start = VirtualBluetooth.defaultStart.advanced(bySeconds: 61)
        let air = VirtualBluetooth(mode: .realTime(speed: 2), startingAt: start)
        air.add(VirtualRing(.r02, wearer: Wearer(seed: 4), days: 0))
        let phone = Phone(air: air)
        let service = CBUUID(string: "6E40FFF0-B5A3-F393-E0A9-E50E24DCCA9E")
        phone.accessories.infoPlist = .bluetooth(services: [service])
        Phone.$current.withValue(phone) {
            let manager = RingSessionManager { exit(0) }
            withExtendedLifetime(manager) { RunLoop.main.run() }
        }
    }
}
