import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport
import TestSupport
import Testing

/// Pairing with an agent. The table of errors has the cases without one.
@Suite("Pairing", .takesTurns) struct PairingTests {
    /// Registers an agent that confirms or rejects.
    private func register(_ bench: FakeBench, says isYes: Bool) async throws {
        let path = try DBusObjectPath("/agent")
        try bench.client.connection.export(DBusObject([Agent1.interface]), at: path) { request in
            isYes ? request.reply() : request.refuse(DBusRefusal(BlueZErrorName.rejected))
        }
        let answer = await bench.client.say(
            AgentManager1.registerAgent, AgentManager1.interfaceName, BlueZDaemon.root.text,
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

    /// The next link to a bonded device is encrypted from the beginning: no agent is needed.
    @Test func theSecondLinkOfABondedDeviceIsEncrypted() async throws {
        let bench = try await FakeBench.connected()
        try await register(bench, says: true)
        #expect(await bench.tell(Device1.pair) == "OK")
        let agent = try DBusObjectPath("/agent")
        #expect(
            await bench.client.say(
                AgentManager1.unregisterAgent, AgentManager1.interfaceName, BlueZDaemon.root.text,
                .objectPath(agent)) == "OK")
        #expect(await bench.tell(Device1.disconnect) == "OK")
        bench.client.forget()
        #expect(await bench.tell(Device1.connect) == "OK")
        try await bench.client.hears("ServicesResolved=true")
        #expect(await bench.read(.encrypted) == "OK")
        #expect(await bench.start(.encryptedValues) == "OK")
        #expect(!bench.life.contains { $0.contains("Paired") || $0.contains("Bonded") })
        #expect(bench.hosted.isConnected)
    }

    /// `Pair` needs an agent, but does not ask it, as on 5.66.
    @Test func anAgentThatSaysNo() async throws {
        let bench = try await FakeBench.connected()
        try await register(bench, says: false)
        #expect(await bench.tell(Device1.pair) == "OK")
        let other = try await FakeBench.connected()
        try await register(other, says: false)
        #expect(
            await other.read(.encrypted)
                == "org.bluez.Error.Failed: Operation failed with ATT error: 0x0e")
        #expect(!other.hosted.isConnected)
    }

    /// The default among three agents, registered in this order: `a`, `b`, `c`.
    enum Turn: CaseIterable, Sendable {
        case noMethods, firstIsUnregistered, firstLeaves, lastIsMadeDefault

        /// The agent that is asked.
        var asked: String {
            switch self {
            case .noMethods: "a"
            case .firstIsUnregistered, .firstLeaves: "b"
            case .lastIsMadeDefault: "c"
            }
        }
    }

    /// The first agent of all is the default one; when it goes, the next one is (`src/agent.c`).
    @Test(arguments: Turn.allCases)
    func theFirstAgentIsTheDefaultOne(_ turn: Turn) async throws {
        let asked = Locked<[String]>([])
        let bench = try await FakeBench.connected()
        let path = try DBusObjectPath("/agent")
        var clients: [FakeClient] = []
        for name in ["a", "b", "c"] {
            let client = try await FakeClient(bench.fake)
            try client.connection.export(DBusObject([Agent1.interface]), at: path) { request in
                asked.withLock { $0.append("\(name): \(request.member)") }
                request.reply()
            }
            #expect(await tell(AgentManager1.registerAgent, client, .string("DisplayOnly")) == "OK")
            clients.append(client)
        }
        switch turn {
        case .noMethods: break
        case .firstIsUnregistered:
            #expect(await tell(AgentManager1.unregisterAgent, clients[0]) == "OK")
        case .firstLeaves:
            let name = try #require(clients[0].connection.uniqueName)
            clients[0].connection.close()
            while try await bench.client.connection.owner(of: name, timeout: .seconds(20)) != nil {}
            // The bus has said so to the daemon before it passes on what another one asks.
            #expect(await tell(AgentManager1.unregisterAgent, clients[2]) == "OK")
        case .lastIsMadeDefault:
            #expect(await tell(AgentManager1.requestDefaultAgent, clients[2]) == "OK")
        }
        #expect(await bench.read(.encrypted) == "OK")
        #expect(asked.withLock { $0 } == ["\(turn.asked): \(Agent1.requestAuthorization)"])
        withExtendedLifetime(clients) {}
    }

    private func tell(
        _ member: String, _ client: FakeClient, _ more: DBusValue...
    ) async -> String {
        guard let path = try? DBusObjectPath("/agent") else { return "no path" }
        let (interface, root) = (AgentManager1.interfaceName, BlueZDaemon.root.text)
        guard let last = more.first else {
            return await client.say(member, interface, root, .objectPath(path))
        }
        return await client.say(member, interface, root, .objectPath(path), last)
    }

    /// An operation that needs encryption pairs; `Pair` connects.
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

    @Test func aDeviceThatDoesNotAnswerAfterPairingIsDisconnected() async throws {
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
