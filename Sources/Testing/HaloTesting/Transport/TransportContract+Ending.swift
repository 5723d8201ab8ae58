import HaloProtocol
import HaloTransport

extension TransportContract {
    /// The end of a link by the app or the device, and of cancelled operations.
    static var ending: [Check] {
        [
            Check(
                "when the app closes the link, sequences end quietly, and the device knows",
                of: .second
            ) { bench, link, second in
                var values = try await link.notifications(of: second).makeAsyncIterator()
                var events = link.events().makeAsyncIterator()
                await link.disconnect()
                try bench.equal(link.disconnectReason?.kind, .local, "the reason")
                try bench.equal(try await values.next(), nil, "the end of the values")
                try bench.equal(
                    try await bench.end(of: &events)?.kind, .local, "the last event")
                await link.disconnect()
                try await bench.device("the device knows", until: { !$0.isConnected })
            },
            Check(
                "when the device closes the link, all ends with that", of: .second,
                needs: .deviceControl
            ) { bench, link, second in
                var values = try await link.notifications(of: second).makeAsyncIterator()
                // The first observer, so that the end is counted before a loop ends.
                let ends = Locked(0)
                let observation = link.observe { event, _ in
                    if case .disconnected = event { ends.withLock { $0 += 1 } }
                }
                var events = link.events().makeAsyncIterator()
                try await bench.order([.send(.second, [7]), .disconnect])
                try bench.equal(try await values.next()?.value, [7], "what was sent before")
                let error = try await bench.fails(.disconnected, "the values") {
                    try await values.next()
                }
                try bench.equal(error.disconnectReason?.kind, .remote, "the reason")
                try bench.equal(
                    try await bench.end(of: &events)?.kind, .remote, "the last event")
                try bench.equal(link.disconnectReason?.kind, .remote, "the link's reason")
                try bench.equal(ends.withLock { $0 }, 1, "ends that were told")
                observation.cancel()
            },
            Check(
                "what is under way ends with the link, once", of: .silent, needs: .deviceControl
            ) { bench, link, silent in
                let ends = Locked<[BLEError]>([])
                link.submitRead(silent) { result in
                    if case .failure(let error) = result { ends.withLock { $0.append(error) } }
                }
                link.submitWrite([1], to: silent, .withResponse) { result in
                    if case .failure(let error) = result { ends.withLock { $0.append(error) } }
                }
                try await bench.pause(.seconds(1))
                try await bench.order([.disconnect])
                var events = link.events().makeAsyncIterator()
                _ = try await bench.end(of: &events)
                try await bench.wait("the ends", until: { ends.withLock { $0.count } >= 2 })
                // Time for a second completion, which must not come.
                try await bench.pause(.seconds(1))
                let errors = ends.withLock { $0 }
                try bench.equal(errors.map(\.kind), [.disconnected, .disconnected], "the ends")
                try bench.check(
                    errors.allSatisfy { $0.disconnectReason?.kind == .remote }, "\(errors)")
            },
            Check("a link that has ended can be used no more", of: .text) { bench, link, text in
                let record = try await bench.characteristic(.record, of: link)
                let second = try await bench.characteristic(.second, of: link)
                await link.disconnect()
                try await bench.fails(.disconnected, "reading") { try await link.read(text) }
                for mode in WriteMode.allCases {
                    try await bench.fails(.disconnected, "writing \(mode)") {
                        try await link.write([1], to: record, mode)
                    }
                }
                try await bench.fails(.disconnected, "subscribing") {
                    try await link.notifications(of: second)
                }
                try await bench.fails(.disconnected, "discovering") { try await link.services }
                var events = link.events().makeAsyncIterator()
                try bench.equal(
                    try await bench.end(of: &events)?.kind, .local, "a stream that comes late")
                try bench.equal(try await bench.device().written, [], "what arrived")
            },
            Check("a device that never answers loses its link", of: .silent, needs: .longWaits) {
                bench, link, silent in
                let error = try await bench.fails(.disconnected, "reading") {
                    try await link.read(silent)
                }
                try bench.equal(error.disconnectReason?.kind, .noResponse, "the reason")
                try bench.equal(link.disconnectReason?.kind, .noResponse, "the link's reason")
            },
            Check("a cancelled read or write ends at once, and the link goes on") { bench in
                for turns in [0, 1, 3, 10] {
                    let link = try await bench.connect()
                    let silent = try await bench.characteristic(.silent, of: link)
                    let reading = try await bench.cancelling(after: turns) {
                        try await link.read(silent)
                    }
                    try bench.isOver(reading, orElse: .disconnected)
                    let writing = try await bench.cancelling(after: turns) {
                        try await link.write([1], to: silent)
                    }
                    try bench.isOver(writing, orElse: .disconnected)
                    let hasJumped = try bench.hasJumped(reading) || bench.hasJumped(writing)
                    try bench.equal(link.disconnectReason != nil, hasJumped, "the link's end")
                    await link.disconnect()
                }
            },
            Check(
                "a sequence of values ends with its task, and another task continues it",
                of: .second
            ) { bench, link, second in
                let values = try await link.notifications(of: second)
                for turns in [0, 1, 3, 10] {
                    let result = try await bench.cancelling(after: turns) {
                        var iterator = values.makeAsyncIterator()
                        return try await iterator.next()
                    }
                    try bench.equal(try result.get(), nil, "a cancelled task's value")
                }
                try await bench.order([.send(.second, [9])])
                var iterator = values.makeAsyncIterator()
                try bench.equal(try await iterator.next()?.value, [9], "the next value")
            },
            Check("a cancelled subscription leaves the device switched off", of: .second) {
                bench, link, second in
                for turns in [0, 1, 2, 3, 5, 8] {
                    _ = try await bench.cancelling(after: turns) {
                        try await link.notifications(of: second)
                    }
                }
                try await bench.pause(.seconds(1))
                try await bench.device(
                    "it sends no more", until: { $0.subscriptions.last?.isOn != true })
                var values = try await link.notifications(of: second).makeAsyncIterator()
                try await bench.order([.send(.second, [3])])
                try bench.equal(try await values.next()?.value, [3], "the next value")
            },
            Check("cancelled discovery, scanning and waiting for events end at once") { bench in
                let impossible = ScanFilter(namePrefix: "No device is called so")
                for turns in [0, 1, 3, 10] {
                    let finding = try await bench.cancelling(after: turns) {
                        try await bench.transport.find(impossible, timeout: .seconds(60))
                    }
                    try bench.isOver(finding, orElse: .timedOut)
                    let scanning = try await bench.cancelling(after: turns) {
                        var scan = bench.transport.scan(impossible).makeAsyncIterator()
                        return try await scan.next()
                    }
                    try bench.equal(try scanning.get(), nil, "a cancelled task's discovery")
                }
                let link = try await bench.connect()
                let events = link.events()
                for turns in [0, 1, 3, 10] {
                    let listening = try await bench.cancelling(after: turns) {
                        for try await _ in events {}
                    }
                    try listening.get()
                    _ = try await bench.cancelling(after: turns) { try await link.services }
                }
                try bench.check(try await !link.services.isEmpty, "no services are found")
                await link.disconnect()
            },
            Check("a cancelled disconnect still closes the link") { bench in
                for turns in [0, 1, 3, 10] {
                    let link = try await bench.connect()
                    _ = try await bench.cancelling(after: turns) { await link.disconnect() }
                    try await bench.device("the device knows", until: { !$0.isConnected })
                }
            },
            Check("a sleep on the transport's clock can be cancelled") { bench in
                let result = try await bench.cancelling(after: 3) {
                    var isFirst = true
                    while isFirst || !Task.isCancelled {
                        isFirst = false
                        try await bench.pause(.seconds(1))
                    }
                    throw CancellationError()
                }
                let sleeping: Result<Void, any Error> = result.map { _ in }
                try bench.wasCancelled(sleeping)
            },
        ]
    }
}

extension ContractBench {
    /// Receives events until the last one; returns the reason of the link's end.
    func end(of events: inout LinkEvents.AsyncIterator) async throws -> DisconnectReason? {
        var last: DisconnectReason?
        while let received = try await events.next() {
            try check(last == nil, "something comes after the end")
            if case .disconnected(let reason) = received.event { last = reason }
        }
        return last
    }

    /// Returns `true` if virtual time has jumped to the end of a silent device's link.
    func hasJumped<Value>(_ result: Result<Value, any Error>) throws -> Bool {
        guard case .failure(let error as BLEError) = result else { return false }
        return error.disconnectReason?.kind == .noResponse
    }

    /// Throws a violation unless an operation was cancelled, or has failed with an error of the
    /// kind: virtual time may jump to the end of a wait before it can be cancelled.
    func isOver<Value>(_ result: Result<Value, any Error>, orElse kind: BLEError.Kind) throws {
        if case .failure(let error as BLEError) = result, error.kind == kind { return }
        try wasCancelled(result)
    }
}
