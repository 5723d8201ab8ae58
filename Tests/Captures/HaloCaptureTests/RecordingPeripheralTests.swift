import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import HaloCapture

/// A device that records what a central does.
@Suite(.computes) struct RecordingPeripheralTests {
    /// The packets of a capture without advertisements.
    private static func packets(_ capture: Capture) -> [CapturePacket] {
        capture.lines.compactMap(\.packet).filter { $0.channel != .advertisement }
    }

    /// The reasons of the ends of links.
    private static func ends(_ capture: Capture) -> [UInt8?] {
        capture.lines.compactMap { line in
            if case .event(.disconnected(let reason), _) = line { .some(reason) } else { nil }
        }
    }

    /// Both sides of a link record the same packets, and the same ends.
    @Test func recordsAsItsCentralDoes() async throws {
        let (device, central) = (CaptureRecorder(), CaptureRecorder())
        let air = VirtualBluetooth(seed: 3)
        air.add(RecordingPeripheral(VirtualRing(.r10, days: 2), to: device))
        let ring = try await Ring.connect(over: RecordingTransport(air, to: central))
        _ = try await ring.history(days: 2)
        let battery = try await ring.battery()
        await ring.disconnect()

        let capture = try Capture(reading: device.capture().text)
        #expect(Self.packets(capture).count > 50)
        // A request and an unsolicited value may pass each other on the way.
        for direction in [Direction.toDevice, .fromDevice] {
            let (ours, theirs) = (capture, central.capture())
            let difference = Self.packets(ours).filter { $0.direction == direction }
                .difference(from: Self.packets(theirs).filter { $0.direction == direction })
            #expect(difference.isEmpty)
        }
        #expect(Self.ends(capture) == [ControllerReason.localHost])
        #expect(CaptureCheck(capture).isClean)
        let advertised = capture.lines.compactMap(\.packet).filter { $0.channel == .advertisement }
        #expect(advertised.count == 1)

        // The recording plays the ring.
        let replay = try await Ring.connect(over: VirtualBluetooth(ReplayDevice(capture)))
        #expect(try await replay.battery() == battery)
        #expect(replay.name == ring.name)
        await replay.disconnect()
    }

    /// Hands events to a recording ring, and returns the capture.
    private static func capture(
        _ faults: [RingFault] = [], _ body: (inout Bench) -> Void
    ) -> Capture {
        let recorder = CaptureRecorder()
        var options = VirtualRingOptions()
        options.faults = faults
        var bench = Bench(
            device: RecordingPeripheral(VirtualRing(.r02, options: options), to: recorder))
        bench.handle(
            .started(WallClock(local: VirtualBluetooth.defaultStart, secondsFromUTC: 0)))
        bench.handle(.connected)
        body(&bench)
        bench.handle(.disconnected)
        bench.handle(.disconnected)
        return recorder.capture()
    }

    private struct Bench {
        var device: RecordingPeripheral<VirtualRing>
        var now = Moment.origin

        mutating func handle(_ event: PeripheralEvent) {
            now = now + .seconds(1)
            var effects = PeripheralEffects()
            device.handle(event, at: now, into: &effects)
        }

        /// The number of a characteristic.
        func id(_ uuid: BluetoothUUID) -> AttributeID {
            let all = device.services.flatMap(\.characteristics)
            return all.first { $0.uuid == uuid }?.id ?? AttributeID(.max)
        }
    }

    @Test func recordsHowALinkEnds() {
        #expect(Self.ends(Self.capture { _ in }) == [ControllerReason.localHost])
        #expect(
            Self.ends(Self.capture { $0.device.expectLostLink() }) == [ControllerReason.timeout])
        let closes = RingFault(.disconnection, of: .command(Battery.opcode))
        let closed = Self.capture([closes]) { bench in
            let bytes = Array(Battery.Request().frame.bytes)
            bench.handle(.write(bench.id(RingServices.uartWrite), bytes, token: nil))
            bench.handle(.woken)
        }
        #expect(Self.ends(closed) == [ControllerReason.remoteUser])
    }

    /// A device that has the effects it is given.
    private struct Puppet: GATTPeripheral {
        let services: [GATTService]
        /// The effects of the next event.
        var effects: [PeripheralEffect] = []

        mutating func handle(
            _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
        ) {
            for effect in self.effects { effects.append(effect) }
            self.effects = []
        }
    }

    /// Each link begins without requests and subscriptions, at the default length.
    @Test func aLinkHasNothingOfTheOneBefore() {
        let recorder = CaptureRecorder()
        let value = GATTCharacteristic(
            AttributeID(1), BluetoothUUID(0xFE01), [.read, .write, .notify])
        let service = GATTService(BluetoothUUID(0xFE00), characteristics: [value])
        var device = RecordingPeripheral(Puppet(services: [service]), to: recorder)
        func handle(_ event: PeripheralEvent, _ effects: PeripheralEffect...) {
            device.base.effects = effects
            var made = PeripheralEffects()
            device.handle(event, at: .origin, into: &made)
        }
        let long = [UInt8](repeating: 7, count: 22)
        handle(.connected)
        handle(.subscription(value.id, isOn: true), .notify(value.id, long))
        handle(.maximumLength(10), .notify(value.id, long))
        handle(.maximumLength(21), .notify(value.id, long))
        handle(.subscription(value.id, isOn: false), .notify(value.id, long))
        handle(.subscription(value.id, isOn: true), .servicesChanged, .disconnect)
        handle(.read(value.id, offset: 0, token: ResponseToken(1)))
        handle(.disconnected)
        handle(.woken, .notify(value.id, long), .servicesChanged)
        device.expectLostLink()
        handle(.connected)
        handle(.woken, .notify(value.id, long), .value([2], ResponseToken(1)))
        handle(.subscription(value.id, isOn: true), .notify(value.id, long))
        handle(
            .read(value.id, offset: 0, token: ResponseToken(2)), .value([3], ResponseToken(2)))
        handle(
            .read(value.id, offset: 1, token: ResponseToken(3)), .value([4], ResponseToken(3)))
        // Of 65 requests, the reply to the last one is not recorded.
        for token in 0..<65 as Range<UInt32> {
            handle(.read(value.id, offset: 0, token: ResponseToken(token)))
        }
        handle(.woken, .value([5], ResponseToken(63)), .value([6], ResponseToken(64)))
        handle(.disconnected)

        let text = recorder.capture().text.split(separator: "\n").map(String.init)
        let start = ["* connected", "* offers fe00 fe01 read write notify"]
        let sent = "< fe01 notified" + String(repeating: " 07", count: 20)
        var expected = ["halo-capture 2"] + start
        expected += ["* subscribed fe01", sent, sent, "* mtu 24", sent + " 07"]
        expected += ["* unsubscribed fe01", "* subscribed fe01", "* services-changed", start[1]]
        expected += ["* read fe01", "* disconnected 13"]
        expected += start
        expected += ["* subscribed fe01", sent, "* read fe01", "< fe01 read 03"]
        expected += [String](repeating: "* read fe01", count: 65)
        expected += ["< fe01 read 05", "* disconnected 16"]
        #expect(text.filter { !$0.hasPrefix("#") } == expected)
    }

    /// A value without a subscription is not sent, and a refused request is recorded.
    @Test func recordsWhatIsSent() {
        let capture = Self.capture { bench in
            let bytes = Array(Battery.Request().frame.bytes)
            bench.handle(
                .write(bench.id(RingServices.uartWrite), bytes, token: ResponseToken(1)))
            bench.handle(.woken)
            bench.handle(
                .read(bench.id(RingServices.uartNotify), offset: 0, token: ResponseToken(2)))
        }
        let packets = Self.packets(capture)
        #expect(packets.map(\.direction) == [.toDevice])
        let events = capture.lines.compactMap { line in
            if case .event(let event, _) = line { event } else { nil }
        }
        #expect(events.contains(.acknowledged(.uart)))
        #expect(events.contains(.refused(.uart, code: ATTError.readNotPermitted.code)))
    }
}
