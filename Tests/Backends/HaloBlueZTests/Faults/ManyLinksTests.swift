import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// A hundred links at once, each with values.
@Suite("A hundred links", .takesTurns)
struct ManyLinksTests {
    private static let links = 100
    private static let values = 100

    /// The counts of received and of missing values of a device.
    private struct Tally {
        var count = 0
        var lost = 0

        /// Counts a value; returns `true` if it is the next one.
        mutating func take(_ notification: LinkNotification) -> Bool {
            count += 1
            lost += notification.lostBefore
            guard notification.value.count == 2 else { return false }
            let number = Int(notification.value[0]) | Int(notification.value[1]) << 8
            return number == count + lost
        }
    }

    /// Connects, subscribes with a buffer, and receives values when all links are ready.
    private static func listen(
        _ transport: BlueZTransport, _ device: Hosted<NumberSender>, buffer: Int, isSlow: Bool
    ) async throws -> Tally {
        let identity = try #require(device.identity)
        let link = try await transport.connect(to: identity, timeout: .seconds(30))
        let numbers = try await link.characteristic(NumberSender.numbers, of: NumberSender.service)
        let notifications = try await link.notifications(of: numbers, bufferLimit: buffer)
        let all = isSlow ? try await link.notifications(of: numbers, bufferLimit: values) : nil
        device.modify { $0.left = values }
        if let all {
            // Who has room for all of them has had them all.
            var iterator = all.makeAsyncIterator()
            for _ in 0..<values { _ = try await iterator.next() }
        }
        var (tally, iterator) = (Tally(), notifications.makeAsyncIterator())
        while tally.count + tally.lost < values, let next = try await iterator.next() {
            let isNext = tally.take(next)
            #expect(isNext)
        }
        await link.disconnect()
        return tally
    }

    @Test("each link gets its values in order, or the count of the lost ones")
    func everyoneGetsTheirOwn() async throws {
        let fake = try await FakeBlueZ()
        let transport = try await BlueZTransport(BlueZOptions(bus: try fake.listen()))
        let devices = (0..<Self.links).map { number in
            fake.add(
                NumberSender(), address: "C0:DE:00:00:2\(number / 10):\(10 + number % 10)")
        }
        let tallies = try await withThrowingTaskGroup(of: (Int, Tally).self) { group in
            for (number, device) in devices.enumerated() {
                group.addTask {
                    // Each tenth takes its values late, and has little room for them.
                    let isSlow = number % 10 == 0
                    let tally = try await Self.listen(
                        transport, device, buffer: isSlow ? 16 : Self.values, isSlow: isSlow)
                    return (number, tally)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(tallies.count == Self.links)
        for (number, tally) in tallies {
            #expect(tally.count + tally.lost == Self.values)
            if number % 10 == 0 {
                #expect(tally.lost > 0)
            } else {
                #expect(tally.lost == 0)
            }
        }
        #expect(fake.lostValues == 0)
    }
}
