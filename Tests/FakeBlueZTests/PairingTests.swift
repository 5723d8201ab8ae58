#if os(Linux)
import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport
import Testing

/// Pairing with somebody who answers for the person; the table of errors has it without.
@Suite("Pairing", .takesTurns) struct PairingTests {
    /// Registers an agent that says yes or no.
    private func register(_ bench: FakeBench, says isYes: Bool) async throws {
        let path = try DBusObjectPath("/agent")
        try bench.client.connection.export(DBusObject([Agent1.interface]), at: path) { request in
            isYes ? request.reply() : request.refuse(DBusRefusal(BlueZErrorName.rejected))
        }
        let answer = await bench.client.say(
            AgentManager1.registerAgent, AgentManager1.interfaceName, BlueZDaemon.root,
            .objectPath(path), .string("NoInputNoOutput"))
        #expect(answer == "OK")
    }

    @Test func anAgentThatSaysYes() async throws {
        let bench = try await FakeBench.connected()
        try await register(bench, says: true)
        bench.client.forget()
        #expect(await bench.tell(Device1.pair) == "OK")
        #expect(bench.life == ["Bonded=true Paired=true"])
        #expect(
            await bench.tell(Device1.pair)
                == "org.bluez.Error.AlreadyExists: Already Exists")
        #expect(await bench.read(.encrypted) == "OK")
        #expect(await bench.start(.encryptedValues) == "OK")
    }

    @Test func anAgentThatSaysNo() async throws {
        let bench = try await FakeBench.connected()
        try await register(bench, says: false)
        #expect(
            await bench.tell(Device1.pair)
                == "org.bluez.Error.AuthenticationFailed: Authentication Failed")
        #expect(!bench.hosted.isConnected)
    }

    /// What needs encryption pairs by itself, and so does `Pair` connect.
    @Test func pairingBesides() async throws {
        let bench = try await FakeBench.connected()
        try await register(bench, says: true)
        #expect(await bench.read(.encrypted) == "OK")
        try await bench.client.hears("Paired=true")
        let other = try await FakeBench.found()
        try await register(other, says: true)
        #expect(await other.tell(Device1.pair) == "OK")
        #expect(other.hosted.isConnected)
    }

    @Test func aDeviceThatDoesNotAnswerAfterwardsIsLeft() async throws {
        let bench = try await FakeBench.connected(
            timing: FakeTiming(answering: .milliseconds(50)))
        try await register(bench, says: true)
        #expect(
            await bench.read(.encryptedSilent)
                == "org.bluez.Error.Failed: Operation failed with ATT error: 0x0e")
        try await bench.client.hears("Connected=false")
    }

    @Test func anotherAddressAfterwards() async throws {
        var quirks = FakeQuirks()
        quirks.addressAfterPairing = "C0:00:00:00:00:99"
        let bench = try await FakeBench.connected(quirks: quirks)
        try await register(bench, says: true)
        #expect(await bench.tell(Device1.pair) == "OK")
        try await bench.client.hears("Address=C0:00:00:00:00:99")
        #expect(await bench.read(.plain) == "OK")
    }
}
#endif
