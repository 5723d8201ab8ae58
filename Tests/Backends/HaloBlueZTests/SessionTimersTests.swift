import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The timers, compared with a sorted list.
@Suite(.computes) struct SessionTimersTests {
    @Test func timersFireInOrder() {
        for seed in 0..<200 as Range<UInt64> {
            var generator = SplitMix(seed: seed)
            var timers = SessionTimers()
            var model: [(due: Moment, number: UInt64)] = []
            let happened = Heard<UInt64>()
            for number in 1...120 as ClosedRange<UInt64> {
                switch generator.next() % 4 {
                case 0 where !model.isEmpty:
                    let index = Int(generator.next() % UInt64(model.count))
                    let gone = model.remove(at: index).number
                    let action = timers.remove(.init(rawValue: gone))
                    let again = timers.remove(.init(rawValue: gone))
                    #expect(action != nil && again == nil)
                case 1 where !model.isEmpty:
                    let limit = generator.next() % 120
                    let now = Moment.origin + .seconds(Int64(generator.next() % 12))
                    model.sort { ($0.due, $0.number) < ($1.due, $1.number) }
                    let isDue = model[0].due <= now && model[0].number <= limit
                    var session = BlueZSession(options: BlueZOptions())
                    let action = timers.popDue(at: now, before: limit)
                    #expect((action != nil) == isDue)
                    action?(&session)
                    if isDue { #expect(happened.take() == [model.removeFirst().number]) }
                default:
                    let due = Moment.origin + .seconds(Int64(generator.next() % 10))
                    model.append((due, number))
                    timers.add(.init(rawValue: number), at: due) { _ in happened.append(number) }
                }
                #expect(timers.next == model.map(\.due).min(), "seed \(seed)")
            }
            #expect(timers.removeAll().count == model.count)
            #expect(timers.next == nil)
        }
    }

    /// Thousands of cancelled timers do not affect the others.
    @Test func cancelledTimersDoNotFire() {
        var timers = SessionTimers()
        let due = { (number: UInt64) in Moment.origin + .seconds(Int64(1000 - number % 1000)) }
        for number in 1...2000 as ClosedRange<UInt64> {
            timers.add(.init(rawValue: number), at: due(number)) { _ in }
        }
        for number in 1...2000 as ClosedRange<UInt64> where number % 100 != 0 {
            #expect(timers.remove(.init(rawValue: number)) != nil)
        }
        var last = Moment.origin
        var count = 0
        while let next = timers.next {
            #expect(next >= last)
            last = next
            #expect(timers.popDue(at: next, before: .max) != nil)
            count += 1
        }
        #expect(count == 20)
    }

    /// A timer that is started by a timer does not fire in the same tick.
    @Test func aTimerDoesNotFireInItsOwnTick() {
        var script = ScriptedSession()
        let order = Heard<Int>()
        script.change { session in
            _ = session.after(.seconds(1)) { session in
                order.append(1)
                _ = session.after(.zero) { _ in order.append(3) }
            }
            _ = session.after(.seconds(1)) { _ in order.append(2) }
        }
        script.pass(.milliseconds(999))
        #expect(order.take() == [])
        script.pass(.milliseconds(1))
        #expect(order.take() == [1, 2])
        #expect(script.session.nextTimer == script.session.now)
        script.pass(.zero)
        #expect(order.take() == [3])
        #expect(script.session.nextTimer == nil)
    }
}
