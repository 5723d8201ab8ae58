import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The heart rate of a ring, served as that of a strap.
@Suite(.passesTime) struct HeartRateBroadcastTests {
    /// The host of a strap, and a subscribed central.
    private struct Bench {
        private(set) var strap: HeartRateBroadcast
        private(set) var sent: [HeartRateMeasurement] = []
        private(set) var other: [PeripheralEffect] = []
        private(set) var now = Moment.origin
        private var wake: Moment?
        private let attribute: AttributeID

        init(_ strap: HeartRateBroadcast = HeartRateBroadcast(), isSubscribed: Bool = true) throws {
            self.strap = strap
            let all = strap.services.flatMap(\.characteristics)
            attribute = try #require(
                all.first { $0.uuid == CharacteristicCatalog.heartRateMeasurement.uuid }
            ).id
            let start = CivilDateTime(secondsSince1970: 0)
            handle(.started(WallClock(local: start, secondsFromUTC: 0)))
            handle(.connected)
            if isSubscribed { subscribe() }
        }

        mutating func subscribe(_ isOn: Bool = true) {
            handle(.subscription(attribute, isOn: isOn))
        }

        mutating func modify(_ change: (inout HeartRateBroadcast) -> Void) {
            change(&strap)
            handle(.changed)
        }

        mutating func handle(_ event: PeripheralEvent) {
            var effects = PeripheralEffects()
            strap.handle(event, at: now, into: &effects)
            for effect in effects.all {
                switch effect {
                case .notify(attribute, let bytes):
                    (try? HeartRateMeasurement(decoding: bytes)).map { sent.append($0) }
                case .wake(let moment): wake = moment
                default: other.append(effect)
                }
            }
        }

        /// Advances to a time; a program that sleeps is not woken before its end.
        mutating func advance(toMilliseconds time: Int64, isAsleep: Bool = false) {
            let end = Moment(microseconds: time * 1000)
            while let next = wake, next <= end {
                now = isAsleep ? end : max(next, now)
                handle(.woken)
            }
            now = end
        }

        /// Removes and returns the measurements in words.
        mutating func takeWords() -> [String] {
            defer { sent = [] }
            return sent.map { measurement in
                let contact = measurement.contact == .detected ? "worn" : "\(measurement.contact)"
                let energy = measurement.energyKilojoules.map { " \($0) kJ" } ?? ""
                let beats = measurement.rrIntervals.map { " \($0)" }.joined()
                return "\(measurement.beatsPerMinute) \(contact)\(energy)\(beats)"
            }
        }
    }

    private static func reading(_ rate: Int, beat: Int? = nil) -> HeartRateReading {
        HeartRateReading(beatsPerMinute: rate, beatInterval: beat.map { .milliseconds($0) })
    }

    private static let none = "0 notDetected"

    /// Reports of a ring, and the measurement at the end of the second in which they come.
    @Test func sendsTheLastHeartRateWhileItCounts() throws {
        typealias Report = LiveReport<HeartRateReading>
        let rows: [(Int64, Report?, String)] = [
            (1, nil, Self.none), (2, .warmingUp(beatInterval: .milliseconds(556)), Self.none),
            (3, .reading(Self.reading(72)), "72 worn"), (4, nil, "72 worn"),
            (5, .warmingUp(beatInterval: nil), "72 worn"), (6, .interrupted, "72 worn"),
            (7, .other("?"), "72 worn"), (8, .missed(3), "72 worn"),
            (42, nil, "72 worn"), (43, nil, Self.none), (44, nil, Self.none),
            (45, .reading(Self.reading(300)), "300 worn"), (46, .notWorn, Self.none),
            (47, .reading(Self.reading(70_000)), "65535 worn"),
            (48, .reading(Self.reading(0)), Self.none), (49, .reading(Self.reading(-5)), Self.none),
            (50, .reading(Self.reading(61)), "61 worn"),
        ]
        var bench = try Bench()
        let found = rows.map { second, report, _ in
            bench.advance(toMilliseconds: second * 1000 - 500)
            if let report { bench.modify { $0.receive(report) } }
            bench.advance(toMilliseconds: second * 1000)
            return bench.takeWords().last
        }
        #expect(found == rows.map(\.2))
    }

    /// A measurement comes each second, and only to a subscriber; one after a pause of the program.
    @Test func sendsOneMeasurementEachSecondToASubscriber() throws {
        var bench = try Bench(isSubscribed: false)
        var counts: [Int] = []
        for end: Int64 in [5000, 15_000, 20_000, 25_000] {
            if end == 15_000 { bench.subscribe() }
            if end == 20_000 { bench.subscribe(false) }
            if end == 25_000 { bench.handle(.disconnected) }
            bench.advance(toMilliseconds: end)
            counts.append(bench.takeWords().count)
        }
        #expect(counts == [0, 10, 0, 0])
        bench.subscribe()
        bench.advance(toMilliseconds: 3_600_000, isAsleep: true)
        #expect(bench.takeWords().count == 1)
        bench.advance(toMilliseconds: 3_605_000)
        #expect(bench.takeWords().count == 5)
    }

    /// Reports come twice a second with the last beat; each beat is sent once, in 1/1024 s.
    @Test func sendsEachBeatOnce() throws {
        var bench = try Bench(isSubscribed: false)
        bench.modify { $0.receive(Self.reading(60, beat: 1000)) }
        bench.subscribe()
        let beats = [980, 980, 1010, 1010, 990, 70_000, 0, -4, 500, 500, 500, 500]
        for (index, beat) in beats.enumerated() {
            bench.advance(toMilliseconds: Int64(index) * 500 + 100)
            bench.modify { $0.receive(Self.reading(61, beat: beat)) }
        }
        bench.advance(toMilliseconds: 7000)
        #expect(
            bench.takeWords() == [
                "61 worn 1004", "61 worn 1034", "61 worn 1014", "61 worn", "61 worn 512 512",
                "61 worn 512 512", "61 worn",
            ])
        for beat in 0..<200 { bench.modify { $0.receive(Self.reading(61, beat: 600 + beat)) } }
        bench.advance(toMilliseconds: 8000)
        // Eight fit into the packets of a link without a larger MTU; the latest are kept.
        let last = bench.sent.last.map { Array($0.rrIntervals) }
        #expect(last?.count == 8)
        #expect(last?.last == HeartRateMeasurement.ticks(.milliseconds(799)))
        bench.modify { $0.receive(Self.reading(61, beat: 900)) }
        bench.modify { $0.loseContact() }
        bench.modify { $0.receive(Self.reading(61)) }
        bench.advance(toMilliseconds: 9000)
        #expect(bench.takeWords().last == "61 worn")
    }

    /// A heart rate counts until the end of its time, not at it.
    @Test func aHeartRateEndsAtItsTime() throws {
        var bench = try Bench()
        bench.advance(toMilliseconds: 1000)
        bench.modify { $0.receive(Self.reading(72)) }
        bench.advance(toMilliseconds: 40_000)
        #expect(bench.takeWords().last == "72 worn")
        bench.advance(toMilliseconds: 41_000)
        #expect(bench.takeWords().last == Self.none)
    }

    /// A link with large packets says nothing about the next one.
    @Test func eachLinkHasItsPackets() throws {
        var bench = try Bench()
        bench.handle(.maximumLength(100))
        var counts: [Int?] = []
        for time: Int64 in [1000, 2000] {
            for beat in 0..<30 { bench.modify { $0.receive(Self.reading(61, beat: 600 + beat)) } }
            bench.advance(toMilliseconds: time)
            counts.append(bench.sent.last?.rrIntervals.count)
            bench.handle(.disconnected)
            bench.handle(.connected)
            bench.subscribe()
        }
        #expect(counts == [30, 8])
    }

    /// What an app gives it between two events is limited: the latest counts.
    @Test func theLatestHeartRatesCount() throws {
        var bench = try Bench()
        bench.modify { strap in for rate in 1...70 { strap.receive(Self.reading(rate)) } }
        bench.advance(toMilliseconds: 1000)
        #expect(bench.takeWords() == ["70 worn"])
    }

    /// Programs find a strap on a finger: no ring, no energy, no battery.
    @Test func isAStrapOnAFinger() throws {
        var bench = try Bench(HeartRateBroadcast(name: "Ring of Ann, who likes long names"))
        let characteristics = bench.strap.services.flatMap(\.characteristics)
        #expect(bench.strap.services.map(\.uuid) == [StandardServices.heartRate])
        #expect(characteristics.map(\.uuid.description) == ["2A37", "2A38"])
        guard case .advertise(let advertisement?) = bench.other.first else {
            Issue.record("it does not advertise")
            return
        }
        #expect(advertisement.data.name?.text == "Ring of Ann, who likes")
        #expect(advertisement.data.bytes.count <= 31)
        let location = try #require(characteristics.last).id
        bench.handle(.read(location, offset: 0, token: ResponseToken(1)))
        bench.handle(.write(location, [1], token: ResponseToken(2)))
        bench.handle(.read(AttributeID(99), offset: 0, token: ResponseToken(3)))
        #expect(
            Array(bench.other.dropFirst()) == [
                .value([3], ResponseToken(1)), .refuse(.writeNotPermitted, ResponseToken(2)),
                .refuse(.invalidHandle, ResponseToken(3)),
            ])
    }

    /// A client of straps reads the values and the contact of the ring, over the air.
    @Test func aClientOfStrapsReadsWhatTheRingMeasures() throws {
        let (readings, measured) = try virtually { air in
            let worn = air.add(VirtualRing(.r12, wearer: Wearer(seed: 3), days: 0))
            let strap = air.add(HeartRateBroadcast())
            let ring = try await Ring.connect(over: air)
            let sensor = try await HeartRateSensor.connect(over: air)
            let readings = Box<[(moment: Moment, reading: HeartRateReading)]>([])
            var measured: [HeartRateSensor.Measurement] = []
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for try await report in ring.reports(of: .heartRate, repeating: true) {
                        if case .reading(let reading) = report {
                            readings.change { $0.append((air.time.now(), reading)) }
                        }
                        strap.modify { $0.receive(report) }
                    }
                }
                for try await measurement in sensor.measurements {
                    measured.append(measurement)
                    if measured.count == 60 { worn.modify { $0.takeOff() } }
                    if measured.count == 120 { break }
                }
                group.cancelAll()
            }
            let location = try await sensor.location()
            #expect(location == .finger)
            await sensor.disconnect()
            await ring.disconnect()
            return (readings.value, measured)
        }
        let isWorn = measured.map(\.isWorn)
        #expect(measured.allSatisfy { ($0.isTouchingSkin == true) == ($0.beatsPerMinute > 0) })
        // While the ring warms up, worn, and off the finger.
        #expect(isWorn.first == false && isWorn.last == false)
        #expect(isWorn.filter { $0 }.count > 30)
        for measurement in measured where measurement.isWorn {
            let before = readings.last { $0.moment <= measurement.moment - .milliseconds(100) }
            let just = readings.last { $0.moment <= measurement.moment }
            let rates = [before, just].map { $0?.reading.beatsPerMinute }
            #expect(rates.contains(measurement.beatsPerMinute), "\(measurement)")
        }
        // Beats are those of the ring, in its order.
        var rest = readings.compactMap(\.reading.beatInterval)[...]
        let beats = measured.flatMap(\.beats).map(\.interval)
        #expect(beats.count > 30)
        for beat in beats {
            rest = rest.drop { abs($0 / beat - 1) > 0.001 }
            #expect(rest.popFirst() != nil, "\(beat)")
        }
    }

    private final class NoControl: HostControl {
        let identity: PeripheralIdentity? = nil
        let isConnected = true
        func remove() async {}
        func waitUntilEnded() async -> BLEError? { nil }
    }

    /// The glue feeds a hosted strap until its task is cancelled, and leaves it without contact.
    @Test func aRingIsBroadcastUntilTheTaskEnds() throws {
        let sent = Box<[HeartRateMeasurement]>([])
        try virtually { air in
            let bench = try await RingBench.connected(in: air)
            let host = PeripheralHost(HeartRateBroadcast(), on: air.time) { effect in
                guard case .notify(_, let bytes) = effect else { return }
                (try? HeartRateMeasurement(decoding: bytes)).map { value in
                    sent.change { $0.append(value) }
                }
            }
            let strap = Hosted(host, NoControl())
            host.start()
            let measurement = try #require(host.services.first?.characteristics.first)
            host.handle(.subscription(measurement.id, isOn: true))
            try await withThrowingTaskGroup { group in
                group.addTask { try await bench.ring.broadcastHeartRate(through: strap) }
                try await air.clock.sleep(for: .seconds(50))
                #expect(strap.state.isSubscribed)
                #expect(sent.value.last?.contact == .detected)
                group.cancelAll()
            }
            try await air.clock.sleep(for: .seconds(2))
            #expect(sent.value.last?.contact == .notDetected)
            await bench.ring.disconnect()
            let error = await #expect(throws: DeviceError.self) {
                try await bench.ring.broadcastHeartRate(through: strap)
            }
            #expect(error?.kind == .disconnected)
        }
        #expect(sent.value.contains { $0.beatsPerMinute > 40 })
    }
}
