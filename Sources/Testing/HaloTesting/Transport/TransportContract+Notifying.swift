import HaloTransport

extension TransportContract {
    /// Subscriptions and the values that a device sends.
    static var notifying: [Check] {
        [
            Check("a value that is sent as soon as somebody subscribes is not lost", of: .first) {
                bench, link, first in
                var values = try await link.notifications(of: first).makeAsyncIterator()
                try bench.equal(
                    try await bench.next(&values, "the greeting").value,
                    ContractPeripheral.greeting, "the first value")
            },
            Check("values come in the order in which they were sent, none twice", of: .second) {
                bench, link, second in
                var values = try await link.notifications(of: second).makeAsyncIterator()
                let sent = (0..<40).map { [UInt8($0)] }
                let sending = sent.map { ContractPeripheral.Instruction.send(.second, $0) }
                try await bench.order(sending)
                for value in sent {
                    let notification = try await bench.next(&values, "value \(value)")
                    try bench.equal(notification.value, value, "the next value")
                    try bench.equal(notification.lostBefore, 0, "lost before it")
                }
            },
            Check("a value that is to be confirmed arrives", of: .confirmed) {
                bench, link, confirmed in
                var values = try await link.notifications(of: confirmed).makeAsyncIterator()
                try await bench.order([.send(.confirmed, [1]), .send(.confirmed, [2])])
                for expected in [1, 2] as [UInt8] {
                    let notification = try await bench.next(&values, "value \(expected)")
                    try bench.equal(notification.value, [expected], "the next value")
                }
            },
            Check("the link's one stream keeps the order over all characteristics", of: .echo) {
                bench, link, echo in
                let events = try await bench.echoes(of: link)
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
            },
            Check("what a device sends before it answers comes before the answer", of: .echo) {
                bench, link, echo in
                _ = try await bench.echoes(of: link)
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
            },
            Check(
                "several listeners share one subscription, which the last one ends", of: .second
            ) { bench, link, second in try await bench.sharing(link, second) },
            Check("a new subscription gets values again", of: .first) { bench, link, first in
                for round in 1...3 {
                    var values = try await link.notifications(of: first).makeAsyncIterator()
                    let greeting = try await bench.next(&values, "round \(round)")
                    try bench.equal(greeting.value, ContractPeripheral.greeting, "the first value")
                }
            },
            Check("unread values are dropped, the oldest first, and counted", of: .second) {
                bench, link, second in
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
            },
        ]
    }
}

extension ContractBench {
    /// Subscribes to ``ContractAttribute/first`` and ``ContractAttribute/second``, and returns the
    /// sequence of the link's events.
    func echoes(of link: BLELink) async throws -> LinkEvents {
        let events = link.events()
        for attribute in [ContractAttribute.first, .second] {
            let characteristic = try await characteristic(attribute, of: link)
            let subscribed = Promise<Void, BLEError>(for: .subscribe, on: transport.time)
            _ = link.submitSubscription(to: characteristic) { subscribed.resolve($0) }
            try await subscribed.value()
        }
        return events
    }

    func sharing(_ link: BLELink, _ second: GATTCharacteristic) async throws {
        var one: Notifications? = try await link.notifications(of: second)
        var other: Notifications? = try await link.notifications(of: second)
        try await order([.send(.second, [1])])
        for values in [one, other] {
            var iterator = values?.makeAsyncIterator()
            try equal(try await iterator?.next()?.value, [1], "what each of both gets")
        }
        one = nil
        try await order([.send(.second, [2])])
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
    }
}
