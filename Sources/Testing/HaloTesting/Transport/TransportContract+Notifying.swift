import HaloProtocol
import HaloTransport

extension TransportContract {
    /// The checks of notifications and indications.
    static var notifying: [Check] {
        [
            Check("a value that is sent as soon as somebody subscribes is not lost") { bench in
                let link = try await bench.connect()
                let first = try await bench.characteristic(.first, of: link)
                var values = try await link.notifications(of: first).makeAsyncIterator()
                try bench.equal(
                    try await bench.next(&values, "the greeting").value,
                    ContractPeripheral.greeting, "the first value")
                await link.disconnect()
            },
            Check("values come in the order in which they were sent, none twice") { bench in
                let link = try await bench.connect()
                let second = try await bench.characteristic(.second, of: link)
                var values = try await link.notifications(of: second).makeAsyncIterator()
                let sent = (0..<40).map { [UInt8($0)] }
                let sending = sent.map { ContractPeripheral.Instruction.send(.second, $0) }
                try await bench.order(sending)
                for value in sent {
                    let notification = try await bench.next(&values, "value \(value)")
                    try bench.equal(notification.value, value, "the next value")
                    try bench.equal(notification.lostBefore, 0, "lost before it")
                }
                await link.disconnect()
            },
            Check("a value that is to be confirmed arrives") { bench in
                let link = try await bench.connect()
                let confirmed = try await bench.characteristic(.confirmed, of: link)
                var values = try await link.notifications(of: confirmed).makeAsyncIterator()
                try await bench.order(.send(.confirmed, [1]), .send(.confirmed, [2]))
                for expected in [1, 2] as [UInt8] {
                    let notification = try await bench.next(&values, "value \(expected)")
                    try bench.equal(notification.value, [expected], "the next value")
                }
                await link.disconnect()
            },
            Check("the link's one stream keeps the order over all characteristics") { bench in
                let (link, events) = try await bench.echoes()
                let echo = try await bench.characteristic(.echo, of: link)
                let bytes: [UInt8] = [10, 11, 12, 13, 14, 15]
                try await link.write(bytes, to: echo)
                var seen: [[UInt8]] = []
                var iterator = events.makeAsyncIterator()
                while seen.count < bytes.count, let received = try await iterator.next() {
                    guard case .value(_, let value) = received.event,
                        value != ContractPeripheral.greeting
                    else { continue }
                    seen.append(value)
                }
                try bench.equal(seen, bytes.map { [$0] }, "what came")
                await link.disconnect()
            },
            Check("what a device sends before it answers comes before the answer") { bench in
                let (link, _) = try await bench.echoes()
                let echo = try await bench.characteristic(.echo, of: link)
                let order = Locked<[UInt8]>([])
                let observation = link.observe { event, _ in
                    if case .value(_, let value) = event, value != ContractPeripheral.greeting {
                        order.withLock { $0 += value }
                    }
                }
                let answered = Promise<Void, BLEError>(for: .write, on: bench.transport.time)
                link.submitWrite([1, 2, 3], to: echo, .withResponse) { result in
                    order.withLock { $0.append(UInt8.max) }
                    answered.resolve(result)
                }
                try await answered.value()
                try bench.equal(order.withLock { $0 }, [1, 2, 3, .max], "the order")
                observation.cancel()
                await link.disconnect()
            },
            Check("several listeners share one subscription, which the last one ends") { bench in
                try await bench.sharing()
            },
            Check("a new subscription gets values again") { bench in
                let link = try await bench.connect()
                let first = try await bench.characteristic(.first, of: link)
                for round in 1...3 {
                    var values = try await link.notifications(of: first).makeAsyncIterator()
                    let greeting = try await bench.next(&values, "round \(round)")
                    try bench.equal(greeting.value, ContractPeripheral.greeting, "the first value")
                }
                await link.disconnect()
            },
            Check("unread values are dropped, the oldest first, and counted") { bench in
                let link = try await bench.connect()
                let second = try await bench.characteristic(.second, of: link)
                let values = try await link.notifications(of: second, bufferLimit: 4)
                let sending = (0..<50).map {
                    ContractPeripheral.Instruction.send(.second, [UInt8($0)])
                }
                var events = link.events(bufferLimit: 100).makeAsyncIterator()
                try await bench.order(sending)
                for _ in 0..<50 { _ = try await events.next() }
                var iterator = values.makeAsyncIterator()
                var last: UInt8 = 0
                var count = 0
                while last != 49 {
                    let notification = try await bench.next(&iterator, "the rest")
                    last = notification.value.first ?? 49
                    count += 1 + notification.lostBefore
                }
                try bench.equal(count, 50, "values and losses together")
                await link.disconnect()
            },
        ]
    }
}

extension ContractBench {
    /// Connects, and subscribes to ``ContractAttribute/first`` and ``ContractAttribute/second``.
    /// Returns the link and the sequence of its events.
    func echoes() async throws -> (BLELink, LinkEvents) {
        let link = try await connect()
        let events = link.events()
        for attribute in [ContractAttribute.first, .second] {
            let characteristic = try await characteristic(attribute, of: link)
            let subscribed = Promise<Void, BLEError>(for: .subscribe, on: transport.time)
            _ = link.submitSubscription(to: characteristic) { subscribed.resolve($0) }
            try await subscribed.value()
        }
        return (link, events)
    }

    func sharing() async throws {
        let link = try await connect()
        let second = try await characteristic(.second, of: link)
        var one: Notifications? = try await link.notifications(of: second)
        var other: Notifications? = try await link.notifications(of: second)
        try await order(.send(.second, [1]))
        for values in [one, other] {
            var iterator = values?.makeAsyncIterator()
            try equal(try await iterator?.next()?.value, [1], "what each of both gets")
        }
        one = nil
        try await order(.send(.second, [2]))
        do {
            var iterator = other?.makeAsyncIterator()
            try equal(try await iterator?.next()?.value, [2], "what the other one gets")
        }
        var switches = try await device().subscriptions.map(\.isOn)
        try equal(switches, [true], "the device was switched")
        other = nil
        try await device("it is switched off", until: { $0.subscriptions.count >= 2 })
        switches = try await device().subscriptions.map(\.isOn)
        try equal(switches, [true, false], "the device was switched")
        await link.disconnect()
    }
}
