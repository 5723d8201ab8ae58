import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport
import TestSupport
import Testing

/// The replies of the real daemon, 5.66, in each situation; those of the fake daemon are the same.
@Suite("Errors, row by row", .takesTurns) struct ErrorTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: [String]
        let act: @Sendable (FakeBench) async throws -> [String]

        init(
            _ situation: String, _ expected: String...,
            act: @escaping @Sendable (FakeBench) async throws -> [String]
        ) {
            testDescription = situation
            self.expected = expected
            self.act = act
        }
    }

    private static let failed = "org.bluez.Error.Failed"
    private static let unknown = "org.freedesktop.DBus.Error.Unknown"
    private static let notReady = "org.bluez.Error.NotReady: Resource Not Ready"
    private static let inProgress = "org.bluez.Error.InProgress"
    private static let invalid = "org.bluez.Error.InvalidArguments"
    private static let notSupported =
        "org.bluez.Error.NotSupported: Operation is not supported"

    /// Rows about adapters, and about known devices without a connection.
    private static let unconnected = [
        Row(
            "a search with the adapter off", "OK", notReady, notReady, notReady, "OK", "OK"
        ) { bench in
            func power(_ isOn: Bool) async -> String {
                await bench.client.set(
                    Adapter1.powered, Adapter1.interfaceName, FakeBench.adapter, .boolean(isOn))
            }
            return [
                await power(false), await bench.ask(Adapter1.startDiscovery),
                await bench.ask(Adapter1.setDiscoveryFilter, .properties([:])),
                await bench.ask(Adapter1.stopDiscovery), await power(true),
                await bench.ask(Adapter1.startDiscovery),
            ]
        },
        Row("the end of no search", "OK", "\(failed): No discovery started") { bench in
            [await bench.ask(Adapter1.stopDiscovery), await bench.ask(Adapter1.stopDiscovery)]
        },
        Row("a second search", "\(inProgress): Operation already in progress") { bench in
            [await bench.ask(Adapter1.startDiscovery)]
        },
        Row(
            "filters that make no sense", "\(invalid): Invalid arguments in method call",
            "\(invalid): Invalid arguments in method call", "OK"
        ) { bench in
            func set(_ key: String, _ value: DBusValue) async -> String {
                await bench.ask(Adapter1.setDiscoveryFilter, .properties([key: value]))
            }
            return [
                await set("Nonsense", .boolean(true)), await set("Transport", .string("zzz")),
                await set("Transport", .string("le")),
            ]
        },
        Row(
            "what is not there", "org.bluez.Error.DoesNotExist: Does Not Exist",
            "org.bluez.Error.DoesNotExist: Does Not Exist"
        ) { bench in
            [
                await bench.ask(Adapter1.removeDevice, .objectPath(.root)),
                await bench.tell(Device1.cancelPairing),
            ]
        },
        Row("the end of no link", "OK") { bench in [await bench.tell(Device1.disconnect)] },
        Row("two attempts at once", "OK", "OK", "OK") { bench in
            async let first = bench.tell(Device1.connect)
            async let second = bench.tell(Device1.connect)
            return [await first, await second, await bench.tell(Device1.connect)]
        },
        Row(
            "a second attempt at it, and the end of both",
            "\(failed): Operation already in progress", "OK",
            "\(failed): br-connection-canceled"
        ) { bench in
            bench.fake.setAway(true, for: PeripheralIdentity(FakeBench.address))
            let first = try await bench.begin(Device1.connect)
            return [
                await bench.tell(Device1.connect), await bench.tell(Device1.disconnect),
                try await first.value(),
            ]
        },
        Row(
            "a link with the adapter off", "OK", "OK", "\(failed): Input/output error", notReady
        ) { bench in
            let before = [
                await bench.tell(Device1.connect), await bench.tell(Device1.disconnect),
            ]
            bench.fake.setPowered(false)
            return before + [
                await bench.tell(Device1.connect),
                await bench.ask(Adapter1.removeDevice, .objectPath(path(FakeBench.device))),
            ]
        },
        Row(
            "a device that was removed", "OK",
            "\(unknown)Object: Method \"Connect\" with signature \"\" on interface "
                + "\"org.bluez.Device1\" doesn't exist\n"
        ) { bench in
            [
                await bench.ask(Adapter1.removeDevice, .objectPath(path(FakeBench.device))),
                await bench.tell(Device1.connect),
            ]
        },
        Row(
            "an experimental method",
            "\(unknown)Method: Method \"ConnectDevice\" with signature \"a{sv}\" on interface "
                + "\"org.bluez.Adapter1\" doesn't exist\n"
        ) { bench in
            [await bench.ask("ConnectDevice", .properties([:]))]
        },
        Row("a switch of the kernel", "\(failed): Failed") { bench in
            bench.fake.setBlocked(true)
            return [
                await bench.client.set(
                    Adapter1.powered, Adapter1.interfaceName, FakeBench.adapter, .boolean(true))
            ]
        },
    ]

    private static func path(_ text: String) -> DBusObjectPath {
        (try? DBusObjectPath(text)) ?? .root
    }

    /// The error's name without its text.
    private static func name(_ answer: String) -> String {
        String(answer.prefix { $0 != ":" })
    }

    @Test(arguments: unconnected)
    func repliesAsTheDaemon(_ row: Row) async throws {
        let bench = try await FakeBench.found(timing: FakeTiming(unreachable: .seconds(50)))
        #expect(try await row.act(bench) == row.expected)
    }

    @Test func aDeviceThatIsNotThere() async throws {
        let bench = try await FakeBench.found(timing: FakeTiming(unreachable: .milliseconds(20)))
        bench.fake.setAway(true, for: PeripheralIdentity(FakeBench.address))
        #expect(await bench.tell(Device1.connect) == "\(Self.failed): le-connection-abort-by-local")
    }

    // MARK: - With a link

    private static let connected = [
        Row(
            "reads", "OK", "org.bluez.Error.NotPermitted: Read not permitted",
            "org.bluez.Error.NotPermitted: Read not permitted",
            "\(failed): Operation failed with ATT error: 0xfe"
        ) { bench in
            [
                await bench.read(.plain), await bench.read(.refusesReads),
                await bench.read(.writeOnly), await bench.read(.inProgress),
            ]
        },
        Row("places in a value", "OK", "OK", "\(invalid): Invalid offset") { bench in
            [
                await bench.read(.long),
                await bench.read(.long, .properties(["offset": .uint16(500)])),
                await bench.read(.long, .properties(["offset": .uint16(600)])),
            ]
        },
        Row(
            "writes", "OK", "OK", "org.bluez.Error.NotAuthorized: Operation Not Authorized",
            "\(failed): Operation failed with ATT error: 0x80", notSupported
        ) { bench in
            [
                await bench.write(.plain, [1]), await bench.write(.plain, []),
                await bench.write(.refusesWrites, [1]), await bench.write(.ownError, [1]),
                await bench.write(.values, [1]),
            ]
        },
        Row("a command to what wants requests", "OK") { bench in
            [await bench.write(.writeOnly, [1], .properties(["type": .string("command")]))]
        },
        Row("too long a value", "OK", "\(invalid): Invalid Length", "OK") { bench in
            [
                await bench.write(.plain, [UInt8](repeating: 1, count: 512)),
                await bench.write(.plain, [UInt8](repeating: 1, count: 513)),
                await bench.write(.plain, [1]),
            ]
        },
        Row(
            "writing into the middle of a value", "\(invalid): Invalid offset",
            "\(invalid): Invalid Length", "OK"
        ) { bench in
            [
                await bench.write(.plain, [1], .properties(["offset": .uint16(2)])),
                await bench.write(.plain, [1], .properties(["offset": .uint16(512)])),
                await bench.write(.plain, [1], .properties(["offset": .uint16(0)])),
            ]
        },
        Row(
            "what a characteristic cannot do", notSupported, notSupported,
            "\(failed): No notify session started"
        ) { bench in
            [
                await bench.start(.plain),
                await bench.use(.plain, GattCharacteristic1.acquireWrite, FakeBench.options),
                await bench.stop(.values),
            ]
        },
        Row(
            "a socket beside signals", "OK", "OK", "\(inProgress): In Progress", "OK"
        ) { bench in
            [
                await bench.start(.values), await bench.start(.values),
                await bench.use(.values, GattCharacteristic1.acquireNotify, FakeBench.options),
                await bench.stop(.values),
            ]
        },
        Row("values of a kind that is confirmed", "OK") { bench in
            [await bench.start(.confirmed)]
        },
        Row("reads at the same time", "OK", "OK", "OK") { bench in
            async let first = bench.read(.plain)
            async let second = bench.read(.plain)
            async let third = bench.read(.long)
            return [await first, await second, await third]
        },
        Row(
            "a read without an answer, and the link lost",
            "\(failed): Operation failed with ATT error: 0x0e"
        ) { bench in
            let read = try await bench.begin(
                .silent, GattCharacteristic1.readValue, FakeBench.options)
            bench.fake.loseLink(PeripheralIdentity(FakeBench.address))
            return [try await read.value()]
        },
        Row(
            "something encrypted, and nobody to ask",
            "\(failed): Operation failed with ATT error: 0x0e", "\(failed): Not connected"
        ) { bench in
            [await bench.read(.encrypted), await bench.read(.plain)]
        },
        Row(
            "pairing, and nobody to ask",
            "org.bluez.Error.AuthenticationFailed: Authentication Failed",
            "\(failed): Not connected"
        ) { bench in
            [await bench.tell(Device1.pair), await bench.read(.plain)]
        },
        Row(
            "no link any more", "OK", "\(failed): Not connected", "\(failed): Not connected",
            "\(failed): Not connected", "OK", "\(inProgress): In Progress", "OK"
        ) { bench in
            [
                await bench.tell(Device1.disconnect), await bench.read(.plain),
                await bench.write(.plain, [1]),
                await bench.use(.values, GattCharacteristic1.acquireNotify, FakeBench.options),
                await bench.start(.values), await bench.start(.values), await bench.stop(.values),
            ]
        },
    ]

    @Test(arguments: connected)
    func repliesAsTheDaemonOnALink(_ row: Row) async throws {
        let bench = try await FakeBench.connected()
        #expect(try await row.act(bench) == row.expected)
    }

    @Test func sockets() async throws {
        let bench = try await FakeBench.connected()
        let acquired = await bench.client.call(
            GattCharacteristic1.acquireNotify, GattCharacteristic1.interfaceName,
            FakeBench.path(.values), FakeBench.options)
        #expect(throws: Never.self) { try acquired.get() }
        let taken = "org.bluez.Error.NotPermitted: Notify acquired"
        #expect(await bench.start(.values) == taken)
        #expect(
            await bench.use(.values, GattCharacteristic1.acquireNotify, FakeBench.options)
                == taken)
        withExtendedLifetime(acquired) {}
    }

    /// Without the daemon, the bus replies with its standard errors.
    @Test func noDaemon() async throws {
        let bench = try await FakeBench.connected()
        let read = try await bench.begin(
            .silent, GattCharacteristic1.readValue, FakeBench.options)
        await bench.fake.kill()
        #expect(Self.name(try await read.value()) == "org.freedesktop.DBus.Error.NoReply")
        #expect(
            Self.name(await bench.tell(Device1.connect))
                == "org.freedesktop.DBus.Error.ServiceUnknown")
    }

    /// A `Connect` gets no reply if the adapter is switched off meanwhile.
    @Test func noAnswerAtAll() async throws {
        let bench = try await FakeBench.found(timing: FakeTiming(unreachable: .seconds(50)))
        bench.fake.setAway(true, for: PeripheralIdentity(FakeBench.address))
        let connect = try await bench.client.begin(
            Device1.connect, Device1.interfaceName, FakeBench.device, timeout: .milliseconds(300))
        bench.fake.setPowered(false)
        #expect(try await connect.value() == "\(DBusError.Kind.timedOut): ")
    }
}
