internal import HaloProtocol
internal import HaloTransport

/// Looks for the first device that is a ring, as far as an advertisement can tell.
struct RingFinder {
    private let transport: any BLETransport
    private let timeout: Duration

    init(_ transport: any BLETransport, _ options: RingOptions) {
        self.transport = transport
        timeout = options.findTimeout
    }

    /// Waits for it.
    nonisolated(nonsending) func find() async throws(DeviceError) -> Discovery {
        if Task.isCancelled { throw DeviceError(.cancelled) }
        let time = transport.time
        let found = Promise<Discovery>(for: .scan, on: time)
        let timer = time.schedule(at: time.now() + timeout) {
            found.resolve(.failure(BLEError(.notFound, .scan)))
        }
        let scan = transport.submitScan(.all) { result in
            switch result {
            case .success(let discovery):
                if discovery.looksLikeRing { found.resolve(result) }
            case .failure: found.resolve(result)
            }
        }
        defer {
            timer.cancel()
            scan.cancel()
        }
        do throws(BLEError) {
            return try await found.value()
        } catch {
            guard error.kind == .notFound else { throw DeviceError(error) }
            throw DeviceError(.notFound, bleError: error)
        }
    }
}

extension Discovery {
    fileprivate var looksLikeRing: Bool {
        isConnectable != false && recognition.verdict == .ring
    }
}
