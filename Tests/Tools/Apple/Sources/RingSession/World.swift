import AccessorySetupKit
import CoreBluetooth
import HaloCoreBluetooth
import HaloProtocol
import HaloSimulator

/// The phone on which the program runs, and a ring in its reach. The wearer's heart beats at the
/// same rate within a minute: slow time leaves the program a quarter of a minute to spare.
@main
@MainActor
struct World {
    static func main() async throws {
        let start = VirtualBluetooth.defaultStart.advanced(bySeconds: 61)
        let air = VirtualBluetooth(mode: .realTime(speed: 2), startingAt: start)
        air.add(VirtualRing(.r02, wearer: Wearer(seed: 4), days: 0))
        let phone = Phone(air: air)
        let entries = AccessoryDeclaration.propertyList(for: [.rings])
        phone.accessories.infoPlist = try InfoPlist(xml: "<plist><dict>\(entries)</dict></plist>")
        try await Phone.$current.withValue(phone) { try await runRingSession() }
    }
}
