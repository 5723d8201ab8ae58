import Foundation
import Glibc
import TestSupport
import Testing

@testable import HaloDBus

/// A bus for a test: the private bus, or dbus-daemon with a socket of its own.
enum TestBus: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case own, daemon

    var testDescription: String { rawValue }

    /// The buses that are available here.
    static let available: [TestBus] =
        OutsideProgram.path("dbus-daemon") == nil ? [.own] : [.own, .daemon]

    func start() throws -> RunningBus {
        switch self {
        case .own:
            let bus = try PrivateBus()
            return RunningBus(address: try bus.listen(), bus: bus, daemon: nil)
        case .daemon:
            let daemon = try RunningProgram(
                "dbus-daemon",
                [
                    "--session", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1",
                    "--address=unix:tmpdir=/tmp",
                ], endsWithTests: true)
            let line = try daemon.readLine()
            guard let address = try DBusAddress.list(line).first else { throw Missing() }
            return RunningBus(address: address, bus: nil, daemon: daemon)
        }
    }

    struct Missing: Error {}
}

/// A running bus; it ends when it is released.
final class RunningBus: Sendable {
    let address: DBusAddress
    private let bus: PrivateBus?
    private let daemon: RunningProgram?

    init(address: DBusAddress, bus: PrivateBus?, daemon: RunningProgram?) {
        (self.address, self.bus, self.daemon) = (address, bus, daemon)
    }

    func connect() async throws -> DBusConnection {
        try await DBusConnection.connect(to: [address])
    }

    deinit { kill() }

    /// Ends the bus at once, as a crash does.
    func kill() {
        bus?.close()
        guard let daemon else { return }
        daemon.kill()
        // A daemon that is killed leaves its socket.
        if case .path(let path)? = address.socket { SystemSocket.remove(path) }
    }
}

extension DBusConnection {
    /// The value of a foreign object's property, without the variant around it.
    func property(
        _ name: String, of interface: String, at path: DBusObjectPath, on destination: String
    ) async throws(DBusError) -> DBusValue {
        try await call(
            DBusCall(
                DBusProperties.get, of: DBusProperties.interfaceName, at: path, on: destination,
                [.string(interface), .string(name)])
        ).first().unwrapped
    }

    /// Writes a foreign object's property.
    func setProperty(
        _ name: String, of interface: String, at path: DBusObjectPath, on destination: String,
        to value: DBusValue
    ) async throws(DBusError) {
        _ = try await call(
            DBusCall(
                DBusProperties.set, of: DBusProperties.interfaceName, at: path, on: destination,
                [.string(interface), .string(name), .variant(value)]))
    }
}

/// A running program; it is killed when it is released.
final class RunningProgram: @unchecked Sendable {
    private let process = Process()
    private let output = Pipe()
    /// A pipe whose end ends the other program, too.
    private let leash: Pipe?

    /// Runs its arguments until its input is closed: otherwise a program would outlive tests that
    /// are killed.
    private static let leashed = "\"$@\" < /dev/null & read -r _; kill -9 $!"

    init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:],
        endsWithTests: Bool = false
    ) throws {
        guard let path = OutsideProgram.path(name) else { throw OutsideProgram.Missing() }
        leash = endsWithTests ? Pipe() : nil
        process.executableURL = URL(filePath: endsWithTests ? "/bin/sh" : path)
        process.arguments =
            endsWithTests ? ["-c", Self.leashed, "sh", path] + arguments : arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = output
        process.standardInput = leash ?? FileHandle.nullDevice
        try process.run()
        // Reading its output waits for its end at the latest.
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.maximumRunTime) { [weak self] in
            self?.kill()
        }
    }

    /// The maximum run time in seconds: more than all tests need together on a slow computer.
    private static var maximumRunTime: Double { 1800 }

    deinit { kill() }

    func kill() {
        guard process.isRunning else { return }
        if let leash {
            try? leash.fileHandleForWriting.close()
            return process.waitUntilExit()
        }
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The next line of its output.
    func readLine() throws -> String {
        var bytes: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first,
            byte != UInt8(ascii: "\n")
        {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The number of open descriptors of this process.
func openDescriptorCount() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
}

extension DBusConnection {
    /// Returns the names of all connections.
    nonisolated(nonsending) func names() async throws -> [String] {
        let reply = try await call(.bus(DBusMessageBus.listNames))
        return try #require(try reply.first().elements).compactMap(\.string)
    }
}
