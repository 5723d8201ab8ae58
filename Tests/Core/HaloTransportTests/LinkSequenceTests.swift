import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// The sequences of a link: buffers, drops, and ends.
@Suite(.passesTime) struct LinkSequenceTests {
    private let bluetooth = ScriptedBluetooth()
    private let link: BLELink

    init() throws {
        bluetooth.driver.answerAtOnce()
        link = try #require(bluetooth.link())
    }

    @Test(arguments: [1, 2, 7, 64])
    func oldestElementIsDroppedAndCounted(_ room: Int) throws {
        let found = try bluetooth.run { [bluetooth] in
            let values = try await link.notifications(of: Sample.sending, bufferLimit: room)
            for byte in 0..<100 as Range<UInt8> {
                bluetooth.happen(.value(Sample.sending.id, [byte]))
            }
            bluetooth.happen(.disconnected(DisconnectReason(.local)))
            var found: [LinkNotification] = []
            for try await value in values { found.append(value) }
            return found
        }
        #expect(found.map(\.value) == (UInt8(100 - room)..<100).map { [$0] })
        #expect(found.map(\.lostBefore) == [100 - room] + Array(repeating: 0, count: room - 1))
    }

    @Test(arguments: [0, -5, Int.min])
    func bufferHoldsAtLeastOneElement(_ room: Int) throws {
        let found = try bluetooth.run { [bluetooth] in
            let values = try await link.notifications(of: Sample.sending, bufferLimit: room)
            let events = link.events(bufferLimit: room)
            bluetooth.happen(.value(Sample.sending.id, [1]), .value(Sample.sending.id, [2]))
            var one = values.makeAsyncIterator()
            var other = events.makeAsyncIterator()
            return (try await one.next(), try await other.next())
        }
        #expect(found.0?.value == [2] && found.0?.lostBefore == 1)
        #expect(found.1?.event == .value(Sample.sending.id, [2]) && found.1?.lostBefore == 1)
    }

    @Test func floodFillsTheBufferAndNoMore() throws {
        let (count, lost) = try bluetooth.run { [bluetooth] in
            let values = try await link.notifications(of: Sample.sending, bufferLimit: 8)
            let large = [UInt8](repeating: 0xAA, count: 500)
            for _ in 0..<200_000 { bluetooth.happen(.value(Sample.sending.id, large)) }
            bluetooth.happen(.disconnected(DisconnectReason(.local)))
            var count = 0
            var lost = 0
            for try await value in values {
                count += 1
                lost += value.lostBefore
            }
            return (count, lost)
        }
        #expect(count == 8)
        #expect(lost == 200_000 - 8)
    }

    @Test func eachValueHasTheMomentOfItsArrival() throws {
        let moments = try bluetooth.run { [bluetooth] in
            let values = try await link.notifications(of: Sample.sending)
            for _ in 0..<3 {
                bluetooth.stepped.advance(by: .milliseconds(20))
                bluetooth.happen(.value(Sample.sending.id, [1]))
            }
            bluetooth.happen(.disconnected(DisconnectReason(.local)))
            var moments: [Int64] = []
            for try await value in values { moments.append(value.moment.microseconds) }
            return moments
        }
        #expect(moments == [20_000, 40_000, 60_000])
    }

    @Test(arguments: [
        DisconnectReason.Kind.remote, .outOfReach, .adapterGone, .backendGone, .noResponse,
    ])
    func valuesEndWithTheLinksReason(_ kind: DisconnectReason.Kind) throws {
        let reason = DisconnectReason(kind, details: "words")
        let error = try bluetooth.run { [bluetooth] in
            var values = try await link.notifications(of: Sample.sending).makeAsyncIterator()
            bluetooth.happen(.disconnected(reason), .value(Sample.sending.id, [1]))
            do throws(BLEError) {
                _ = try await values.next()
                return BLEError?.none
            } catch {
                return error
            }
        }
        #expect(
            error
                == BLEError(
                    .disconnected, .receive, uuid: Sample.sending.uuid, disconnectReason: reason))
        #expect(link.disconnectReason == reason)
    }

    @Test func valuesEndWithoutErrorAfterTheAppsClose() throws {
        let next = try bluetooth.run { [bluetooth] in
            var values = try await link.notifications(of: Sample.sending).makeAsyncIterator()
            bluetooth.happen(.disconnected(DisconnectReason(.local)))
            return [try await values.next(), try await values.next()]
        }
        #expect(next == [nil, nil])
    }

    @Test func lastEventIsTheReasonAlsoInAFullBuffer() throws {
        let found = try bluetooth.run { [bluetooth] in
            let events = link.events(bufferLimit: 1)
            bluetooth.happen(
                .value(Sample.sending.id, [1]), .servicesChanged, .maximumLengthChanged,
                .disconnected(DisconnectReason(.remote)), .servicesChanged)
            var found: [ReceivedEvent] = []
            for try await event in events { found.append(event) }
            return found
        }
        #expect(found.map(\.event) == [.disconnected(DisconnectReason(.remote))])
        #expect(found.first?.lostBefore == 3)
    }

    @Test func eventsOfAnEndedLinkAreItsReason() throws {
        let reason = DisconnectReason(.outOfReach)
        bluetooth.happen(.disconnected(reason))
        bluetooth.stepped.advance(by: .seconds(3))
        let found = try bluetooth.run {
            var found: [ReceivedEvent] = []
            for try await event in link.events() { found.append(event) }
            return found
        }
        #expect(found.map(\.event) == [.disconnected(reason)])
        #expect(found.first?.moment == .origin + .seconds(3))
    }

    @Test func eventsAreCompleteAndInOrder() throws {
        let all: [LinkEvent] = [
            .value(Sample.other.id, [1]), .maximumLengthChanged, .value(Sample.sending.id, [2]),
            .servicesChanged, .value(Sample.other.id, [3]),
            .disconnected(DisconnectReason(.outOfReach)),
        ]
        let found = try bluetooth.run { [bluetooth] in
            let events = link.events()
            for event in all { bluetooth.happen(event) }
            var found: [LinkEvent] = []
            for try await event in events { found.append(event.event) }
            return found
        }
        #expect(found == all)
    }

    @Test func iteratorsShareTheElements() throws {
        let found = try bluetooth.run { [bluetooth] in
            let values = try await link.notifications(of: Sample.sending)
            return try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        var all: [UInt8] = []
                        for try await value in values { all += value.value }
                        return all
                    }
                }
                for byte in 0..<10 as Range<UInt8> {
                    await Task.yield()
                    bluetooth.happen(.value(Sample.sending.id, [byte]))
                }
                bluetooth.happen(.disconnected(DisconnectReason(.local)))
                var all: [UInt8] = []
                for try await some in group { all += some }
                return all.sorted()
            }
        }
        #expect(found == Array(0..<10))
        #expect(bluetooth.stepped.listenerCount == 0)
    }
}
