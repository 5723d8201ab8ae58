import Foundation
import HaloProtocol
import HaloSimulator
import Testing

@testable import halo

/// What `halo simulate` says of a session that breaks a rule; the real one does not.
struct SimulationPrinterTests {
    private func failingSweep() throws -> (Sweep<ForgetfulSession>, SweepFailure) {
        var sweep = Sweep(from: 10, of: ForgetfulSession.self)
        let failure = sweep.run(500)
        return (sweep, try #require(failure))
    }

    @Test func aBrokenRuleIsToldWithItsFaultsAndHowToSeeItAgain() throws {
        let (sweep, failure) = try failingSweep()
        let text = SimulationPrinter(isJSON: false).text(
            of: sweep, from: 10, in: .seconds(2), failure)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("\(sweep.runs) runs from seed 10, \(sweep.runs / 2) a second: "))
        #expect(lines[1] == "seed \(failure.first.seed) breaks a rule")
        #expect(lines[2].hasPrefix("  rule broken: "))
        #expect(text.contains("the session has no deadline"))
        let enough = failure.faultIndices.count
        #expect(
            lines.contains("  \(enough) of its \(failure.first.faults.count) faults are enough"))
        #expect(lines.count { $0.hasPrefix("  fault ") } == failure.smallest.faults.count)
        #expect(lines.last == failure.reproduction)
        #expect(failure.reproduction.hasPrefix("halo simulate --seed \(failure.first.seed) "))
    }

    @Test func linesOfJSONSayItToo() throws {
        let (sweep, failure) = try failingSweep()
        let text = SimulationPrinter(isJSON: true).text(
            of: sweep, from: 10, in: .seconds(2), failure)
        let objects = try text.split(separator: "\n").map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(objects.count == 2)
        #expect(objects[0]["status"] as? String == "broken")
        #expect(objects[0]["reproduce"] as? String == failure.reproduction)
        let violations = try #require(objects[0]["violations"] as? [[String: Any]])
        #expect(violations.contains { $0["rule"] as? String == "no-deadline" })
        #expect((objects[0]["faults"] as? [Any])?.count == failure.smallest.faults.count)
        #expect(objects[1]["status"] as? String == "broken")
    }
}

/// A session that does not say that a request has failed.
struct ForgetfulSession: SessionUnderTest {
    private var session: RingSession

    init(_ rules: SessionRules) { session = RingSession(rules) }

    var deadline: Moment? { session.deadline }
    mutating func nextEffect() -> RingSession.Effect? {
        let effect = session.nextEffect()
        guard case .finished(let completion) = effect, completion.error != nil else {
            return effect
        }
        return session.nextEffect()
    }
    mutating func receive(_ bytes: [UInt8], on channel: RingChannel, at now: Moment) {
        session.receive(bytes, on: channel, at: now)
    }
    mutating func tick(at now: Moment) { session.tick(at: now) }
    mutating func disconnect(at now: Moment) { session.disconnect(at: now) }
    mutating func cancel(_ number: TicketNumber, at now: Moment) {
        session.cancel(number, at: now)
    }
    mutating func ask<Result>(_ body: (inout RingSession) -> Result) -> Result { body(&session) }
}
