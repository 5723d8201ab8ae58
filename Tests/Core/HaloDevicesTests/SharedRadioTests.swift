import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// A radio that other apps use, too, and that is switched off and on.
@Suite(.passesTime) struct SharedRadioTests {
    /// Virtual Bluetooth on which devices are connected for other apps, and have errors of their
    /// own.
    private struct SharedRadio: ForwardingTransport {
        let base: VirtualBluetooth
        /// The devices that are connected.
        var connected: [Discovery] = []
        /// The errors of attempts to connect, by device.
        let errors = Box<[PeripheralIdentity: BLEError]>([:])
        /// The reason that replaces the one for which a link has ended.
        var reason: DisconnectReason?
        let attempts = Box<[PeripheralIdentity]>([])
        let scans = Box(0)
        /// The services by which connected devices were asked for.
        var asked = Box<[BluetoothUUID]>([])

        var features: TransportFeatures { base.features.union(.connectedDevices) }

        func startScan(
            _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
        ) -> BLECancellable {
            scans.change { $0 += 1 }
            return base.startScan(filter, report)
        }

        func retrieveConnected(
            _ services: [BluetoothUUID], _ completion: @escaping BLECompletion<[Discovery]>
        ) {
            asked.value = services
            completion(.success(connected))
        }

        func openLink(
            to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
            completion: @escaping BLECompletion<any LinkDriver>
        ) -> BLECancellable {
            attempts.change { $0.append(identity) }
            if let error = errors.value[identity] {
                completion(.failure(error))
                return BLECancellable {}
            }
            return base.openLink(to: identity) { [reason] event in
                if case .disconnected = event, let reason {
                    events(.disconnected(reason))
                } else {
                    events(event)
                }
            } completion: {
                completion($0)
            }
        }
    }

    private static func held(_ number: Int) -> Discovery {
        Discovery(DeviceNumber(number).identity, name: "R02_HELD", services: [RingServices.uart])
    }

    // MARK: Devices that are connected for other apps

    @Test func aConnectedRingIsTriedWithoutAScan() throws {
        try virtually { air in
            let worn = air.add(VirtualRing(.r02, days: 0))
            let held = Discovery(worn.identity, services: [RingServices.uart])
            let radio = SharedRadio(base: air, connected: [held])
            let ring = try await Ring.connect(over: radio)
            #expect(ring.identity == worn.identity)
            #expect(radio.scans.value == 0)
            await ring.disconnect()
        }
    }

    /// A ring that is a mouse is known to the system by that service, and by its name.
    @Test func aMouseWithTheNameOfARingIsTried() throws {
        try virtually { air in
            let worn = air.add(VirtualRing(.r08, days: 0))
            let mouse = Discovery(
                worn.identity, name: "R08_0001", services: [StandardServices.humanInterface])
            let other = Discovery(
                DeviceNumber(77).identity, name: "MX Anywhere 3",
                services: [StandardServices.humanInterface])
            let asked = Box<[BluetoothUUID]>([])
            var radio = SharedRadio(base: air, connected: [other, mouse])
            radio.asked = asked
            let ring = try await Ring.connect(over: radio)
            #expect(ring.identity == worn.identity && radio.scans.value == 0)
            #expect(asked.value.contains(StandardServices.humanInterface))
            await ring.disconnect()
        }
    }

    @Test(arguments: [BLEError.Kind.timedOut, .bondLost, .backend, .overloaded])
    func aConnectedRingThatCannotBeUsedDoesNotHideAnother(_ kind: BLEError.Kind) throws {
        try virtually { air in
            let worn = air.add(VirtualRing(.r02, days: 0))
            let held = Self.held(77)
            let radio = SharedRadio(base: air, connected: [held])
            radio.errors.value = [held.identity: BLEError(kind, .connect)]
            let ring = try await Ring.connect(over: radio)
            #expect(ring.identity == worn.identity)
            #expect(radio.attempts.value == [held.identity, worn.identity])
            await ring.disconnect()
        }
    }

    @Test func ifThereIsNoOtherItsErrorIsThrown() throws {
        try virtually { air in
            let held = Self.held(77)
            let radio = SharedRadio(base: air, connected: [held])
            radio.errors.value = [held.identity: BLEError(.overloaded, .connect)]
            let error = await #expect(throws: DeviceError.self) {
                _ = try await Ring.connect(over: radio)
            }
            #expect(error?.kind == .overloaded)
            #expect(radio.attempts.value == [held.identity])
        }
    }

    // MARK: A lost bond

    @Test func aLostBondIsNotReconnected() throws {
        try virtually { air in
            let worn = air.add(VirtualRing(.r02, days: 0))
            let radio = SharedRadio(base: air, reason: DisconnectReason(.bondLost))
            let ring = try await Ring.connect(to: worn.identity, over: radio)
            worn.moveAway()
            while ring.connectionState.isConnected {
                try await air.clock.sleep(for: .seconds(1))
            }
            let error = ring.connectionState.error
            #expect(error?.disconnectReason?.kind == .bondLost)
            #expect(error?.isTransient == false)
            worn.comeBack()
            try await air.clock.sleep(for: .seconds(600))
            #expect(radio.attempts.value.count == 1)
        }
    }

    @Test func anAttemptThatFindsTheBondLostIsTheLast() throws {
        try virtually { air in
            let worn = air.add(VirtualRing(.r02, days: 0))
            let radio = SharedRadio(base: air)
            let ring = try await Ring.connect(to: worn.identity, over: radio)
            radio.errors.value = [worn.identity: BLEError(.bondLost, .connect)]
            worn.moveAway()
            try await air.clock.sleep(for: .seconds(600))
            let error = ring.connectionState.error
            #expect(error?.bleError?.kind == .bondLost)
            #expect(error?.isTransient == false)
            #expect(radio.attempts.value.count == 2)
        }
    }

    // MARK: Bluetooth that is switched on again

    /// The delay after many attempts is a minute; switching on ends it.
    @Test func switchingOnEndsTheDelay() throws {
        try virtually { air in
            let worn = air.add(VirtualRing(.r02, days: 0))
            let ring = try await Ring.connect(to: worn.identity, over: air)
            air.setAdapterState(.poweredOff)
            try await air.clock.sleep(for: .seconds(3600))
            #expect(!ring.connectionState.isConnected)
            air.setAdapterState(.poweredOn)
            try await air.clock.sleep(for: .seconds(3))
            #expect(worn.isConnected)
            try await ring.waitUntilConnected()
            // Nothing of the delay is left that would begin another attempt.
            try await air.clock.sleep(for: .seconds(120))
            #expect(ring.connectionState == .connected)
            await ring.disconnect()
        }
    }

    @Test func aClosedConnectionStaysClosedWhenBluetoothIsOnAgain() throws {
        try virtually { air in
            let worn = air.add(VirtualRing(.r02, days: 0))
            let ring = try await Ring.connect(to: worn.identity, over: air)
            air.setAdapterState(.poweredOff)
            try await air.clock.sleep(for: .seconds(10))
            await ring.disconnect()
            air.setAdapterState(.poweredOn)
            try await air.clock.sleep(for: .seconds(120))
            #expect(!worn.isConnected)
            #expect(!ring.connectionState.isConnected)
        }
    }

    // MARK: A first attempt that waits

    @Test func theFirstAttemptWaitsIfThePolicyDoes() throws {
        try virtually { air in
            let worn = air.add(VirtualRing(.r02, days: 0))
            worn.moveAway()
            _ = air.time.schedule(at: .origin + .seconds(7200)) { worn.comeBack() }
            var options = RingOptions()
            options.reconnect = .whenInReach
            let ring = try await Ring.connect(to: worn.identity, over: air, options: options)
            #expect(air.time.now() >= .origin + .seconds(7200))
            await ring.disconnect()
        }
    }
}
