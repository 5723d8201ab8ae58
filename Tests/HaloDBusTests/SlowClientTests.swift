#if os(Linux)
import Testing

@testable import HaloDBus

/// Slow clients of a bus.
@Suite(.takesTurns) struct SlowClientTests {
    private static let page = DBusValue.string(String(repeating: "a", count: 1 << 14))
    private static let loud = "org.example.Loud"

    private static func said(_ number: UInt32) -> DBusSignal {
        DBusSignal("Said", of: loud, at: .root, [.uint32(number), page])
    }

    private static func subscribe(_ deaf: DeafClient) throws {
        #expect(try deaf.ask("AddMatch", [.string("type='signal',interface='\(loud)'")]))
        while let message = try deaf.next(), message.type != .reply {}
    }

    /// The number of the next signal; other messages are skipped.
    private static func number(_ deaf: DeafClient) throws -> DBusValue? {
        while let message = try deaf.next() {
            if message.member == "Said" { return message.body.first }
        }
        return nil
    }

    @Test(arguments: TestBus.available)
    func aSlowClientDelaysNoOtherAndLosesNothing(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let deaf = try DeafClient(bus)
        try Self.subscribe(deaf)
        let talker = try await bus.connect()
        // Far more than the system buffers for a socket.
        for number in UInt32(0)..<500 { try talker.emit(Self.said(number)) }
        #expect(try await talker.names().contains(deaf.name))
        for number in UInt32(0)..<500 {
            #expect(try Self.number(deaf) == .uint32(number))
        }
    }

    @Test func callsToAFullClientFail() async throws {
        let bus = try PrivateBus(bufferLimit: 1 << 18)
        let deaf = try DeafClient(bus)
        let talker = try await bus.connect()
        let errors = Collector<DBusError?>()
        for _ in 0..<100 {
            let call = DBusCall("Say", of: Self.loud, at: .root, on: deaf.name, [Self.page])
            talker.call(call, timeout: .seconds(600)) { result in
                if case .failure(let error) = result { errors.append(error) }
            }
        }
        // 1.6 MB, of which the bus and the system buffer less than half.
        _ = try await errors.wait(for: 50)
        #expect(try await talker.names().contains(deaf.name))
        let refused = errors.all.compactMap(\.self)
        #expect(refused.allSatisfy { $0.name == "org.freedesktop.DBus.Error.LimitsExceeded" })
        // All calls that were not refused have arrived; then the client works as before.
        for _ in refused.count..<100 {
            while let message = try deaf.next(), message.member != "Say" {}
        }
        try Self.subscribe(deaf)
        try talker.emit(Self.said(1))
        #expect(try Self.number(deaf) == .uint32(1))
        #expect(errors.all.count == refused.count)
    }

    @Test func signalsToAFullClientAreLost() async throws {
        let bus = try PrivateBus(bufferLimit: 1 << 18)
        let deaf = try DeafClient(bus)
        try Self.subscribe(deaf)
        let talker = try await bus.connect()
        for number in UInt32(0)..<100 { try talker.emit(Self.said(number)) }
        _ = try await talker.names()
        var count: UInt32 = 0
        while case .uint32(count)? = try Self.number(deaf), count < 20 { count += 1 }
        #expect(count == 20, "the first ones have come, in order")
        // There is room again; the next signal that arrives is not the next that was emitted.
        try talker.emit(Self.said(1000))
        var numbers: [DBusValue] = []
        while let number = try Self.number(deaf), number != .uint32(1000) {
            numbers.append(number)
        }
        #expect(!numbers.contains(.uint32(99)))
    }

    /// Replies of the bus itself are lost, too.
    @Test func repliesToAFullClientAreLost() async throws {
        let bus = try PrivateBus(bufferLimit: 1 << 18)
        let deaf = try DeafClient(bus)
        for _ in 0..<20_000 { #expect(try deaf.ask("GetId")) }
        let other = try await bus.connect()
        #expect(try await other.names().contains(deaf.name))
        #expect(try deaf.next()?.member == "NameAcquired")
        // More than the system buffers for a socket: the bus has room again.
        for _ in 0..<1000 { #expect(try deaf.next()?.body == [.string(bus.id)]) }
        #expect(try deaf.ask("NameHasOwner", [.string(deaf.name)]))
        var count = 1000
        while let message = try deaf.next(), message.body != [.boolean(true)] { count += 1 }
        #expect(count < 20_000)
    }
}
#endif
