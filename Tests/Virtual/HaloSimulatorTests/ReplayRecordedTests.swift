import HaloCapture
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

/// The recording of a virtual device replays as that device.
@Suite(.timeLimit(.minutes(20))) struct ReplayRecordedTests {
    /// The values that an app has read from a ring.
    struct Learnt: Equatable {
        var battery = 0
        var heartRates: [Int] = []
        var sleep: [CivilDateTime] = []
        var beats: [Int] = []
    }

    private static func use(_ transport: some BLETransport) async throws -> Learnt {
        try await withRing(over: transport) { ring in
            var learnt = Learnt()
            learnt.battery = try await ring.battery().percent
            learnt.heartRates = try await ring.heartRates(daysAgo: 1).map(\.value)
            learnt.sleep = try await ring.sleep().map(\.start)
            for try await beat in ring.measure(.heartRate) {
                learnt.beats.append(Int(beat.beatsPerMinute))
                if learnt.beats.count == 3 { break }
            }
            // The end of the measurement is answered before this is.
            learnt.battery += try await ring.battery().percent
            return learnt
        }
    }

    private static func recorded() async throws -> (learnt: Learnt, capture: Capture) {
        let air = VirtualBluetooth(seed: 5)
        air.add(VirtualRing(.r10, wearer: Wearer(seed: 5), days: 3))
        let recorder = CaptureRecorder()
        let learnt = try await use(RecordingTransport(air, to: recorder))
        return (learnt, recorder.capture())
    }

    @Test func anAppLearnsTheSameFromTheReplay() async throws {
        let (learnt, capture) = try await Self.recorded()
        #expect(learnt.beats.count == 3 && !learnt.heartRates.isEmpty && !learnt.sleep.isEmpty)
        let air = VirtualBluetooth(seed: 5)
        let device = air.add(ReplayDevice(capture))
        #expect(try await Self.use(air) == learnt)
        let report = try #require(device.state?.report)
        #expect(report.unknownCount == 0, "\(report)")
    }

    @Test func theRecordingIsClean() async throws {
        let capture = try await Self.recorded().capture
        let check = CaptureCheck(capture)
        #expect(check.isClean, "\(check)")
        #expect(check.counts.requests > 5)
        #expect(check.counts.completed == check.counts.requests, "\(check)")
    }

    @Test func theSameRingSaysTheSame() async throws {
        let capture = try await Self.recorded().capture
        let air = VirtualBluetooth(seed: 6)
        let ring = air.add(VirtualRing(.r10, wearer: Wearer(seed: 5), days: 3))
        let comparison = try await ReplayClient(capture).run(over: air, to: ring.identity)
        #expect(comparison.isSame, "\(comparison)")
        #expect(comparison.exchanges.count > 10)
    }

    @Test func anotherRingDoesNot() async throws {
        let capture = try await Self.recorded().capture
        let air = VirtualBluetooth(seed: 6)
        var profile = RingProfile.r10
        profile.commands = profile.commands.with(.silent, "made up", for: Battery.opcode)
        let ring = air.add(VirtualRing(profile, wearer: Wearer(seed: 5), days: 3))
        let comparison = try await ReplayClient(capture).run(over: air, to: ring.identity)
        #expect(
            comparison.differences.map { $0.request.bytes?.first }
                == [Battery.opcode, Battery.opcode])
    }

    @Test func aSensorPlaysItsRecording() async throws {
        let air = VirtualBluetooth(seed: 5)
        air.add(VirtualHeartRateSensor(beatsPerMinute: 61))
        let recorder = CaptureRecorder()
        let transport = RecordingTransport(air, to: recorder)
        let found = try await transport.find()
        func rates(_ transport: some BLETransport, _ device: PeripheralIdentity) async throws
            -> [[UInt8]]
        {
            let link = try await transport.connect(to: device)
            let uuid = CharacteristicCatalog.heartRateMeasurement.uuid
            let source = try await link.characteristic(uuid, of: StandardServices.heartRate)
            let notifications = try await link.notifications(of: source)
            try await transport.time.clock.sleep(for: .seconds(6))
            var values: [[UInt8]] = []
            for try await value in notifications {
                values.append(value.value)
                if values.count == 5 { break }
            }
            let battery = CharacteristicCatalog.batteryLevel.uuid
            let level = try await link.characteristic(battery, of: StandardServices.battery)
            values.append(try await link.read(level))
            await link.disconnect()
            return values
        }
        let values = try await rates(transport, found.identity)
        let capture = recorder.capture()
        let again = VirtualBluetooth(seed: 9)
        let device = again.add(ReplayDevice(capture))
        #expect(try await rates(again, try await again.find().identity) == values)
        #expect(device.state?.report.unknownCount == 0)
        #expect(CaptureCheck(capture).counts.measurements >= 5)
    }
}
