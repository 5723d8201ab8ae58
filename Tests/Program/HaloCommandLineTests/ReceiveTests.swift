#if os(Linux)
import Foundation
import HaloDBus
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import halo

/// What receives from a device until a moment, and what writes to a slow reader.
@Suite(.passesTime) struct ReceiveTests {
    /// Receives for ten seconds of an air's time.
    private func receive(
        _ air: VirtualBluetooth, _ body: @escaping @Sendable () async throws(DeviceError) -> Void
    ) async throws {
        let progress = Progress("", on: .nowhere)
        try await halo.receive(until: air.time.now() + .seconds(10), air.time, progress) {
            (_) async throws(DeviceError) in try await body()
        }
    }

    /// The function is cancelled some seconds after the end; its error is then none.
    @Test func aSilentDeviceIsNotWaitedFor() async throws {
        let air = VirtualBluetooth()
        let begun = air.time.now()
        try await receive(air) { () async throws(DeviceError) in
            do { try await air.clock.sleep(for: .seconds(3600)) } catch {
                throw DeviceError(.cancelled)
            }
        }
        #expect(air.time.now().duration(since: begun) == .seconds(15))
    }

    @Test func anEarlierErrorIsThrown() async throws {
        let air = VirtualBluetooth()
        let error = await #expect(throws: DeviceError.self) {
            try await receive(air) { () async throws(DeviceError) in
                throw DeviceError(.disconnected)
            }
        }
        #expect(error?.kind == .disconnected)
    }

    /// A descriptor that does not block, whose reader is slow: all bytes arrive, in order.
    @Test func writesWaitForRoom() async throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader) }
        #expect(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let failure = Locked<Int32??>(nil)
        #expect(
            SystemThread.start {
                let result = StandardDescriptors.writeAll(bytes, to: writer)
                close(writer)
                failure.withLock { $0 = .some(result) }
            })
        try await eventually("a full pipe") {
            var count: Int32 = 0
            return ioctl(reader, UInt(FIONREAD), &count) == 0 && count >= 1 << 16
        }
        var (all, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 10_000))
        while case let count = read(reader, &piece, piece.count), count > 0 {
            all += piece[..<count]
        }
        #expect(all == bytes)
        try await eventually("its end") { failure.withLock { $0 != nil } }
        #expect(failure.withLock { $0 } == .some(nil))
    }
}
#endif
