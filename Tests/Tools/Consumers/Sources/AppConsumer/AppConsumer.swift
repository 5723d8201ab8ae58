import Foundation
import HaloDevices
import HaloFoundation
import HaloProtocol
import HaloSimulator
import HaloTransport

/// An app: it finds a ring, stores its identity, connects to it later, and shows dates and errors
/// as Foundation does.
@main struct AppConsumer {
    struct Broken: Error {
        let what: String
    }

    static func main() async throws {
        let air = VirtualBluetooth(seed: 7)
        let worn = air.add(VirtualRing(.r10, days: 2))

        let discovery = try await air.find(timeout: .seconds(60))
        try check(discovery.id == discovery.identity, "a discovery is identified by its device")
        let stored = try JSONEncoder().encode(discovery.identity)
        let identity = try JSONDecoder().decode(PeripheralIdentity.self, from: stored)
        let ring = try await Ring.connect(to: identity, over: air)
        let battery = try await ring.battery()
        try check((0...100).contains(battery.percent), "a battery in percent: \(battery)")

        let services = try JSONEncoder().encode([BluetoothUUID(UUID()), BluetoothUUID(0x180D)])
        let decoded = try JSONDecoder().decode([BluetoothUUID].self, from: services)
        try check(decoded.last == StandardServices.heartRate, "UUIDs are stored as text")

        let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt
        let date = Date(timeIntervalSince1970: 1_750_000_000)
        try check(Date(CivilDateTime(date, in: berlin), in: berlin) == date, "a date and back")

        await ring.disconnect()
        worn.remove()
        do {
            _ = try await Ring.connect(to: identity, over: air)
            throw Broken(what: "a ring that is away cannot be connected")
        } catch let error as DeviceError {
            try check(
                error.localizedDescription == "No device was found.",
                "an alert shows a sentence, not '\(error.localizedDescription)'")
            try check(error.failureReason == "\(error)", "a report has the details")
        }
        print("an app finds, stores, connects, and shows what Foundation shows")
    }

    static func check(_ holds: Bool, _ what: String) throws {
        if !holds { throw Broken(what: what) }
    }
}
