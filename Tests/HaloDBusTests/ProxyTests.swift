#if os(Linux)
import Synchronization
import Testing

@testable import HaloDBus

/// Proxies and sequences, as a program uses them, on each bus.
@Suite(.takesTurns) struct ProxyTests {
    private static let name = "org.example.Halo"
    private static let thing = DBusInterface(
        "org.example.Thing",
        methods: [
            .init(
                "Join", [.init("texts", .array(.string)), .init("number", .uint32)],
                returns: [.init("text", .string), .init("count", .uint32)])
        ],
        properties: [
            .init("Level", .byte, .readwrite), .init("Name", .string),
            .init("Hidden", .uint16, emitsChange: .invalidation),
        ],
        signals: [.init("Happened", [.init("what", .string), .init("where", .objectPath)])])

    private struct Bench {
        let bus: RunningBus
        let server: DBusConnection
        let client: DBusConnection
        let proxy: DBusProxy

        init(_ kind: TestBus) async throws {
            bus = try kind.start()
            server = try await bus.connect()
            let object = DBusObject(
                [thing],
                values: [
                    thing.name: ["Level": .byte(64), "Name": .string("Ring"), "Hidden": .uint16(1)]
                ])
            try server.export(object, at: path("/one")) { request in
                guard case .method = request.subject else { return request.accept() }
                let texts = request.arguments.first?.elements?.compactMap(\.string) ?? []
                let number = request.arguments.last?.integer ?? 0
                request.reply([
                    .string(texts.joined(separator: "-") + " \(number)"),
                    .uint32(UInt32(texts.count)),
                ])
            }
            try await server.requestName(name)
            client = try await bus.connect()
            proxy = client.proxy(destination: name, path: path("/one"), interface: thing.name)
        }

        func emit(_ texts: String..., at place: String = "/one") throws {
            for text in texts {
                try server.emit(
                    DBusSignal(
                        "Happened", of: thing.name, at: path(place),
                        [.string(text), .objectPath(path("/a/b"))]))
            }
        }

        /// Waits until the client has received all that the server has sent.
        func settle() async throws {
            _ = try await server.call(.bus(DBusMessageBus.getID))
            _ = try await client.call(.bus(DBusMessageBus.getID))
        }
    }

    private static func next(
        of sequence: DBusSequence<DBusSignal>
    ) async throws(DBusError) -> DBusSignal? {
        var iterator = sequence.makeAsyncIterator()
        return try await iterator.next()
    }

    @Test(arguments: TestBus.available)
    func methodsAndPropertiesHaveSwiftTypes(_ kind: TestBus) async throws {
        let bench = try await Bench(kind)
        defer { bench.bus.kill() }
        let proxy = bench.proxy
        let (text, count) = try await proxy.call("Join", ["a", "b"], UInt32(7))
            .values(String.self, Int.self)
        #expect(text == "a-b 7" && count == 2)
        #expect(try await proxy.get("Level", as: Int.self) == 64)
        try await proxy.set("Level", to: UInt8(5))
        #expect(try await proxy.get("Level", as: UInt8.self) == 5)
        #expect(
            try await proxy.getAll() == [
                "Level": .byte(5), "Name": .string("Ring"), "Hidden": .uint16(1),
            ])
        await #expect(
            throws: DBusError(.unexpectedReply, details: "a value of type s, not x")
        ) { try await proxy.get("Name", as: Int.self) }
        await #expect(throws: DBusError.self) { try await proxy.set("Name", to: "x") }
        do throws(DBusError) {
            try await proxy.call("None")
        } catch {
            #expect(error.kind == .remote && error.name == DBusErrorName.unknownMethod)
        }
    }

    @Test(arguments: TestBus.available)
    func signalsAreASequence(_ kind: TestBus) async throws {
        let bench = try await Bench(kind)
        defer { bench.bus.kill() }
        let signals = bench.proxy.signals("Happened")
        try await bench.settle()
        try bench.emit("a", "b")
        try bench.emit("elsewhere", at: "/two")
        try bench.emit("c")
        var heard: [String] = []
        for try await signal in signals {
            heard.append(try signal.values(String.self, DBusObjectPath.self).0)
            if heard.count == 3 { break }
        }
        #expect(heard == ["a", "b", "c"])
    }

    /// The bus and the connection agree which arguments match.
    @Test(arguments: TestBus.available)
    func argumentsAreMatched(_ kind: TestBus) async throws {
        let bench = try await Bench(kind)
        defer { bench.bus.kill() }
        let rules: [([Int: DBusMatchRule.Argument], [String])] = [
            ([0: "org.a"], ["org.a"]), ([0: .namespace("org.a")], ["org.a", "org.a.b"]),
            ([1: .path("/a/")], ["org.a", "org.ab", "org.a.b"]), ([1: "/a/b"], []), ([2: "x"], []),
        ]
        let sequences = rules.map {
            bench.client.signals(
                matching: DBusMatchRule(interface: Self.thing.name, arguments: $0.0))
        }
        try await bench.settle()
        try bench.emit("org.a", "org.ab", "org.a.b")
        try await bench.settle()
        bench.client.close()
        for (sequence, (arguments, expected)) in zip(sequences, rules) {
            var heard: [String] = []
            do throws(DBusError) {
                for try await signal in sequence { heard.append(signal.values[0].string ?? "") }
            } catch {
                #expect(error.kind == .disconnected)
            }
            #expect(heard == expected, "\(arguments)")
        }
    }

    @Test(arguments: TestBus.available)
    func propertyChangesAreASequence(_ kind: TestBus) async throws {
        let bench = try await Bench(kind)
        defer { bench.bus.kill() }
        let changes = bench.proxy.propertyChanges()
        try await bench.proxy.set("Level", to: UInt8(9))
        try bench.server.set(
            ["Name": .string("New"), "Hidden": .uint16(2)], of: Self.thing.name, at: path("/one"))
        var iterator = changes.makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(try first.value("Level", as: UInt8.self) == 9 && first.interface == Self.thing.name)
        #expect(try first.value("Name", as: String.self) == nil)
        let second = try #require(try await iterator.next())
        #expect(try second.value("Name", as: String.self) == "New")
        #expect(second.invalidated == ["Hidden"])
        #expect(throws: DBusError.self) { try second.value("Name", as: Int.self) }
    }

    @Test(arguments: TestBus.available)
    func aSequenceEndsWithItsTask(_ kind: TestBus) async throws {
        let bench = try await Bench(kind)
        defer { bench.bus.kill() }
        let signals = bench.proxy.signals()
        try await bench.settle()
        try bench.emit("a", "b")
        let count = Collector<Int>()
        let task = Task {
            for try await _ in signals { count.append(0) }
            return try await Self.next(of: signals) == nil
        }
        _ = try await count.wait(for: 2)
        task.cancel()
        #expect(try await task.value, "a cancelled task gets no elements")
        // Another task still does.
        try bench.emit("c")
        #expect(try await Self.next(of: signals)?.values.first == .string("c"))
    }

    /// The connection's end, the bus's refusal and an overflow are thrown once, after what is
    /// buffered.
    @Test(arguments: TestBus.available)
    func errorsEndASequence(_ kind: TestBus) async throws {
        let bench = try await Bench(kind)
        defer { bench.bus.kill() }
        let refused = bench.client.signals(matching: DBusMatchRule(arguments: [64: "x"]))
        let short = bench.proxy.signals("Happened", bufferLimit: 2)
        let long = bench.proxy.signals("Happened", bufferLimit: 3)
        try await bench.settle()
        try bench.emit("a", "b", "c")
        try await bench.settle()
        bench.bus.kill()
        for (sequence, expected, kind) in [
            (refused, 0, DBusError.Kind.remote), (short, 2, .limitExceeded),
            (long, 3, .disconnected),
        ] {
            var (count, iterator) = (0, sequence.makeAsyncIterator())
            do throws(DBusError) {
                while try await iterator.next() != nil { count += 1 }
                Issue.record("nothing is thrown")
            } catch {
                #expect(error.kind == kind)
            }
            #expect(count == expected)
            #expect(try await iterator.next() == nil)
        }
        // A sequence of a connection that has ended.
        await #expect(throws: DBusError.self) {
            try await Self.next(of: bench.proxy.signals())
        }
    }

    @Test func aSequenceHoldsItsConnectionAndUnsubscribes() async throws {
        let bench = try await Bench(.own)
        func makeSequence() async throws -> DBusSequence<DBusSignal> {
            let connection = try await bench.bus.connect()
            let signals = connection.proxy(
                destination: Self.name, path: path("/one"), interface: Self.thing.name
            ).signals()
            // The bus has the rule when it replies.
            _ = try await connection.call(.bus(DBusMessageBus.getID))
            return signals
        }
        let signals = try await makeSequence()
        try bench.emit("a")
        #expect(try await Self.next(of: signals)?.values.first == .string("a"))
        // Released, a sequence of the client is no subscription any more.
        _ = bench.proxy.signals()
        #expect(bench.client.hub.state.withLock { $0.subscribers.isEmpty })
        _ = bench.proxy.propertyChanges().makeAsyncIterator()
        #expect(bench.client.hub.state.withLock { $0.session.matching.count } == 0)
    }

    /// Each element goes to one waiter, in order; the error to one, the end to the others.
    @Test func waitersShareABuffer() async throws {
        let buffer = DBusBuffer<Int>(limit: 0)
        let results = Collector<String>()
        let tasks = (0..<3).map { _ in
            Task {
                do throws(DBusError) {
                    while let number = try await buffer.next() { results.append("\(number)") }
                    results.append("end")
                } catch {
                    results.append("\(error.kind)")
                }
            }
        }
        for number in 1...20 {
            buffer.append(number)
            _ = try await results.wait(for: number)
        }
        buffer.finish(DBusError(.disconnected))
        buffer.finish(DBusError(.timedOut))
        buffer.append(21)
        for task in tasks { await task.value }
        let expected = (1...20).map(String.init) + ["\(DBusError.Kind.disconnected)", "end", "end"]
        #expect(results.all.sorted() == expected.sorted())
    }
}
#endif
