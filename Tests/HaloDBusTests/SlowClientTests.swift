#if os(Linux)
import Testing

@testable import HaloDBus

/// Clients of the private bus that do not take what is sent to them.
@Suite(.takesTurns) struct SlowClientTests {
    /// Of what is not taken, little is kept; nobody waits for it long, or everybody for ever.
    private static let hasty = BusPatience(highWater: 1 << 18, longest: 0)
    private static let patient = BusPatience(highWater: 1 << 14, longest: .max)

    private static let page = DBusValue.string(String(repeating: "a", count: 1 << 14))
    private static let loud = "org.example.Loud"

    @Test func whoTakesNothingIsCutOffAndOthersGoOn() async throws {
        let bus = try PrivateBus(Self.hasty)
        let deaf = try DeafClient(bus)
        let talker = try await bus.connect()
        let other = try await bus.connect()
        // 1.6 MB, of which the bus and the system keep less than the half.
        let results = Collector<Bool>()
        for _ in 0..<100 {
            let call = DBusCall("Say", of: Self.loud, at: .root, on: deaf.name, [Self.page])
            talker.call(call) { results.append($0.isSuccess) }
        }
        for _ in 0..<100 { _ = try await other.call(.bus("GetId")) }
        #expect(try await results.wait(for: 100) == [Bool](repeating: false, count: 100))
        #expect(try await other.names().contains(deaf.name) == false)
        #expect(try await talker.names().contains(other.uniqueName ?? ""))
        // What it had been sent is there, and then it ends.
        var count = 0
        while try deaf.next() != nil { count += 1 }
        #expect(count < 100)
    }

    @Test func whoIsSlowHoldsUpTheSenderAndMissesNothing() async throws {
        let bus = try PrivateBus(Self.patient)
        let deaf = try DeafClient(bus)
        #expect(try deaf.ask("AddMatch", [.string("type='signal',interface='\(Self.loud)'")]))
        #expect(try deaf.next() != nil)
        #expect(try deaf.next() != nil)
        let talker = try await bus.connect()
        let other = try await bus.connect()
        for number in UInt32(0)..<500 {
            try talker.emit(
                DBusSignal("Said", of: Self.loud, at: .root, [.uint32(number), Self.page]))
        }
        let answers = Collector<Bool>()
        talker.call(.bus("GetId"), timeout: .seconds(600)) { answers.append($0.isSuccess) }
        for _ in 0..<100 { _ = try await other.call(.bus("GetId")) }
        #expect(answers.all.isEmpty)
        for number in UInt32(0)..<500 {
            #expect(try deaf.next()?.body.first == .uint32(number))
        }
        #expect(try await answers.wait(for: 1) == [true])
    }

    @Test func whoAsksAndDoesNotListenIsCutOff() async throws {
        let bus = try PrivateBus(Self.hasty)
        let deaf = try DeafClient(bus)
        var count = 0
        while count < 100_000, try deaf.ask("GetId") { count += 1 }
        #expect(count < 100_000)
        let other = try await bus.connect()
        #expect(try await other.names().contains(deaf.name) == false)
    }

    @Test func whoSubscribesAndDoesNotListenIsCutOff() async throws {
        let bus = try PrivateBus(Self.hasty)
        let deaf = try DeafClient(bus)
        #expect(try deaf.ask("AddMatch", [.string("member='NameOwnerChanged'")]))
        let other = try await bus.connect()
        var rounds = 0
        while rounds < 20_000, try await other.names().contains(deaf.name) {
            for _ in 0..<50 {
                _ = try await other.requestName(Self.loud)
                _ = try await other.releaseName(Self.loud)
            }
            rounds += 50
        }
        #expect(rounds < 20_000)
    }
}
#endif
