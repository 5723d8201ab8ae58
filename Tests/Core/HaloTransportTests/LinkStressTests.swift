import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// A link that many threads use at once: in any order, each operation ends once.
@Suite(.passesTime) struct LinkStressTests {
    /// Counts the ends of each operation.
    private final class Ends: Sendable {
        private let counts: Locked<[Int]>

        init(_ count: Int) { counts = Locked(Array(repeating: 0, count: count)) }

        func end(_ index: Int) { counts.withLock { $0[index] += 1 } }

        var all: [Int] { counts.withLock { $0 } }
    }

    @Test(arguments: 0..<5)
    func everythingEndsOnceInAnyOrder(_ round: Int) async throws {
        let bluetooth = ScriptedBluetooth()
        let link = try #require(bluetooth.link())
        let ends = Ends(8 * 300)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for turn in 0..<300 {
                        let index = worker * 300 + turn
                        let cancellable = Self.submit(link, (index + round) % 4) {
                            ends.end(index)
                        }
                        if (index + round) % 3 == 0 { cancellable.cancel() }
                        bluetooth.driver.answer()
                        bluetooth.happen(.value(Sample.sending.id, [UInt8(worker)]))
                        if turn % 50 == 49 { bluetooth.happen(.servicesChanged) }
                    }
                }
            }
            group.addTask {
                for _ in 0..<50 {
                    guard let values = try? await link.notifications(of: Sample.sending) else {
                        continue
                    }
                    var iterator = values.makeAsyncIterator()
                    _ = try? await iterator.next()
                }
            }
            group.addTask {
                for _ in 0..<2000 {
                    bluetooth.driver.answer()
                    await Task.yield()
                }
                bluetooth.happen(.disconnected(DisconnectReason(.remote)))
            }
        }
        #expect(ends.all.allSatisfy { $0 == 1 })
        #expect(bluetooth.stepped.waiterCount == 0)
        #expect(bluetooth.stepped.listenerCount == 0)
    }

    private static func submit(
        _ link: BLELink, _ choice: Int, _ end: @escaping @Sendable () -> Void
    ) -> BLECancellable {
        switch choice {
        case 0: link.submitRead(Sample.readable) { _ in end() }
        case 1: link.submitWrite([1], to: Sample.writable, .withoutResponse) { _ in end() }
        case 2: link.submitServices { _ in end() }
        default: link.submitSubscription(to: Sample.sending) { _ in end() }
        }
    }

    /// Cancels an activity when it is released.
    private final class Holder: Sendable {
        let cancellable: BLECancellable

        init(_ cancellable: BLECancellable) { self.cancellable = cancellable }

        deinit { cancellable.cancel() }
    }

    @Test func releasedClosureMayUseTheLink() throws {
        let bluetooth = ScriptedBluetooth()
        let link = try #require(bluetooth.link())
        let told = Notes<LinkEvent>()
        let inner = link.observe { event, _ in told.add(event) }
        var holder: Holder? = Holder(inner)
        let outer = link.observe { [holder] _, _ in withExtendedLifetime(holder) {} }
        holder = nil
        bluetooth.happen(.maximumLengthChanged)
        outer.cancel()
        bluetooth.happen(.servicesChanged)
        #expect(told.all == [.maximumLengthChanged])
    }

    @Test func linkEndReleasesItsObservers() throws {
        let bluetooth = ScriptedBluetooth()
        let link = try #require(bluetooth.link())
        let read = Notes<String>()
        let reading = link.submitRead(Sample.readable, read.ending("read"))
        var holder: Holder? = Holder(reading)
        _ = link.observe { [holder] _, _ in withExtendedLifetime(holder) {} }
        weak var isHeld: Holder?
        isHeld = holder
        holder = nil
        #expect(isHeld != nil)
        bluetooth.happen(.disconnected(DisconnectReason(.remote)))
        #expect(isHeld == nil)
        #expect(read.all == ["read: \(BLEError.Kind.disconnected)"])
    }

    @Test func releasedTimerMayUseTheTime() {
        let time = SteppedTime()
        let inner = time.schedule(at: .origin + .seconds(1)) {}
        var holder: Holder? = Holder(inner)
        let outer = time.schedule(at: .origin + .seconds(2)) { [holder] in
            withExtendedLifetime(holder) {}
        }
        holder = nil
        outer.cancel()
        #expect(time.timerCount == 0)
    }
}
