import HaloTransport

extension TransportContract {
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
                try await bench.order(.send(.second, [7]), .disconnect)
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
                try await bench.order(.disconnect)
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
}
