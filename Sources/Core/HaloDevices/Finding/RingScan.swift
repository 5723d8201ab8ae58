internal import HaloTransport

/// The rings nearby, as they are discovered.
///
/// The scan begins when the sequence is created, and ends when the sequence and its iterators are
/// dropped. A ring is reported again when its advertisement has something new, under the same
/// ``RingDiscovery/id``. The sequence ends as ``DeviceUpdates`` describes. It throws when scanning
/// fails: ``DeviceError/Kind/bluetoothOff``.
public struct RingScan: AsyncSequence, Sendable {
    let scan: Scan

    /// Creates an iterator that continues where the last one stopped. Two iterators share the
    /// discoveries.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(scan: scan.makeAsyncIterator())
    }

    /// The iterator of a scan.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var scan: Scan.AsyncIterator

        /// Waits for the next discovery of a ring; `nil` when the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError)
            -> RingDiscovery?
        {
            do throws(BLEError) {
                while let discovery = try await scan.next() {
                    if let ring = RingDiscovery(discovery) { return ring }
                }
                return nil
            } catch {
                throw DeviceError(error)
            }
        }
    }
}

@available(*, unavailable)
extension RingScan.AsyncIterator: Sendable {}
