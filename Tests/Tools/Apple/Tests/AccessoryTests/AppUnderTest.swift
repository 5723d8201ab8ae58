import CoreBluetooth
import Foundation
import HaloSimulator
import UIKit

@testable import AccessorySetupKit

/// A phone in an air with a ring and a heart-rate strap, whose app uses accessories.
struct PhoneUnderTest {
    let air = VirtualBluetooth(seed: 7, mode: .realTime(speed: 100))
    let ring: Placed<VirtualRing>
    let strap: Placed<VirtualHeartRateSensor>
    let phone: Phone

    static var strapService: CBUUID { CBUUID(string: "180D") }
    static var ringService: CBUUID { CBUUID(string: "6E40FFF0-B5A3-F393-E0A9-E50E24DCCA9E") }

    init(_ user: PickerUser = PickerUser(), plist: InfoPlist? = nil) {
        ring = air.add(VirtualRing(.r10, days: 1, options: VirtualRingOptions(name: "R10_0001")))
        strap = air.add(VirtualHeartRateSensor(beatsPerMinute: 60))
        phone = Phone(air: air)
        phone.recordFatalErrors()
        phone.accessories.user = user
        phone.accessories.infoPlist =
            plist
            ?? .bluetooth(services: [Self.strapService, Self.ringService], names: ["R10"])
    }

    var accessories: PhoneAccessories { phone.accessories }

    var strapIdentifier: UUID { phone.identifier(of: strap.identity) }

    /// A descriptor that finds the strap.
    static var straps: ASDiscoveryDescriptor {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = strapService
        return descriptor
    }

    /// An item for straps.
    static func item(
        _ descriptor: ASDiscoveryDescriptor = straps, options: ASPickerDisplayItem.SetupOptions = []
    ) -> ASPickerDisplayItem {
        let item = ASPickerDisplayItem(
            name: "Strap", productImage: UIImage(), descriptor: descriptor)
        item.setupOptions = options
        return item
    }

    /// An item for the strap as an accessory of former times.
    var oldItem: ASMigrationDisplayItem {
        let item = ASMigrationDisplayItem(
            name: "Old", productImage: UIImage(), descriptor: Self.straps)
        item.peripheralIdentifier = strapIdentifier
        return item
    }

    /// An item for rings, by their service and the beginning of their names.
    static var rings: ASPickerDisplayItem {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = ringService
        descriptor.bluetoothNameSubstring = "R10"
        return ASPickerDisplayItem(name: "Ring", productImage: UIImage(), descriptor: descriptor)
    }

    /// Settings with which the app filters, and ends the search.
    static var filtering: ASPickerDisplaySettings {
        let settings = ASPickerDisplaySettings.default
        settings.options = .filterDiscoveryResults
        settings.discoveryTimeout = .unbounded
        return settings
    }

    /// An item for an accessory that the app has let through.
    static func item(_ accessory: ASDiscoveredAccessory) -> ASDiscoveredDisplayItem {
        ASDiscoveredDisplayItem(name: "My strap", productImage: UIImage(), accessory: accessory)
    }

    /// Creates an app on this phone, with a session that is not active yet.
    func makeApp() -> AppUnderTest { Phone.$current.withValue(phone) { AppUnderTest() } }

    /// Creates an app on this phone, and waits until its session is active.
    func makeActiveApp() async -> AppUnderTest {
        let app = makeApp()
        app.activate()
        await app.events.wait { $0.contains("activated") }
        return app
    }
}

/// The values that an app has received so far, and the tasks that wait for some.
final class Received<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var waits: [(isEnough: @Sendable ([Value]) -> Bool, resume: @Sendable () -> Void)] = []
    }

    private let state = Guarded(State())

    var values: [Value] { state.copy.values }

    func append(_ value: Value) {
        let due = state.withLock { state in
            state.values.append(value)
            let values = state.values
            let due = state.waits.filter { $0.isEnough(values) }
            state.waits.removeAll { $0.isEnough(values) }
            return due
        }
        for wait in due { wait.resume() }
    }

    /// Waits until the values are enough.
    func wait(_ isEnough: @escaping @Sendable ([Value]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                if isEnough(state.values) { return true }
                state.waits.append((isEnough, { continuation.resume() }))
                return false
            }
            if isDue { continuation.resume() }
        }
    }
}

/// An app with one session, on a serial queue.
final class AppUnderTest: Sendable {
    static let key = DispatchSpecificKey<Bool>()

    let session = ASAccessorySession()
    let queue = DispatchQueue(label: "app")
    /// The kinds of the events, with the error's number.
    let events = Received<String>()
    let accessories = Received<ASAccessory>()

    init() { queue.setSpecific(key: Self.key, value: true) }

    func activate() {
        session.activate(on: queue) { [events, accessories] event in
            if let accessory = event.accessory { accessories.append(accessory) }
            let place = DispatchQueue.getSpecific(key: Self.key) == true ? "" : " elsewhere"
            let error = (event.error as? ASError).map { " \($0.errorCode)" } ?? ""
            events.append("\(event.eventType)\(error)\(place)")
        }
    }

    /// Shows a picker, and returns the number of its error.
    func pick(_ items: [ASPickerDisplayItem] = [PhoneUnderTest.item()]) async -> Int? {
        await number { try await $0.showPicker(for: items) }
    }

    /// Returns the number of the error of a request.
    func number(_ request: (ASAccessorySession) async throws -> Void) async -> Int? {
        do {
            try await request(session)
            return nil
        } catch {
            return (error as? ASError)?.errorCode ?? -1
        }
    }
}
