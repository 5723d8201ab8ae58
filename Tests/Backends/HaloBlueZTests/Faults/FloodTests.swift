import FakeBlueZ
import Foundation
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// A hundred devices send values, while the app makes requests.
@Suite("A flood", .isAlone) struct FloodTests {
    private static let links = 100
    private static let target = "C0:DE:00:00:01:01"
    private static let memoryPerLink = 4 << 20
    /// The limits of how many values are sent during a write: those of a tenth of a second for half
    /// of the writes, and those of a second for 9 of 10, since other processes may interrupt any
    /// of them. `BusBenchmarks` requires 50 ms, at an unlimited rate.
    private static let (maximumMedian, maximumSent) = (200, 2000)

    /// A sender of one value every few milliseconds: an unoptimised fake daemon can forward these
    /// and still read requests. All links share its count.
    private static let sender = NumberSender(atOnce: 1, pause: .milliseconds(50), length: 16)

    /// Links with constant values, and one link to write to.
    private struct Flood {
        let transport: BlueZTransport
        let devices: [Hosted<NumberSender>]
        let target: BLELink
        let record: GATTCharacteristic
        private let fake: FakeBlueZ
        private let links: [BLELink]
        private let streams: [Notifications]
        private let observations: [BLECancellable]
        private let ends: Locked<[DisconnectReason]>

        /// Starts the flood; `told` is called for each value, on any thread.
        init(told: @escaping @Sendable () -> Void = {}) async throws {
            let (fake, ends) = (try await FakeBlueZ(), Locked<[DisconnectReason]>([]))
            let transport = try await BlueZTransport(on: fake.bus)
            _ = fake.add(ContractPeripheral(), address: FloodTests.target)
            target = try await transport.connect(to: PeripheralIdentity(FloodTests.target))
            record = try await target.characteristic(
                ContractAttribute.record.uuid, of: FaultBench.service)
            var (devices, links, streams) = (
                [Hosted<NumberSender>](), [BLELink](), [Notifications]()
            )
            var observations: [BLECancellable] = []
            for number in 0..<FloodTests.links {
                let address = "C0:DE:00:00:2\(number / 10):\(10 + number % 10)"
                let device = fake.add(FloodTests.sender, address: address)
                let link = try await transport.connect(to: PeripheralIdentity(address))
                let values = try await link.characteristic(
                    NumberSender.numbers, of: NumberSender.service)
                // No consumer reads them: the overflow is counted.
                streams.append(try await link.notifications(of: values, bufferLimit: 64))
                observations.append(
                    link.observe { event, _ in
                        if case .disconnected(let reason) = event {
                            ends.withLock { $0.append(reason) }
                        }
                        told()
                    })
                devices.append(device)
                links.append(link)
            }
            for device in devices { device.modify { $0.left = .max } }
            (self.fake, self.transport, self.devices) = (fake, transport, devices)
            (self.links, self.streams, self.observations) = (links, streams, observations)
            self.ends = ends
        }

        /// Checks that no link has ended and that no value was lost.
        func end() {
            #expect(ends.withLock { $0 }.isEmpty)
            #expect(fake.lostValues == 0)
            for observation in observations { observation.cancel() }
            for device in devices { device.modify { $0.left = 0 } }
        }
    }

    /// The present memory of this program.
    private static func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let words = text.split(separator: " ")
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(getpagesize())
    }

    @Test func writesReturnDuringAFlood() async throws {
        let count = Locked(0)
        let flood = try await Flood { count.withLock { $0 += 1 } }
        #expect(
            try await eventually(within: .seconds(120)) {
                count.withLock { $0 } >= 20 * Self.links
            })
        let before = Self.residentBytes()
        var counts: [Int] = []
        for number in 0..<500 {
            let mode = number.isMultiple(of: 2) ? WriteMode.withResponse : .withoutResponse
            let start = Self.sender.sent.withLock { $0 }
            try await flood.target.write([UInt8(number & 0xFF)], to: flood.record, mode)
            counts.append(Self.sender.sent.withLock { $0 } - start)
            let waiting = flood.transport.hub.read(\.effectCount)
            #expect(waiting < BlueZSession.maximumEffects / 4)
        }
        counts.sort()
        let (median, highest) = (counts[counts.count / 2], counts[counts.count * 9 / 10])
        #expect(median <= Self.maximumMedian, "\(counts.suffix(10))")
        #expect(highest <= Self.maximumSent, "\(counts.suffix(10))")
        #expect((counts.last ?? 0) > 0)
        #expect(Self.residentBytes() - before < Self.memoryPerLink * (Self.links + 1))
        flood.end()
    }

    /// A write delivers no values of other links.
    @Test func aWriteRunsNoCallbacks() async throws {
        let (writer, isCaught) = (Locked<pthread_t?>(nil), Locked(false))
        let count = Locked(0)
        let note: @Sendable () -> Void = {
            count.withLock { $0 += 1 }
            guard let thread = writer.withLock({ $0 }) else { return }
            if pthread_equal(pthread_self(), thread) != 0 { isCaught.withLock { $0 = true } }
        }
        let flood = try await Flood(told: note)
        let (target, record) = (flood.target, flood.record)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                writer.withLock { $0 = pthread_self() }
                let condition = NSCondition()
                let answers = Locked(0)
                for number in 0..<1000 {
                    let mode = number.isMultiple(of: 2) ? WriteMode.withResponse : .withoutResponse
                    target.submitWrite([1], to: record, mode) { _ in
                        note()
                        condition.lock()
                        answers.withLock { $0 += 1 }
                        condition.signal()
                        condition.unlock()
                    }
                    condition.lock()
                    while answers.withLock({ $0 }) <= number { condition.wait() }
                    condition.unlock()
                }
                writer.withLock { $0 = nil }
                continuation.resume()
            }
        }
        #expect(!isCaught.withLock { $0 })
        // Otherwise the test has no evidence.
        #expect(count.withLock { $0 } > 1100)
        flood.end()
    }
}
