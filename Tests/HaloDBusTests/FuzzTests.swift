#if os(Linux)
import HaloDBus
import HaloTesting
import Testing

/// The fuzz target of this boundary, with bytes made by chance.
@Suite(.takesTurns) struct FuzzTests {
    @Test func anyBytesKeepThePromises() throws {
        for seed in 0..<20_000 {
            try FuzzTarget.dbus.run(FuzzBytes(seed: UInt64(seed), count: 120).all)
        }
    }

    @Test func changedMessagesKeepThePromises() throws {
        for seed in 0..<2000 {
            var samples = Samples(UInt64(seed))
            guard var bytes = try? samples.message().encoded(), !bytes.isEmpty else { continue }
            for _ in 0..<3 {
                let place = Int(samples.numbers.next() % UInt64(bytes.count))
                bytes[place] = UInt8(truncatingIfNeeded: samples.numbers.next())
            }
            try FuzzTarget.dbus.run([0] + bytes)
        }
    }
}
#endif
