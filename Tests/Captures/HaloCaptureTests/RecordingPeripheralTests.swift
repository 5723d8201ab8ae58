import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

@testable import HaloCapture

/// A device that records what a central does.
@Suite struct RecordingPeripheralTests {
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
