import AccessorySetupKit
import CoreBluetooth
import Foundation
import HaloCoreBluetooth
import HaloProtocol
import HaloSimulator
import Observation
import UIKit

/// The phone on which the model of `Documentation/RingsOnAnIPhone.md` runs, with a ring that goes
/// out of reach and returns. The user adds the ring, and looks at the heart rate. The app ends
/// while the ring is away; it is launched again, and the user removes the ring.
@main
@MainActor
struct World {
    static func main() async throws {
        let now = CivilDateTime(secondsSince1970: UInt32(Date().timeIntervalSince1970))
        let air = VirtualBluetooth(mode: .realTime(speed: 10), startingAt: now)
        let ring = air.add(VirtualRing(.r02, wearer: Wearer(seed: 4), days: 2))
        let phone = Phone(air: air)
        let entries = AccessoryDeclaration.propertyList(for: [.rings, .heartRateSensors])
        phone.accessories.infoPlist = try InfoPlist(xml: "<plist><dict>\(entries)</dict></plist>")
        await Phone.$current.withValue(phone) {
            let first = RingModel()
            await use(first, with: ring)
            ring.moveAway()
            await until("lost") { !first.isConnected }
            // The link's attempt is with the system by then.
            try? await air.clock.sleep(for: .seconds(90))
            phone.terminateApp()
            let second = RingModel(hasRing: true)
            await useAgain(second, with: ring)
            withExtendedLifetime(first) {}
        }
        print(phone.log.isEmpty ? "done" : "the system has logged \(phone.log)")
        exit(0)
    }

    private static func use(_ model: RingModel, with ring: Placed<VirtualRing>) async {
        Task { await model.start() }
        await until("ready") { model.isReady }
        await model.addRing(image: UIImage())
        await until("connected") { model.isConnected && model.batteryPercent == 80 }
        let measuring = Task { await model.measure() }
        await until("measured") { model.beatsPerMinute != nil }
        ring.moveAway()
        await until("lost") { !model.isConnected }
        ring.comeBack()
        await until("connected again") { model.isConnected }
        await until("measured again") { model.beatsPerMinute != nil }
        measuring.cancel()
        await measuring.value
    }

    private static func useAgain(_ model: RingModel, with ring: Placed<VirtualRing>) async {
        Task { await model.start() }
        await until("ready again") { model.isReady && model.accessory != nil }
        ring.comeBack()
        await until("connected after the launch") { model.isConnected }
        await model.removeRing()
        await until("removed") { model.accessory == nil && model.problem == nil }
    }

    /// Waits for a condition of the model.
    private static func until(_ event: String, _ condition: () -> Bool) async {
        while true {
            let (changes, report) = AsyncStream.makeStream(of: Void.self)
            if withObservationTracking(condition, onChange: { report.finish() }) { break }
            for await _ in changes {}
        }
        print(event)
    }
}
