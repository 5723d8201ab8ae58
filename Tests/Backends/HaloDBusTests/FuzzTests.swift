import HaloDBus
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// The fuzz target with random bytes.
@Suite(.takesTurns) struct FuzzTests {
    @Test func anyBytesKeepThePromises() throws {
        for seed in 0..<5000 {
            let bytes = FuzzBytes(seed: UInt64(seed), count: 120).all
            try DBusTarget().check([UInt8(seed % 3)] + bytes)
        }
    }

    /// The decisions are random, so that most messages are complete.
    @Test func streamsKeepThePromises() throws {
        for seed in 0..<400 {
            let bytes = FuzzBytes(seed: UInt64(seed), count: 40 + seed % 400).all
            try DBusTarget().check([3] + bytes)
        }
    }

    @Test func changedMessagesKeepThePromises() throws {
        for seed in 0..<1000 {
            var samples = Samples(UInt64(seed))
            guard var bytes = try? samples.message().encoded(), !bytes.isEmpty else { continue }
            for _ in 0..<3 {
                let place = Int(samples.numbers.next() % UInt64(bytes.count))
                bytes[place] = UInt8(truncatingIfNeeded: samples.numbers.next())
            }
            try DBusTarget().check([0] + bytes)
        }
    }
}
