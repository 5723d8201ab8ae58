import HaloCapture
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The recording of a virtual device replays as that device.
@Suite(.passesTime) struct ReplayRecordedTests {
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
            learnt.heartRates = try await ring.log(.heartRate, daysAgo: 1).map(\.value)
            learnt.sleep = try await ring.log(.sleep).map(\.start)
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

    /// What a recording of fewer days lacks is no value of another day, and says nothing about the
    /// ring's clock.
    @Test(arguments: [ReplayOptions.UnrecordedValues.unanswered, .noData])
    func aShorterRecordingTellsNoFalseDay(_ unrecorded: ReplayOptions.UnrecordedValues)
        async throws
    {
        let air = VirtualBluetooth(seed: 5)
        air.add(VirtualRing(.r10, wearer: Wearer(seed: 5), days: 7))
        let recorder = CaptureRecorder()
        let known = try await withRing(over: RecordingTransport(air, to: recorder)) {
            try await $0.history(days: 2)
        }
        var options = ReplayOptions.lenient
        options.unrecordedValues = unrecorded
        let replay = ReplayDevice(recorder.capture(), options)
        let (read, before) = try await withRing(over: VirtualBluetooth(replay)) {
            (try await $0.history(days: 9), $0.historyBeforeClockChange)
        }
        #expect(read.clockShift == nil && before == nil && read.today == known.today)
        #expect(read.heartRates == known.heartRates && read.activity == known.activity)
        let third = try #require(known.today.advanced(byDays: -2))
        let sleep = read.sleep.filter { $0.end.date > third }
        #expect(read.stress == known.stress && sleep == known.sleep)
        #expect(read.isComplete == (unrecorded == .noData), "\(read.failures)")
        let outcome: HistoryCoverage.Outcome = unrecorded == .noData ? .noData : .failed
        #expect(read.coverage[.activity, third] == outcome)
    }

    /// Each request for stored values is answered "no data" if nothing was recorded.
    @Test func whatWasNotRecordedIsNoData() async throws {
        let (service, records) = ("6e40fff0-b5a3-f393-e0a9-e50e24dcca9e", "de5bf728-d711-4e47-af26")
        let capture = try Capture(
            reading: """
                * connected mtu 247
                * offers \(service) 6e400002-b5a3-f393-e0a9-e50e24dcca9e command write
                * offers \(service) 6e400003-b5a3-f393-e0a9-e50e24dcca9e notify
                * offers \(records)-65e3012a5dc7 de5bf72a-d711-4e47-af26-65e3012a5dc7 command write
                * offers \(records)-65e3012a5dc7 de5bf729-d711-4e47-af26-65e3012a5dc7 notify
                * subscribed uart
                * subscribed bigdata

                """)
        var options = ReplayOptions.lenient
        options.unrecordedValues = .noData
        func isNoData(_ answer: Answer<some Any>) -> Bool {
            if case .noData = answer { true } else { false }
        }
        let air = VirtualBluetooth(ReplayDevice(capture, options))
        let day = try CivilDate(year: 2026, month: 1, day: 5)
        try await withRing(over: air, options: RingOptions(clock: .leave)) { ring in
            let answers = [
                isNoData(try await ring.ask(HeartRateLog.Request(day: day))),
                isNoData(try await ring.ask(StressLog.Request(day: 1))),
                isNoData(try await ring.ask(HeartRateVariabilityLog.Request(day: 1))),
                isNoData(try await ring.ask(ActivityLog.Request(day: 1))),
                isNoData(try await ring.ask(BloodOxygen.Request.allDays)),
                isNoData(try await ring.ask(TemperatureSeries.Request.today)),
                isNoData(try await ring.ask(Sleep.Request.allNights)),
                isNoData(try await ring.ask(WorkoutList.Request.all)),
                isNoData(try await ring.ask(ManualHeartRate.Request.today)),
            ]
            #expect(answers == Array(repeating: true, count: 9))
            await #expect(throws: DeviceError.self) { try await ring.battery() }
        }
    }

    /// Captures of other programs, which have read one day or some, drive a whole read.
    @Test(arguments: ["R12DamagedReply", "VirtualR10"])
    func aCaptureOfAnotherProgramDrivesAHistory(_ name: String) async throws {
        let url = packagePath("Fixtures/Captures/\(name).halo")
        let capture = try Capture(contentsOf: url)
        var options = ReplayOptions.lenient
        options.unrecordedValues = .noData
        let read = try await withRing(over: VirtualBluetooth(ReplayDevice(capture, options))) {
            try await $0.history(days: 7)
        }
        #expect(read.clockShift == nil && !read.activity.isEmpty)
        #expect(read.heartRates.isEmpty == (name == "R12DamagedReply"))
        // One reply of heart rates is damaged; the totals of today have no "no data".
        let failed = Set(read.failures.map(\.kind))
        #expect(failed == (name == "VirtualR10" ? [.totals] : [.heartRate]), "\(read.failures)")
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
