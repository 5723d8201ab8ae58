import AccessorySetupKit
import CoreBluetooth
import HaloCoreBluetooth
import HaloProtocol
import HaloSimulator

/// The phone on which the program runs, and a ring in its reach. The wearer's heart beats at the
/// same rate for the whole time.
@main
@MainActor
struct World {
    static func main() async throws {
        let start = VirtualBluetooth.defaultStart.advanced(bySeconds: 75)
        let air = VirtualBluetooth(mode: .realTime(speed: 10), startingAt: start)
        air.add(VirtualRing(.r02, wearer: Wearer(seed: 4), days: 0))
        let phone = Phone(air: air)
        let entries = AccessoryDeclaration.propertyList(for: [.rings])
        phone.accessories.infoPlist = try InfoPlist(xml: "<plist><dict>\(entries)</dict></plist>")
        try await Phone.$current.withValue(phone) { try await runRingSession() }
    }
}
