import TestSupport
import Testing

@testable import HaloProtocol

/// The session of a standard heart-rate sensor.
@Suite(.computes) struct SessionHeartRateTests {
    private var session = HeartRateSensorSession()

    private typealias Effect = HeartRateSensorSession.Effect

    private func at(_ milliseconds: Int) -> Moment { .origin + .milliseconds(milliseconds) }

    private func effects(_ session: inout HeartRateSensorSession) -> [Effect] {
        var effects: [Effect] = []
        while let effect = session.nextEffect() { effects.append(effect) }
        return effects
    }

    private func beats(_ effects: [Effect]) -> [SensedBeat] {
        effects.flatMap { effect -> [SensedBeat] in
            if case .measured(let measured) = effect { measured.beats } else { [] }
        }
    }

    private func value(
        _ intervals: [UInt16], _ contact: HeartRateMeasurement.Contact = .notSupported
    ) throws -> [UInt8] {
        try HeartRateMeasurement(
            beatsPerMinute: 60, contact: contact, rrIntervals: intervals
        ).bytes
    }

    @Test mutating func eachValueIsAMeasurement() throws {
        let bytes = try value([1024])
        session.receive(bytes, at: at(0))
        session.receive(bytes, at: at(1000))
        let measured = effects(&session)
        #expect(measured.count == 2)
        guard case .measured(let last)? = measured.last else {
            Issue.record("\(measured)")
            return
        }
        #expect(last.measurement.beatsPerMinute == 60)
        #expect(last.moment == at(1000))
    }

    @Test mutating func aValueThatIsNoneSaysWhy() {
        session.receive([0x10, 60, 1], at: at(0))
        guard case .malformed(let bytes, let error)? = session.nextEffect() else {
            Issue.record("not reported")
            return
        }
        #expect(bytes == [0x10, 60, 1])
        #expect(error.kind == .truncated)
        #expect(session.nextEffect() == nil)
    }

    @Test mutating func intervalsFollowOneAnother() throws {
        session.receive(try value([1000, 1010]), at: at(0))
        session.receive(try value([]), at: at(1000))
        session.receive(try value([1020]), at: at(1500))
        let beats = beats(effects(&session))
        #expect(beats.map(\.number) == [1, 2, 3])
        #expect(beats.map(\.ticks) == [1000, 2010, 3030])
        #expect(Set(beats.map(\.series)).count == 1)
        #expect(beats[0].intervalMilliseconds == 976.5625)
        #expect(session.beatCount == 3)
    }

    @Test mutating func whereBeatsMayBeMissingANewSeriesBegins() throws {
        session.receive(try value([1024], .detected), at: at(0))
        session.receive([], at: at(500))
        session.receive(try value([1024], .detected), at: at(1000))
        session.receive(try value([], .notDetected), at: at(2000))
        session.receive(try value([1024], .detected), at: at(3000))
        session.receive(try value([1024], .detected), at: at(4000))
        session.receive(try value([1024], .detected), at: at(8100))
        for moment in [8200, 8300, 8400, 8500] {
            session.receive(try value([1024], .detected), at: at(moment))
        }
        let beats = beats(effects(&session))
        #expect(beats.map(\.series) == [1, 2, 3, 3, 4, 4, 4, 4, 5])
        #expect(beats.map(\.ticks) == [1, 1, 1, 2, 1, 2, 3, 4, 1].map { $0 * 1024 })
    }

    /// The beats between two subscriptions are missing, however soon the second one comes.
    @Test mutating func aSeriesEndsWithTheSubscription() throws {
        session.subscribed(at: at(0))
        session.receive(try value([1024]), at: at(1000))
        session.unsubscribed()
        session.subscribed(at: at(1500))
        session.receive(try value([1024]), at: at(2000))
        session.receive(try value([1024]), at: at(3000))
        let beats = beats(effects(&session))
        #expect(beats.map(\.series) == [1, 2, 2])
        #expect(beats.map(\.number) == [1, 2, 3])
        #expect(beats.map(\.ticks) == [1024, 1024, 2048])
    }

    @Test mutating func contactThatIsLostOrFoundIsAnEvent() throws {
        let contacts: [HeartRateMeasurement.Contact] = [
            .detected, .detected, .notDetected, .notDetected, .notSupported, .detected,
        ]
        for contact in contacts { session.receive(try value([], contact), at: at(0)) }
        let changes = effects(&session).filter { effect in
            if case .contact = effect { true } else { false }
        }
        #expect(changes == [.contact(.notDetected), .contact(.detected)])
        var off = HeartRateSensorSession()
        off.receive(try value([], .notDetected), at: at(0))
        #expect(effects(&off).first == .contact(.notDetected))
    }

    @Test mutating func silenceIsSaidOnce() throws {
        #expect(session.deadline == nil)
        session.receive(try value([]), at: at(0))
        #expect(session.deadline == at(5000))
        session.tick(at: at(4999))
        #expect(effects(&session).count == 1)
        session.tick(at: at(5000))
        session.tick(at: at(50_000))
        #expect(effects(&session) == [.silent])
        #expect(session.deadline == nil)
        session.receive(try value([]), at: at(60_000))
        #expect(session.deadline == at(65_000))
    }

    /// While an app is suspended, no value comes: the values of that time follow its late tick.
    @Test mutating func aSuspensionIsNoSilence() throws {
        session.receive(try value([]), at: at(0))
        session.tick(at: at(6001))
        #expect(effects(&session).count == 1)
        #expect(session.deadline == at(11_001))
        session.tick(at: at(12_001))
        #expect(effects(&session) == [.silent])
        #expect(session.deadline == nil)
    }

    /// The silence timeout begins with the subscription and ends with it; time never goes back.
    @Test mutating func silenceIsCountedWhileValuesAreSubscribedTo() throws {
        session.subscribed(at: at(1000))
        #expect(session.deadline == at(6000))
        session.unsubscribed()
        #expect(session.deadline == nil)
        session.receive(try value([]), at: at(2000))
        session.tick(at: at(50_000))
        #expect(session.deadline == nil)
        #expect(effects(&session).count == 1)
        session.subscribed(at: at(3000))
        #expect(session.deadline == at(55_000))
        session.tick(at: at(55_000))
        #expect(effects(&session) == [.silent])
    }

    @Test func withoutALimitNoSensorIsSilent() throws {
        var rules = HeartRateSensorSession.Rules()
        rules.silenceTimeout = nil
        var session = HeartRateSensorSession(rules)
        session.subscribed(at: at(0))
        session.receive(try value([]), at: at(1000))
        session.tick(at: at(1_000_000))
        #expect(session.deadline == nil)
        #expect(effects(&session).count == 1)
    }

    /// A difference of three seconds from the clock is allowed, a microsecond more is not.
    @Test(arguments: [(-3_000_000, 1), (-3_000_001, 2), (0, 1), (3_000_000, 1), (3_000_001, 2)])
    mutating func aSeriesEndsWhereItsDriftIsTooLarge(_ drift: Int, _ series: UInt64) throws {
        let ten = [UInt16](repeating: 1024, count: 8)
        session.receive(try value(ten), at: at(0))
        session.receive(try value(ten), at: .origin + .microseconds(8_000_000 + drift))
        #expect(beats(effects(&session)).last?.series == series)
    }

    /// Measurements that are drained late arrive completely and in order.
    @Test mutating func manyMeasurementsComeInOrder() throws {
        var next: UInt64 = 1
        var number = 0
        for round in 0..<40 {
            for _ in 0..<(round * 7 % 90) {
                session.receive(try value([1024]), at: at(number * 1000))
                number += 1
            }
            for _ in 0..<(round * 11 % 80) {
                guard case .measured(let measured)? = session.nextEffect() else { break }
                #expect(measured.beats.map(\.number) == [next])
                next += 1
            }
        }
        #expect(beats(effects(&session)).map(\.number) == Array(next..<UInt64(number + 1)))
        #expect(number > 1000)
    }

    @Test func measurementsBeyondTheLimitAreCounted() throws {
        var rules = HeartRateSensorSession.Rules()
        rules.effectLimit = 2
        var session = HeartRateSensorSession(rules)
        let bytes = try value([1024])
        for second in 0..<10 { session.receive(bytes, at: at(second * 1000)) }
        let all = effects(&session)
        #expect(all.count == 3)
        #expect(all.last == .dropped(8))
        session.receive(bytes, at: at(10_000))
        #expect(beats(effects(&session)).map(\.number) == [11])
    }

    @Test mutating func timeNeverGoesBack() throws {
        session.receive(try value([1024]), at: at(10_000))
        session.receive(try value([1024]), at: at(0))
        #expect(session.deadline == at(15_000))
        session.receive(try value([1024]), at: Moment(microseconds: .min))
        session.receive(try value([1024]), at: .distantFuture)
        session.tick(at: .distantFuture)
        #expect(session.beatCount == 4)
        session.receive(try value([1024]), at: .distantFuture)
        let deadline = try #require(session.deadline)
        session.tick(at: deadline)
        #expect(session.deadline == nil)
    }
}
