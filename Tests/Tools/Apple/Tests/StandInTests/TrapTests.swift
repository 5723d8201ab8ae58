import CoreBluetooth
import Foundation
import HaloSimulator
import HaloTransport
import Testing

/// Each trap of the central role, switched on.
@Suite struct TrapTests {
    private func found(_ traps: Set<Trap>, speed: Int = 50) async throws -> Scene {
        let scene = Scene(traps: traps, speed: speed)
        try await scene.app.wait("state 5")
        scene.app.scan([CBUUID(string: "FFF0")])
        try await scene.app.wait("discover Gadget")
        scene.app.on { $0.manager.stopScan() }
        scene.app.forget()
        return scene
    }

    @Test func fourWaysToFail() async throws {
        let cases: [(Trap, [String])] = [
            (.connectFails, ["fail CB0"]), (.connectFailsAsDisconnect, ["disconnect CB6"]),
            (.connectThenDrops, ["connect", "disconnect CB7"]),
        ]
        for (trap, expected) in cases {
            let scene = try await found([trap])
            scene.app.on { $0.manager.connect($0.only) }
            try await scene.app.wait(expected[expected.count - 1])
            #expect(scene.app.log.all == expected)
            #expect(scene.app.on { $0.only.state } == .disconnected)
        }
        let scene = try await found([.cancelAnswersAsFailure])
        scene.gadget.moveAway()
        scene.app.on { $0.manager.connect($0.only) }
        scene.app.on { $0.manager.cancelPeripheralConnection($0.only) }
        try await scene.app.wait("fail")
        #expect(scene.app.log.all == ["fail"])
    }

    @Test func aCancelledAttemptIsNotAnswered() async throws {
        let scene = try await found([.cancelIsNotAnswered])
        scene.gadget.moveAway()
        scene.app.on { $0.manager.connect($0.only) }
        scene.app.on { $0.manager.cancelPeripheralConnection($0.only) }
        scene.gadget.comeBack()
        scene.app.on { $0.manager.connect($0.only) }
        try await scene.app.wait("connect")
        #expect(scene.app.log.all == ["connect"])
        // The end of a link is.
        scene.app.on { $0.manager.cancelPeripheralConnection($0.only) }
        try await scene.app.wait("disconnect")
    }

    @Test func disconnectComesAfterTheNextConnect() async throws {
        // The end is held back for 30 s of the radio's time. A busy machine must not need that long
        // for the second link.
        let scene = try await found([.lateDisconnect], speed: 1)
        scene.app.on { $0.manager.connect($0.only) }
        try await scene.app.wait("connect")
        scene.app.on {
            $0.manager.cancelPeripheralConnection($0.only)
            $0.manager.connect($0.only)
        }
        try await scene.app.wait("disconnect")
        #expect(scene.app.log.all == ["connect", "connect", "disconnect"])
        #expect(scene.app.on { $0.only.state } == .connected)
    }

    @Test func connectComesTwice() async throws {
        let scene = try await found([.duplicateConnect])
        scene.app.on { $0.manager.connect($0.only) }
        try await scene.app.wait("connect", count: 2)
    }

    @Test func linksAreLimited() async throws {
        let scene = try await found([.connectionLimit(0)])
        scene.app.on { $0.manager.connect($0.only) }
        try await scene.app.wait("fail CB11")
        scene.phone.traps = [.connectionLimit(1)]
        scene.app.on { $0.manager.connect($0.only) }
        try await scene.app.wait("connect")
    }

    @Test func bondIsLostInManyForms() async throws {
        let codes: [(BondLoss.Code, String)] = [
            (.peerRemovedPairing, "CB14"), (.attribute14, "ATT14"), (.encryptionTimedOut, "CB15"),
            (.insufficientAuthentication, "ATT5"), (.insufficientEncryption, "ATT15"),
        ]
        let scene = try await found([])
        for (code, text) in codes {
            scene.phone.traps = [.bondLost(BondLoss(code, in: .failedConnect))]
            scene.app.on { $0.manager.connect($0.only) }
            try await scene.app.wait("fail \(text)")
            scene.phone.traps = [.bondLost(BondLoss(code, in: .disconnect))]
            scene.app.on { $0.manager.connect($0.only) }
            try await scene.app.wait("disconnect \(text)")
        }
        scene.app.forget()
        scene.phone.traps = []
        scene.app.on { $0.manager.connect($0.only) }
        try await scene.app.wait("connect")
        try await scene.app.discoverAll()
        for (code, text) in codes {
            scene.phone.traps = [.bondLost(BondLoss(code, in: .operation))]
            scene.app.on { $0.only.readValue(for: $0.characteristic("FFF1")) }
            try await scene.app.wait("value FFF1 - \(text)")
        }
        let error: any Error = CBATTError(
            .unlikelyError, userInfo: [NSLocalizedDescriptionKey: "Peer removed"])
        #expect(error.localizedDescription == "Peer removed")
    }

    @Test func servicesStayStale() async throws {
        let scene = try await Scene.discovered(traps: [.staleServices])
        scene.app.on { $0.manager.cancelPeripheralConnection($0.only) }
        try await scene.app.wait("disconnect")
        scene.gadget.modify { $0.replaceServices(count: 1) }
        scene.app.forget()
        scene.app.on { $0.manager.connect($0.only) }
        try await scene.app.wait("connect")
        try await scene.app.discoverAll()
        scene.app.on { $0.only.readValue(for: $0.characteristic("FFF1")) }
        try await scene.app.wait("value FFF1 [1, 2, 3]")
        scene.app.on { $0.only.readValue(for: $0.characteristic("FFF2")) }
        try await scene.app.wait("value FFF2 - ATT1")
    }

    @Test func discoveryNeverAnswers() async throws {
        let scene = Scene(traps: [.discoveryNeverAnswers])
        try await scene.app.connectToGadget()
        scene.app.on {
            $0.only.discoverServices(nil)
            $0.only.readRSSI()
        }
        try await scene.app.wait("rssi known")
        #expect(!scene.app.log.all.contains { $0.hasPrefix("services") })
    }

    @Test func discoveryAnswersTwiceOrWithNothing() async throws {
        let scene = Scene(traps: [.discoveryAnswersTwice])
        try await scene.app.connectToGadget()
        scene.app.on { $0.only.discoverServices(nil) }
        try await scene.app.wait("services FFF0", count: 2)
        let other = Scene(traps: [.firstDiscoveryIsEmpty])
        try await other.app.connectToGadget()
        other.app.on { $0.only.discoverServices(nil) }
        try await other.app.wait("services ")
        other.app.on { $0.only.discoverServices([]) }
        try await other.app.wait("services FFF0")
    }

    @Test func valuesComeBeforeTheConfirmation() async throws {
        var gadget = Gadget()
        gadget.greets = true
        let scene = try await Scene.discovered(gadget, traps: [.valuesBeforeAcknowledgement])
        scene.app.forget()
        scene.app.on { $0.only.setNotifyValue(true, for: $0.characteristic("FFF2")) }
        try await scene.app.wait("notify true")
        #expect(scene.app.log.all == ["value FFF2 [170]", "notify true"])
    }

    @Test func writesWithoutResponseAreAnswered() async throws {
        let scene = try await Scene.discovered(traps: [.answersWritesWithoutResponse])
        scene.app.on {
            $0.only.writeValue(Data([1]), for: $0.characteristic("FFF1"), type: .withoutResponse)
        }
        try await scene.app.wait("written FFF1 ATT114")
    }

    @Test func readinessIsFalseUntilAWrite() async throws {
        let scene = try await Scene.discovered(traps: [.readyFirstFalse])
        #expect(!scene.app.on { $0.only.canSendWriteWithoutResponse })
        write(scene, count: 1)
        #expect(scene.app.on { $0.only.canSendWriteWithoutResponse })
    }

    @Test func readinessStaysFalse() async throws {
        let scene = try await Scene.discovered(traps: [.readyStuckFalse])
        #expect(scene.app.on { $0.only.canSendWriteWithoutResponse })
        write(scene, count: 1)
        #expect(!scene.app.on { $0.only.canSendWriteWithoutResponse })
        write(scene, count: 1)
        try await scene.wait("two writes") { scene.gadget.state?.written.count == 2 }
        #expect(!scene.app.on { $0.only.canSendWriteWithoutResponse })
    }

    @Test func readinessComesWithoutACall() async throws {
        let scene = try await Scene.discovered(traps: [.readyWithoutCallback])
        write(scene, count: 25)
        try await scene.wait("room") { scene.app.on { $0.only.canSendWriteWithoutResponse } }
        #expect(!scene.app.log.all.contains("ready"))
    }

    @Test func readinessComesTooEarly() async throws {
        let scene = try await Scene.discovered(traps: [.readyBeforeFalseReturns])
        let (canSend, events) = scene.app.on { app in
            let target = app.characteristic("FFF1")
            for _ in 0..<20 { app.only.writeValue(Data([1]), for: target, type: .withoutResponse) }
            return (app.only.canSendWriteWithoutResponse, app.log.all)
        }
        #expect(!canSend)
        #expect(events.contains("ready"))
        try await scene.wait("room") { scene.app.on { $0.only.canSendWriteWithoutResponse } }
        #expect(scene.app.log.all.count { $0 == "ready" } == 1)
    }

    private func write(_ scene: Scene, count: Int) {
        scene.app.on { app in
            let target = app.characteristic("FFF1")
            for _ in 0..<count {
                app.only.writeValue(Data([1]), for: target, type: .withoutResponse)
            }
        }
    }

    @Test func packetsAreSmallAtFirst() async throws {
        let scene = Scene(traps: [.lateMTU])
        try await scene.app.connectToGadget()
        #expect(scene.app.on { $0.only.maximumWriteValueLength(for: .withoutResponse) } == 20)
        try await scene.app.discoverAll()
        try await scene.wait("MTU") {
            scene.app.on { $0.only.maximumWriteValueLength(for: .withoutResponse) } == 244
        }
        scene.phone.traps = [.smallMTU]
        #expect(scene.app.on { $0.only.maximumWriteValueLength(for: .withoutResponse) } == 20)
    }

    @Test func namesComeLateOrNever() async throws {
        let scene = Scene(traps: [.splitAdvertisement])
        try await scene.app.wait("state 5")
        scene.app.scan()
        try await scene.app.wait("discover Gadget")
        #expect(scene.app.log.all == ["state 5", "discover -", "discover Gadget"])
        let other = Scene(traps: [.missingName])
        try await other.app.wait("state 5")
        other.app.scan()
        try await other.app.wait("discover -")
        other.app.scan([CBUUID(string: "FFF0")])
        try await other.app.wait("discover Gadget")
    }

    @Test func namesAreStale() async throws {
        let scene = try await found([.staleName])
        scene.gadget.modify { gadget in
            gadget.name = "Renamed"
            gadget.effects = [.advertise(gadget.advertisement)]
        }
        scene.app.scan([CBUUID(string: "FFF0")], duplicates: true)
        try await scene.app.wait("discover Renamed")
        #expect(scene.app.on { $0.only.name } == "Gadget")
        scene.phone.traps = []
        try await scene.wait("the new name") { scene.app.on { $0.only.name } == "Renamed" }
    }

    @Test func strengthIsUnknown() async throws {
        let scene = Scene(traps: [.unknownRSSI])
        try await scene.app.connectToGadget()
        #expect(scene.app.log.all.contains("strength unknown"))
        scene.app.on { $0.only.readRSSI() }
        try await scene.app.wait("rssi 127")
    }

    @Test func identifiersRotate() async throws {
        let scene = try await found([.rotatesIdentifiers])
        let before = scene.app.on { $0.only.identifier }
        scene.phone.powerOff()
        scene.phone.powerOn()
        try await scene.app.wait("state 5")
        #expect(
            scene.app.on { $0.manager.retrievePeripherals(withIdentifiers: [before]) }.isEmpty)
        scene.app.on { $0.peripherals = [:] }
        scene.app.scan()
        try await scene.app.wait("discover Gadget")
        #expect(scene.app.on { $0.only.identifier } != before)
    }

    @Test func callsComeTwiceAndForStrangers() async throws {
        let scene = try await Scene.discovered()
        scene.phone.traps = [.callsBackTwice, .callsBackForStranger]
        scene.app.forget()
        scene.app.on { $0.only.readValue(for: $0.characteristic("FFF1")) }
        try await scene.app.wait("value FFF1 [1, 2, 3]", count: 2)
        #expect(scene.app.log.all.contains("stranger: value FFF1 [1, 2, 3]"))
        scene.app.forget()
        scene.app.on { $0.manager.cancelPeripheralConnection($0.only) }
        try await scene.app.wait("disconnect", count: 3)
        scene.app.on { $0.manager.connect($0.only) }
        try await scene.app.wait("connect", count: 2)
    }

    @Test func callsComeAfterPowerOff() async throws {
        let scene = try await Scene.discovered(traps: [.disconnectsAfterPowerOff])
        scene.app.forget()
        scene.phone.powerOff()
        try await scene.app.wait("disconnect CB7")
        #expect(scene.app.log.all == ["state 4", "disconnect CB7"])
    }

    @Test func managersNeedAUsageDescription() {
        let phone = Phone(traps: [.missingUsageDescription])
        phone.recordFatalErrors()
        _ = TestApp(phone)
        #expect(phone.fatalErrors.count == 1)
    }

    @Test func onlyGrantedDevicesAreFound() async throws {
        let scene = Scene()
        scene.phone.setGranted([])
        try await scene.app.wait("state 4")
        let identifier = scene.phone.identifier(of: scene.gadget.identity)
        let other = scene.air.add(Gadget())
        scene.phone.setGranted([identifier])
        try await scene.app.wait("state 5")
        scene.app.scan(nil, duplicates: true)
        try await scene.app.wait("discover Gadget", count: 3)
        #expect(scene.app.on { Array($0.peripherals.keys) } == [identifier])
        let stranger = scene.phone.meet(other.identity)
        #expect(
            scene.app.on { $0.manager.retrievePeripherals(withIdentifiers: [stranger]) }.isEmpty)
    }

    @Test func revokedDevicesLoseTheirLink() async throws {
        let scene = try await Scene.discovered()
        let other = scene.air.add(Gadget())
        scene.phone.setGranted([scene.phone.identifier(of: other.identity)])
        try await scene.app.wait("disconnect CB7")
        try await scene.wait("the radio's end") { !scene.gadget.isConnected }
    }

    @Test func theFirstStateIsWrong() async throws {
        let scene = Scene(traps: [.poweredOffFirst])
        try await scene.app.wait("state 5")
        #expect(scene.app.log.all == ["state 4", "state 5"])
    }

    @Test func endsAreVague() async throws {
        for (trap, text) in [
            (Trap.disconnectsWithoutError, "disconnect"),
            (.disconnectsWithUnknownError, "disconnect CB0"),
        ] {
            let scene = Scene(traps: [trap])
            try await scene.app.connectToGadget()
            scene.gadget.modify { $0.effects = [.disconnect] }
            try await scene.app.wait(text)
        }
    }
}
