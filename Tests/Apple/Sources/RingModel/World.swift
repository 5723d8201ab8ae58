import AccessorySetupKit
import CoreBluetooth
import Foundation
import HaloCoreBluetooth
import HaloProtocol
import HaloSimulator
import Observation
import UIKit

/// The phone on which the model of `Documentation/iPhone.md` runs, with a ring that goes out of
/// reach and returns. The user adds the ring, looks at the heart rate, and removes the ring.
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
        try await Phone.$current.withValue(phone) { try await use(RingModel(), with: ring) }
        print(phone.log.isEmpty ? "done" : "the system has logged \(phone.log)")
        exit(0)
    }

    private static func use(_ model: RingModel, with ring: Placed<VirtualRing>) async throws {
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
