import AccessorySetupKit
import CoreBluetooth
import Foundation
import HaloSimulator
import Testing

/// Central managers of an app that uses accessories.
@Suite(.timeLimit(.minutes(20)))
struct ManagerTests {
    @Test func isPoweredOffWithoutAnAccessory() async throws {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        let central = world.makeCentral(app.queue)
        await central.events.wait { $0 == ["poweredOff"] }
        #expect(await app.pick() == nil)
        await central.events.wait { $0 == ["poweredOff", "poweredOn"] }
        let accessory = try #require(app.session.accessories.first)
        try await app.session.removeAccessory(accessory)
        await central.events.wait { $0 == ["poweredOff", "poweredOn", "poweredOff"] }
    }

    @Test func isPoweredOnAtOnceWithoutADeclaration() async {
        let world = PhoneUnderTest(plist: InfoPlist())
        let central = world.makeCentral(DispatchQueue(label: "app"))
        await central.events.wait { $0 == ["poweredOn"] }
    }

    @Test func seesOnlyItsAccessories() async {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        #expect(await app.pick() == nil)
        let central = world.makeCentral(app.queue)
        await central.events.wait { $0 == ["poweredOn"] }
        central.scan()
        let strap = "\(world.strapIdentifier)"
        await central.events.wait { events in events.count { $0 == strap } >= 5 }
        #expect(Set(central.events.values) == ["poweredOn", strap])
    }

    @Test func connectsByTheIdentifierOfTheAccessory() async {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        #expect(await app.pick() == nil)
        let central = world.makeCentral(app.queue)
        await central.events.wait { $0 == ["poweredOn"] }
        central.connect(app.session.accessories.compactMap(\.bluetoothIdentifier))
        await central.events.wait { $0.last == "connected" }
        world.accessories.removeInSettings(world.strapIdentifier)
        await central.events.wait { $0.last == "poweredOff" }
    }

    @Test func aRemovedAccessoryLosesItsLink() async {
        let world = PhoneUnderTest()
        world.air.add(VirtualHeartRateSensor(beatsPerMinute: 90))
        let app = await world.makeActiveApp()
        #expect(await app.pick() == nil)
        #expect(await app.pick() == nil)
        let central = world.makeCentral(app.queue)
        await central.events.wait { $0 == ["poweredOn"] }
        central.connect([world.strapIdentifier])
        await central.events.wait { $0.last == "connected" }
        world.accessories.removeInSettings(world.strapIdentifier)
        await central.events.wait { $0.last == "disconnected" }
        #expect(app.session.accessories.count == 1)
    }
}

extension PhoneUnderTest {
    /// Creates a central manager on this phone.
    func makeCentral(_ queue: DispatchQueue) -> CentralUnderTest {
        Phone.$current.withValue(phone) { CentralUnderTest(queue) }
    }
}

/// A central manager whose callbacks are collected. It is used on its queue only.
final class CentralUnderTest: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
    let events = Received<String>()
    private let queue: DispatchQueue
    private var manager: CBCentralManager?
    private var peripherals: [CBPeripheral] = []

    init(_ queue: DispatchQueue) {
        self.queue = queue
        super.init()
        manager = CBCentralManager(delegate: self, queue: queue)
    }

    func scan() {
        queue.async {
            self.manager?.scanForPeripherals(
                withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        }
    }

    func connect(_ identifiers: [UUID]) {
        queue.async {
            self.peripherals =
                self.manager?.retrievePeripherals(withIdentifiers: identifiers) ?? []
            for peripheral in self.peripherals { self.manager?.connect(peripheral) }
        }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        events.append("\(central.state)")
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        events.append("\(peripheral.identifier)")
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        events.append("connected")
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        events.append("disconnected")
    }
}
