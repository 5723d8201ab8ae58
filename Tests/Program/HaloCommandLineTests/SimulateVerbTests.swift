import Foundation
import HaloDBus
import HaloTransport
import TestSupport
import Testing

/// Devices for other programs: `halo simulate ring` and `halo simulate strap`.
@Suite(.waitsForPrograms) struct SimulateVerbTests {
    private let folder = TestFolder()

    #if os(Linux)
    /// The other wrong uses are recorded in `Usage.txt`; the message of this one lists all models.
    @Test(arguments: [
        ["demo", "--model", "r99"], ["record", "--virtual=r99", "--out", "a"],
        ["replay", "--against", "r99", "a"],
        ["simulate", "ring", "--fake-bluez", "--model", "r99"],
        ["simulate", "ring", "--fake-bluez", "--with", "r99"],
    ])
    func refusesUnknownModels(arguments: [String]) async throws {
        let outcome = try await CommandLineProgram.call(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errorOutput.hasPrefix("halo: "))
        #expect(outcome.errorOutput.contains("'halo help \(arguments[0])' says more."))
    }

    @Test(arguments: [(31, 0), (32, 2)])
    func simulatesAtMostThirtyTwoDevices(more: Int, status: Int32) throws {
        let others = Array(repeating: ["--with", "strap"], count: more).flatMap { $0 }
        let outcome = try CommandLineProgram.run(
            ["simulate", "ring", "--fake-bluez", "--adapters", "16"] + others + ["--", "true"],
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.errorOutput.contains("at most 32 devices") == (status == 2))
    }

    /// A command finds the address in its environment, and its exit status is that of the program.
    @Test func runsACommandWithTheDevice() throws {
        let outcome = try CommandLineProgram.run(
            [
                "simulate", "ring", "--fake-bluez", "--", "sh", "-c",
                "echo $DBUS_SYSTEM_BUS_ADDRESS; echo $OTHER $0 $1; exit 7", "a b", "c",
            ],
            environment: [
                "OTHER": "kept", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere",
                "PATH": "/usr/bin:/bin",
            ])
        #expect(outcome.status == 7)
        #expect(outcome.lines.first?.hasPrefix("unix:abstract=") == true)
        #expect(outcome.lines.dropFirst() == ["kept a b c"])
        // The name of the wearer with the seed 1.
        #expect(outcome.errorOutput.contains("R02_56CE"))
    }

    /// A program that visits a device which another one uses does not end the other one's link.
    @Test func sharesTheLinkOfAnotherProgram() throws {
        let outcome = try CommandLineProgram.runShell(
            #"""
            "$0" simulate strap --fake-bluez -- bash -c '
                "$0" live hr --json > live & live=$!
                lines() { until (($(grep -c \"value\" live) >= $1)); do sleep 0.1; done; }
                lines 1
                for visit in 1 2; do "$0" info -q | head -n 1; done
                lines $(($(grep -c . live) + 3))
                kill $live; wait $live
                grep -c link-lost live' "$0"
            """#)
        #expect(outcome.lines == ["Virtual HR", "Virtual HR", "0"], "\(outcome)")
    }

    /// Without the variable, programs of Qt would start this program again to get its version.
    @Test func setsTheVersionOfTheDaemonForACommand() throws {
        let outcome = try CommandLineProgram.run(
            [
                "simulate", "ring", "--fake-bluez", "--", "sh", "-c",
                "echo $BLUETOOTH_FORCE_DBUS_LE_VERSION",
            ],
            environment: ["BLUETOOTH_FORCE_DBUS_LE_VERSION": "1", "PATH": "/usr/bin:/bin"])
        #expect(outcome.lines == ["5.66"])
    }

    /// Each adapter finds all devices.
    @Test(.takesTurns) func addsSeveralDevices() async throws {
        let (process, _, addresses) = try Self.start([
            "simulate", "ring", "--fake-bluez", "--with", "strap", "--with", "r12", "--with",
            "r02", "--adapters", "2", "--bus", folder.path("bus"),
        ])
        defer { kill(process.processIdentifier, SIGKILL) }
        let connection = try await DBusConnection.connect(to: addresses)
        _ = try await connection.call(
            DBusCall(
                "StartDiscovery", of: "org.bluez.Adapter1", at: DBusObjectPath("/org/bluez/hci1"),
                on: "org.bluez"))
        var names: Set<String> = []
        try await eventually("four devices, after \(names)") {
            let tree = try await connection.call(
                DBusCall(
                    "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: .root,
                    on: "org.bluez"))
            for entry in tree.values.first?.entries ?? [] {
                if let name = entry.value["org.bluez.Device1"]?["Name"]?.string {
                    names.insert(name)
                }
            }
            return names.count == 4
        }
        #expect(names.count { $0.hasPrefix("R02_") } == 2)
        #expect(names.count { $0.contains("R12_") } == 1)
    }

    /// With several devices, each line of the log begins with the name of its device.
    @Test func namesTheDeviceOfARequest() throws {
        let script = try folder.write("battery 20".utf8, to: "script")
        let outcome = try CommandLineProgram.run([
            "simulate", "ring", "--fake-bluez", "--with", "strap", "--script", script, "--",
            CommandLineProgram.program.path, "record", "--device", "strap", "--for", "1s", "--out",
            folder.path("strap.halo"),
        ])
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(outcome.errorOutput.contains("Virtual HR: it subscribes to 2A37 "))
        #expect(outcome.errorOutput.contains(#/halo: R02_\w+: the battery has 20 %\n/#))
    }

    /// The permissions of the bus's socket: for its user, or for all users.
    @Test(.takesTurns, arguments: [(["--everyone"], 0o666), ([], 0o600)])
    func setsThePermissionsOfTheSocket(_ more: [String], _ mode: Int) throws {
        let path = folder.path("bus")
        let outcome = try CommandLineProgram.run(
            ["simulate", "strap", "--fake-bluez", "--bus", path] + more
                + ["--", "stat", "-c", "%a", path],
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(outcome.lines == [String(mode, radix: 8)])
    }

    /// The command and its children can be ended by signals: none is blocked.
    @Test func blocksNoSignalsOfACommand() throws {
        let outcome = try CommandLineProgram.run(
            [
                "simulate", "strap", "--fake-bluez", "--", "sh", "-c",
                "grep SigBlk /proc/self/status; sh -c 'kill -TERM $$; echo alive'; echo $?",
            ], environment: ["PATH": "/usr/bin:/bin"])
        #expect(outcome.lines == ["SigBlk:\t0000000000000000", "143"])
    }

    /// A child has the default actions of the signals that this process ignores under `nohup`.
    @Test func childrenIgnoreNoSignalToEnd() throws {
        let outcome = try CommandLineProgram.run(
            ["simulate", "strap", "--fake-bluez", "--", "grep", "SigIgn", "/proc/self/status"],
            environment: ["PATH": "/usr/bin:/bin"])
        let ignored = try Self.ignoredSignals(outcome)
        for number in [SIGHUP, SIGINT, SIGTERM] {
            #expect(ignored & 1 << (UInt64(number) - 1) == 0, "signal \(number)")
        }
    }

    /// Also one that this program ignores has the signal of a pipe without a reader.
    @Test func aCommandDoesNotIgnoreAClosedPipe() throws {
        let outcome = try CommandLineProgram.runShell(
            """
            trap '' PIPE
            "$0" simulate strap --fake-bluez -- grep SigIgn /proc/self/status
            """)
        #expect(try Self.ignoredSignals(outcome) & 1 << (UInt64(SIGPIPE) - 1) == 0)
    }

    @Test func helpListsEachCommandOnce() throws {
        let lines = try CommandLineProgram.run(["help", "simulate"]).lines
        for word in ["take-off", "put-on", "drain", "battery N", "lose-link"] {
            #expect(lines.count { $0.hasPrefix("  \(word)  ") } == 1, "\(word)")
        }
    }

    /// The set of ignored signals in the line that a child has printed about itself.
    private static func ignoredSignals(_ outcome: CommandLineProgram.Outcome) throws -> UInt64 {
        let digits = try #require(outcome.lines.first?.split(separator: "\t").last, "\(outcome)")
        return try #require(UInt64(digits, radix: 16))
    }

    /// A command has the descriptors that this program was started with, and no others.
    @Test func handsNoDescriptorsToACommand() throws {
        let outcome = try CommandLineProgram.runShell(
            "ls /proc/self/fd; echo then; \"$0\" simulate strap --fake-bluez -- ls /proc/self/fd")
        let lists = outcome.lines.split(separator: "then")
        #expect(lists.count == 2 && lists.first == lists.last, "\(outcome)")
    }

    /// Without free descriptors a bus accepts no connection, uses no processor time, and accepts
    /// one when a descriptor is free.
    @Test(.takesTurns) func waitsForAFreeDescriptor() async throws {
        let path = folder.path("bus")
        let (process, _, addresses) = try Self.start(
            [
                "-c", "ulimit -n 24; exec \"$@\"", "sh", CommandLineProgram.program.path,
                "simulate", "strap", "--fake-bluez", "--bus", path,
            ], of: URL(fileURLWithPath: "/bin/sh"))
        defer { kill(process.processIdentifier, SIGKILL) }
        var connections: [DBusConnection] = []
        var refusal: (any Error)?
        while refusal == nil, connections.count < 40 {
            do {
                let connection = try await DBusConnection.connect(
                    to: addresses, timeout: .milliseconds(500))
                connections.append(connection)
            } catch {
                refusal = error
            }
        }
        #expect((refusal as? DBusError)?.kind == .timedOut)
        let before = try processorTime(process.processIdentifier)
        // Another connection waits to be accepted meanwhile.
        await #expect(throws: DBusError.self) {
            _ = try await DBusConnection.connect(to: addresses, timeout: .milliseconds(400))
        }
        let used = try processorTime(process.processIdentifier) - before
        #expect(used < 10, "hundredths of a second")
        for connection in connections { connection.close() }
        _ = try await DBusConnection.connect(to: addresses, timeout: .seconds(60))
    }

    /// The processor time of a process, in the system's ticks.
    private func processorTime(_ process: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        return (fields.count > 12 ? [11, 12] : []).compactMap { Int(fields[$0]) }.reduce(0, +)
    }

    @Test func reportsAMissingCommand() throws {
        let outcome = try CommandLineProgram.run(
            ["simulate", "strap", "--fake-bluez", "--", "no-such-program"])
        #expect(outcome.status == 3)
        let reason = String(cString: strerror(ENOENT))
        #expect(
            outcome.errorOutput == "halo: 'no-such-program' cannot be started: \(reason)\n")
    }

    /// A reason to end: a signal, or a closed output.
    enum Ending: CaseIterable {
        case interrupt, terminate, hangUp, closedOutput

        /// The signal by which the program ends.
        var signal: Int32 {
            switch self {
            case .interrupt: SIGINT
            case .terminate: SIGTERM
            case .hangUp: SIGHUP
            case .closedOutput: SIGPIPE
            }
        }
    }

    @Test(.takesTurns, arguments: Ending.allCases)
    func removesTheDeviceAtItsEnd(_ ending: Ending) async throws {
        let path = folder.path("bus")
        // The option takes an address, or a path.
        let place = ending == .interrupt ? "unix:path=\(path)" : path
        let errors = Pipe()
        let (process, output, addresses) = try Self.start(
            ["simulate", "ring", "--fake-bluez", "--bus", place, "--model", "r12"],
            errors: errors)
        defer { kill(process.processIdentifier, SIGKILL) }
        #expect(addresses.first?.socket == .path(path))

        // The device is there with the first line of the output.
        let connection = try await DBusConnection.connect(to: addresses)
        let tree = try await connection.call(
            DBusCall(
                "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: .root,
                on: "org.bluez"))
        #expect("\(tree.values)".contains("/org/bluez/hci0"))

        switch ending {
        case .interrupt, .terminate, .hangUp: kill(process.processIdentifier, ending.signal)
        case .closedOutput: try output.fileHandleForReading.close()
        }
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == ending.signal)
        #expect(try folder.names == [])
        let log = errors.fileHandleForReading.readDataToEndOfFile()
        #expect(String(decoding: log, as: UTF8.self).contains("COLMI R12_"))
    }

    /// The bus disconnects a program that does not read its signals, and the log has the reason;
    /// others find the daemon.
    @Test(.takesTurns) func reportsAProgramThatDoesNotRead() async throws {
        let errors = Pipe()
        let (process, _, addresses) = try Self.start(
            ["simulate", "ring", "--fake-bluez", "--bus", folder.path("bus")], errors: errors)
        defer { kill(process.processIdentifier, SIGKILL) }
        let deaf = try await DBusConnection.connect(to: addresses)
        let talker = try await DBusConnection.connect(to: addresses)
        // After its first signal the thread that reads is held.
        let goesOn = DispatchSemaphore(value: 0)
        defer { goesOn.signal() }
        let subscription = try await deaf.subscription(
            DBusMatchRule(interface: "a.b")
        ) { [loop = deaf.loop] _ in loop.afterwards { goesOn.wait() } }
        let page = DBusValue.bytes([UInt8](repeating: 0, count: 1 << 20))
        var isThere = true
        for _ in 0..<200 where isThere {
            try talker.emit(DBusSignal("S", of: "a.b", at: .root, [page]))
            isThere = try await talker.owner(of: try #require(deaf.uniqueName)) != nil
        }
        #expect(!isThere)
        #expect(try await talker.owner(of: "org.bluez") != nil)
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        let log = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let line =
            "halo: process \(getpid()) is disconnected from the bus: it does not read its messages"
        #expect(log.split(separator: "\n").filter { $0 == line }.count == 1, "\(log)")
        withExtendedLifetime(subscription) {}
    }

    /// Starts a program, and waits for its first line, which has the address of its bus. The
    /// program ends when the pipe of its output is released.
    private static func start(
        _ arguments: [String], of program: URL = CommandLineProgram.program,
        errors: Any = FileHandle.nullDevice
    ) throws -> (Process, output: Pipe, [DBusAddress]) {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try CommandLineProgram.start(process)
        let parts = try output.readLine().split(separator: "=", maxSplits: 1).map(String.init)
        #expect(parts.first == "DBUS_SYSTEM_BUS_ADDRESS")
        return (process, output, try DBusAddress.list(try #require(parts.last)))
    }
    #endif
}
