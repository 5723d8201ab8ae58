import HaloProtocol
import HaloTesting
import HaloTransport
import Testing

/// Batches of values are delivered as single values are.
@Suite struct BatchTests {
    /// The other receivers of the values.
    enum Receivers: CaseIterable {
        case none, events, observer
    }

    private let bluetooth = ScriptedBluetooth()

    private func link() throws -> BLELink {
        bluetooth.driver.answerAtOnce()
        return try #require(bluetooth.link())
    }

    /// The elements of two sequences with so much room, for batches of those lengths.
    private func heard(
        _ rows: [Int], room: Int, together: Bool
    ) throws -> [[LinkNotification]] {
        let bluetooth = ScriptedBluetooth()
        bluetooth.driver.answerAtOnce()
        let link = try #require(bluetooth.link())
        return try bluetooth.run {
            let listeners = [
                try await link.notifications(of: Sample.sending, buffer: room),
                try await link.notifications(of: Sample.sending, buffer: 3),
            ]
            var byte: UInt8 = 0
            for row in rows {
                bluetooth.stepped.advance(by: .milliseconds(1))
                let values = (0..<row).map { index in [byte &+ UInt8(index)] }
                byte &+= UInt8(row)
                if together {
                    bluetooth.happen(values, of: Sample.sending.id)
                } else {
                    for value in values { bluetooth.happen(.value(Sample.sending.id, value)) }
                }
            }
            bluetooth.happen(.disconnected(DisconnectReason(.local)))
            var heard: [[LinkNotification]] = []
            for listener in listeners {
                var all: [LinkNotification] = []
                for try await value in listener { all.append(value) }
                heard.append(all)
            }
            return heard
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func batchesEqualSingleValues(_ seed: UInt64) throws {
        var chance = SplitMix(seed: seed)
        let rows = (0..<8).map { _ in Int(chance.next() % 20) }
        let room = 1 + Int(chance.next() % 30)
        let together = try heard(rows, room: room, together: true)
        #expect(together == (try heard(rows, room: room, together: false)))
        #expect(together.allSatisfy { !$0.isEmpty } || rows.reduce(0, +) == 0)
    }

    @Test func waitingTaskFindsAllValuesOfABatch() throws {
        let link = try link()
        let found = try bluetooth.run { [bluetooth] in
            let values = try await link.notifications(of: Sample.sending)
            async let all = {
                var all: [[UInt8]] = []
                for try await value in values { all.append(value.value) }
                return all
            }()
            await Task.yield()
            bluetooth.happen([[1], [2], [3]], of: Sample.sending.id)
            bluetooth.happen(.disconnected(DisconnectReason(.local)))
            return try await all
        }
        #expect(found == [[1], [2], [3]])
    }

    @Test(arguments: Receivers.allCases)
    func observersGetEachValueInOrder(_ receivers: Receivers) throws {
        let link = try link()
        let observed = Notes<LinkEvent>()
        let watching =
            receivers == .observer ? link.observe { event, _ in observed.add(event) } : nil
        let expected: [LinkEvent] = [[1], [2], [3]].map { .value(Sample.sending.id, $0) }
        let found = try bluetooth.run { [bluetooth] in
            let values = try await link.notifications(of: Sample.sending)
            let events = receivers == .events ? link.events() : nil
            bluetooth.happen([[1], [2], [3]], of: Sample.sending.id)
            bluetooth.happen(.disconnected(DisconnectReason(.local)))
            var seen: [LinkEvent] = []
            if let events {
                for try await event in events { seen.append(event.event) }
            }
            var all: [[UInt8]] = []
            for try await value in values { all.append(value.value) }
            return (all, seen)
        }
        watching?.cancel()
        #expect(found.0 == [[1], [2], [3]])
        let end = LinkEvent.disconnected(DisconnectReason(.local))
        #expect(found.1 == (receivers == .events ? expected + [end] : []))
        #expect(observed.all == (receivers == .observer ? expected + [end] : []))
    }

    @Test func observerCancelledDuringABatchGetsNoMore() throws {
        let link = try link()
        let observed = Notes<LinkEvent>()
        let watching = Locked<Cancellable?>(nil)
        watching.withLock {
            $0 = link.observe { event, _ in
                observed.add(event)
                watching.withLock { $0 }?.cancel()
            }
        }
        bluetooth.happen([[1], [2], [3]], of: Sample.sending.id)
        #expect(observed.all == [.value(Sample.sending.id, [1])])
    }

    @Test func eventsOfAnObserverComeAfterTheBatch() throws {
        let link = try link()
        let observed = Notes<LinkEvent>()
        let watching = link.observe { [bluetooth] event, _ in
            if observed.all.isEmpty { bluetooth.happen([[8], [9]], of: Sample.sending.id) }
            observed.add(event)
        }
        bluetooth.happen(.value(Sample.sending.id, [1]))
        watching.cancel()
        #expect(observed.all == [[1], [8], [9]].map { .value(Sample.sending.id, $0) })
    }

    /// Events before the end, or before a change of services, are delivered before it.
    @Test(arguments: [LinkEvent.disconnected(DisconnectReason(.local)), .servicesChanged])
    func eventsOfAnObserverComeBeforeTheEnd(_ end: LinkEvent) throws {
        let link = try link()
        let found = try bluetooth.run { [bluetooth] in
            let values = try await link.notifications(of: Sample.sending)
            let watching = link.observe { event, _ in
                guard event == .maximumLengthChanged else { return }
                bluetooth.happen(.value(Sample.sending.id, [1]))
                bluetooth.happen([[2], [3]], of: Sample.sending.id)
                bluetooth.happen(end)
            }
            bluetooth.happen(.maximumLengthChanged)
            watching.cancel()
            var all: [[UInt8]] = []
            do {
                for try await value in values { all.append(value.value) }
            } catch {}
            return all
        }
        #expect(found == [[1], [2], [3]])
    }

    @Test func valuesAfterTheEndAreIgnored() throws {
        let link = try link()
        let found = try bluetooth.run { [bluetooth] in
            let values = try await link.notifications(of: Sample.sending)
            bluetooth.happen(.disconnected(DisconnectReason(.local)))
            bluetooth.happen([[1], [2]], of: Sample.sending.id)
            var count = 0
            for try await _ in values { count += 1 }
            return count
        }
        #expect(found == 0)
    }

    @Test func batchWithoutSubscribersIsDropped() throws {
        let link = try link()
        bluetooth.happen([[1], [2]], of: Sample.sending.id)
        bluetooth.happen([[1], [2]], of: AttributeID(77))
        bluetooth.happen([], of: Sample.sending.id)
        #expect(try bluetooth.run { try await link.read(Sample.readable) } == ScriptedDriver.value)
    }
}
