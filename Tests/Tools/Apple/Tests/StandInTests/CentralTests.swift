import CoreBluetooth
import Foundation
import HaloSimulator
import HaloTransport
import Testing

/// What the stand-in's central role does without traps.
@Suite struct CentralTests {
    @Test func stateIsUnknownBeforeItIsOn() async throws {
        let phone = Phone(air: VirtualBluetooth(mode: .realTime(speed: 50)))
        let app = TestApp(phone)
        try await app.wait("state 5")
        #expect(app.log.all == ["state 5"])
        let other = TestApp(Phone())
        #expect(other.on { $0.manager.retrievePeripherals(withIdentifiers: []) }.isEmpty)
        try await other.wait("state 2")
    }

    @Test func waitsForThePermission() async throws {
        let phone = Phone(air: VirtualBluetooth(mode: .realTime(speed: 50)))
        phone.setAuthorization(.notDetermined)
        let app = TestApp(phone)
        #expect(app.on { $0.manager.authorization } == .notDetermined)
        phone.setAuthorization(.denied)
        try await app.wait("state 3")
        phone.setAuthorization(.allowedAlways)
        try await app.wait("state 5")
        #expect(app.log.all == ["state 3", "state 5"])
    }

    @Test func commandsBeforePowerOnAreDropped() async throws {
        let scene = Scene()
        scene.phone.powerOff()
        try await scene.app.wait("state 4")
        scene.app.scan()
        #expect(scene.logs("can only accept this command while in the powered on state"))
        #expect(scene.app.on { $0.manager.isScanning } == false)
    }

    @Test func writesWithoutResponseHaveARoom() async throws {
        let scene = try await Scene.discovered()
        let app = scene.app
        try await scene.wait("MTU") {
            app.on { $0.only.maximumWriteValueLength(for: .withoutResponse) } == 244
        }
        #expect(app.on { $0.only.maximumWriteValueLength(for: .withResponse) } == 512)
        let canSend = app.on { app in
            let target = app.characteristic("FFF1")
            for index in 0..<30 {
                app.only.writeValue(Data([UInt8(index)]), for: target, type: .withoutResponse)
            }
            return app.only.canSendWriteWithoutResponse
        }
        #expect(!canSend)
        try await app.wait("ready")
        #expect(app.on { $0.only.canSendWriteWithoutResponse })
        try await scene.wait("20 writes") { scene.gadget.state?.written.count == 20 }
        #expect(scene.gadget.state?.written.last == [19])
    }

    @Test func cancelEndsWithoutError() async throws {
        let scene = try await Scene.discovered()
        let app = scene.app
        app.on { $0.manager.cancelPeripheralConnection($0.only) }
        #expect(app.on { $0.only.state } == .disconnecting || app.log.all.contains("disconnect"))
        try await app.wait("disconnect")
        #expect(app.on { $0.only.state } == .disconnected)
        #expect(app.on { $0.only.services == nil })
        app.on { $0.only.readRSSI() }
        #expect(scene.logs("can only accept commands while in the connected state"))
        try await scene.wait("the radio's end") { !scene.gadget.isConnected }
        app.on { $0.manager.connect($0.only) }
        try await app.wait("connect", count: 2)
    }

    @Test func attemptsHaveNoTimeout() async throws {
        let scene = Scene()
        let app = scene.app
        try await app.wait("state 5")
        let identifier = scene.phone.meet(scene.gadget.identity)
        scene.gadget.moveAway()
        app.on { app in
            let found = app.manager.retrievePeripherals(withIdentifiers: [identifier])
            for one in found { app.peripherals[one.identifier] = one }
            app.manager.connect(app.only)
        }
        scene.air.advance(by: .seconds(40))
        #expect(app.on { $0.only.state } == .connecting)
        scene.gadget.comeBack()
        try await app.wait("connect")
        #expect(app.on { $0.only.identifier } == scene.phone.identifier(of: scene.gadget.identity))
    }

    @Test func powerOffIsOnlyAStateChange() async throws {
        let scene = try await Scene.discovered()
        let app = scene.app
        app.forget()
        scene.phone.powerOff()
        try await app.wait("state 4")
        #expect(app.on { $0.only.state } == .disconnected)
        try await scene.wait("the radio's end") { !scene.gadget.isConnected }
        scene.phone.powerOn()
        try await app.wait("state 5")
        #expect(app.log.all == ["state 4", "state 5"])
        app.on { $0.manager.connect($0.only) }
        try await app.wait("connect")
    }

    @Test func resettingInvalidatesObjects() async throws {
        let scene = try await Scene.discovered()
        let app = scene.app
        let old = app.on { $0.only }
        scene.phone.reset()
        try await app.wait("state 5", count: 2)
        app.on { $0.manager.connect(old) }
        #expect(scene.logs("is not valid for this manager"))
        let fresh = app.on { $0.manager.retrievePeripherals(withIdentifiers: [old.identifier]) }
        #expect(fresh.count == 1)
        #expect(fresh.first !== old)
    }

    @Test func droppedPeripheralsLoseTheirLink() async throws {
        let scene = try await Scene.discovered()
        let app = scene.app
        app.forget()
        app.on { app in
            app.characteristics = [:]
            app.peripherals = [:]
        }
        try await scene.wait("the radio's end") { !scene.gadget.isConnected }
        #expect(scene.logs("Forcing disconnection of unused peripheral"))
        #expect(app.log.all.isEmpty)
        app.on { app in
            let all = app.manager.retrievePeripherals(
                withIdentifiers: [scene.phone.identifier(of: scene.gadget.identity)])
            app.manager.connect(all[0])
        }
        try await scene.wait("the log") {
            scene.logs("Cancelling connection for unused peripheral")
        }
    }

    @Test func droppedManagersLoseTheirLinks() async throws {
        let scene = try await Scene.discovered()
        scene.app.on { $0.dropManager() }
        try await scene.wait("the radio's end") { !scene.gadget.isConnected }
        #expect(scene.logs("XPC connection invalid"))
    }

    @Test func servicesChange() async throws {
        let scene = try await Scene.discovered()
        let app = scene.app
        scene.gadget.modify { $0.grow() }
        try await app.wait("modified ")
        #expect(app.on { $0.only.services?.count } == 1)
        app.on { $0.only.discoverServices(nil) }
        try await app.wait("services FFF0,FFF8")
        scene.gadget.modify { $0.replaceServices() }
        try await app.wait("modified FFF0")
        let old = app.on { $0.characteristic("FFF1") }
        app.forget()
        app.on { $0.only.readValue(for: old) }
        app.on { $0.only.readRSSI() }
        try await app.wait("rssi known")
        #expect(app.log.all == ["rssi known"])
    }

    @Test func nameChanges() async throws {
        let scene = try await Scene.discovered()
        scene.phone.rename(scene.gadget.identity, to: "Other")
        try await scene.app.wait("name Other")
    }

    @Test func devicesOfTheSystemAreOnlyRetrieved() async throws {
        let scene = Scene()
        let app = scene.app
        try await app.wait("state 5")
        app.scan()
        try await app.wait("discover Gadget")
        app.on { $0.manager.stopScan() }
        scene.phone.hold(scene.gadget.identity)
        try await scene.wait("the system's link") { scene.gadget.isConnected }
        app.forget()
        let service = CBUUID(string: "FFF0")
        try await scene.wait("the list") {
            app.on { !$0.manager.retrieveConnectedPeripherals(withServices: [service]).isEmpty }
        }
        #expect(app.on { $0.manager.retrieveConnectedPeripherals(withServices: []) }.isEmpty)
        #expect(app.on { $0.only.state } == .disconnected)
        app.on { $0.manager.connect($0.only) }
        try await app.wait("connect")
        app.on { $0.manager.cancelPeripheralConnection($0.only) }
        try await app.wait("disconnect")
        #expect(scene.gadget.isConnected)
        scene.phone.release(scene.gadget.identity)
        try await scene.wait("the radio's end") { !scene.gadget.isConnected }
    }

    @Test func twoAppsShareALink() async throws {
        let scene = try await Scene.discovered()
        let other = TestApp(scene.phone)
        try await other.wait("state 5")
        other.on { app in
            let all = app.manager.retrieveConnectedPeripherals(
                withServices: [CBUUID(string: "FFF0")])
            for one in all {
                app.peripherals[one.identifier] = one
                app.manager.connect(one)
            }
        }
        try await other.wait("connect")
        #expect(scene.gadget.state?.connectionCount == 1)
        scene.app.on { $0.manager.cancelPeripheralConnection($0.only) }
        try await scene.app.wait("disconnect")
        #expect(scene.gadget.isConnected)
        other.on { $0.manager.cancelPeripheralConnection($0.only) }
        try await other.wait("disconnect")
        try await scene.wait("the radio's end") { !scene.gadget.isConnected }
    }

    @Test func rotatedIdentifiersAreUnknown() async throws {
        let scene = Scene()
        let before = scene.phone.meet(scene.gadget.identity)
        scene.phone.rotateIdentifiers()
        #expect(scene.phone.identifier(of: scene.gadget.identity) != before)
        try await scene.app.wait("state 5")
        let found = scene.app.on { $0.manager.retrievePeripherals(withIdentifiers: [before]) }
        #expect(found.isEmpty)
        let another = Phone(air: scene.air, seed: 2)
        #expect(another.identifier(of: scene.gadget.identity) != before)
    }

    @Test func readsAndNotificationsShareTheCallback() async throws {
        var gadget = Gadget()
        gadget.interrupts = true
        let scene = try await Scene.discovered(gadget)
        let app = scene.app
        app.on { $0.only.setNotifyValue(true, for: $0.characteristic("FFF2")) }
        try await app.wait("notify true")
        app.forget()
        app.on { $0.only.readValue(for: $0.characteristic("FFF2")) }
        try await app.wait("value FFF2 [1, 2, 3]")
        #expect(app.log.all == ["value FFF2 [187]", "value FFF2 [1, 2, 3]"])
    }

    @Test func connectingAgainIsAnsweredAtOnce() async throws {
        let scene = try await Scene.discovered()
        scene.app.on { $0.manager.connect($0.only) }
        try await scene.app.wait("connect", count: 2)
        #expect(scene.app.on { $0.only.services?.count } == 1)
    }

    @Test func discoveryNeedsADelegate() async throws {
        let scene = Scene()
        try await scene.app.connectToGadget()
        scene.app.on {
            $0.only.delegate = nil
            $0.only.discoverServices(nil)
        }
        #expect(scene.logs("while delegate is either nil or does not implement"))
    }

    @Test func theNewerDisconnectIsCalledWithoutTheOlder() async throws {
        let scene = Scene()
        let app = NewApp(scene.phone)
        let isConnected = await app.log.wait(limit: 10) { $0.contains("connect") }
        #expect(isConnected)
        scene.gadget.modify { $0.effects = [.disconnect] }
        let isMet = await app.log.wait(limit: 10) { $0.contains("disconnect CB7 false") }
        #expect(isMet)
        let older = try await Scene.discovered()
        older.gadget.modify { $0.effects = [.disconnect] }
        try await older.app.wait("disconnect CB7")
    }

    @Test func followsTheRadio() async throws {
        let air = VirtualBluetooth(mode: .realTime(speed: 50))
        let gadget = air.add(Gadget())
        let phone = Phone(transport: air)
        let app = TestApp(phone)
        try await app.connectToGadget()
        app.forget()
        air.setAdapterState(.poweredOff)
        try await app.wait("state 4")
        air.setAdapterState(.poweredOn)
        try await app.wait("state 5")
        #expect(app.log.all == ["state 4", "state 5"])
        app.on { $0.manager.connect($0.only) }
        try await app.wait("connect")
        #expect(gadget.isConnected)
        let host = TestHost(phone)
        try await host.wait("state 5")
        host.on { $0.manager.add($0.service) }
        try await host.wait("added FFE0 CB13")
    }

    @Test func removedDevicesAreWaitedFor() async throws {
        let scene = Scene()
        let app = scene.app
        try await app.wait("state 5")
        let missing = scene.phone.meet(PeripheralIdentity("virtual-1"))
        app.on { app in
            for one in app.manager.retrievePeripherals(withIdentifiers: [missing]) {
                app.peripherals[missing] = one
                app.manager.connect(one)
            }
        }
        let late = scene.air.add(Gadget())
        #expect(late.identity.rawValue == "virtual-1")
        try await app.wait("connect")
    }

    @Test func installedPhoneIsUsedWhereNoneIsCurrent() async throws {
        let scene = Scene()
        scene.phone.install()
        let queue = DispatchQueue(label: "late")
        let count = scene.phone.managerCount
        let manager = queue.sync { Unsent(CBCentralManager(delegate: nil, queue: queue)) }
        #expect(scene.phone.managerCount == count + 1)
        withExtendedLifetime(manager) {}
    }
}

/// A value that a test hands from queue to queue.
struct Unsent<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// An app that has only the newer function for the end of a link.
private final class NewApp: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
    let log = EventLog()
    private var manager: CBCentralManager?
    private var peripheral: CBPeripheral?

    init(_ phone: Phone) {
        super.init()
        manager = Phone.$current.withValue(phone) {
            CBCentralManager(delegate: self, queue: DispatchQueue(label: "new"))
        }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        central.scanForPeripherals(withServices: nil)
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        self.peripheral = peripheral
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        log.append("connect")
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
    ) {
        log.append("disconnect\(code(error)) \(isReconnecting)")
    }
}
