internal import HaloTransport

/// A sequence of a device's unsolicited reports, or of the states of its connection; or the rings
/// of a scan, ``RingScan``, whose loops share the discoveries.
///
/// Each loop over a device has a buffer of its own, and loses the oldest elements when it is slow.
/// It begins with the call of `makeAsyncIterator()`. The sequence and its iterators hold the
/// device, or the scan, until they are dropped.
///
/// All sequences of this module end in the same way:
/// - `next()` returns `nil` when its task is cancelled, as `AsyncStream` does. A call that returns
///   one value throws ``DeviceError/Kind/cancelled`` instead.
/// - `next()` returns `nil` after the app has disconnected.
/// - `next()` throws once when the device is lost for good; after that it returns `nil`. A loop
///   that begins after the connection was closed, by the app or not, throws once as well. A loop
///   over connection states has one element then: the last state.
/// - After a scan has failed, each `next()` throws.
public struct DeviceUpdates<Element: Sendable>: AsyncSequence, Sendable {
    /// Waits for the next element. A loop in another module would run generic code: this closure is
    /// made where the element's type is known.
    typealias Fetch = nonisolated(nonsending) @Sendable () async throws(DeviceError) -> Element?

    private let begin: @Sendable () -> Fetch

    @inline(__always)
    init<Client: DeviceClient>(_ begin: @escaping @Sendable () -> Loop<Client, Element>) {
        self.begin = {
            let loop = begin()
            return { () async throws(DeviceError) in try await loop.next() }
        }
    }

    @inline(__always)
    init<Source>(
        _ source: DeviceUpdates<Source>,
        compactMap transform: @escaping @Sendable (Source) -> Element?
    ) {
        self.begin = { [begin = source.begin] in
            let fetch = begin()
            return { () async throws(DeviceError) in
                while let source = try await fetch() {
                    if let element = transform(source) { return element }
                }
                return nil
            }
        }
    }

    /// Creates a sequence of the discoveries of a scan, which its iterators share.
    init(_ scan: Scan) where Element == Discovery {
        begin = {
            { () async throws(DeviceError) in
                var found = scan.makeAsyncIterator()
                do throws(BLEError) {
                    return try await found.next()
                } catch {
                    throw DeviceError(error)
                }
            }
        }
    }

    /// Begins a loop at once, so that no element is lost before the first `next()`.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(fetch: begin()) }

    /// The iterator of one loop.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let fetch: Fetch

        /// Waits for the next element; `nil` at the end, and when the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError) -> Element? {
            try await fetch()
        }
    }
}

@available(*, unavailable)
extension DeviceUpdates.AsyncIterator: Sendable {}
