#if os(Linux)
import BlueZVocabulary
import Foundation
import HaloDBus
import TestSupport
import Testing

/// Diagnoses of a bus with a daemon, and without.
@Suite(.takesTurns, .waitsForPrograms) struct DoctorVerbTests {
    private func doctor(
        _ arguments: String..., environment: [String: String] = [:]
    ) async throws -> CommandLineProgram.Outcome {
        try await withCheckedThrowingContinuation { continuation in
            // A wait for a program would block a thread that all tasks share.
            Thread {
                continuation.resume(
                    with: Result {
                        try CommandLineProgram.run(["doctor"] + arguments, environment: environment)
                    })
            }.start()
        }
    }

    private func daemon(on bus: PrivateBus) async throws -> DBusConnection {
        let daemon = try await bus.connect()
        let values: [String: [String: DBusValue]] = [
            Adapter1.interfaceName: [
                Adapter1.address: .string("00:AA:01:00:00:00\u{1B}]0;title\u{7}"),
                Adapter1.powered: .boolean(true), Adapter1.roles: .strings(["central"]),
                Adapter1.modalias: .string("usb:v1D6Bp0246d0542"),
            ]
        ]
        try daemon.export(DBusObject(objectManager: .ownInterfaces), at: .root)
        try daemon.export(
            DBusObject([Adapter1.interface], values: values),
            at: try DBusObjectPath(BlueZDaemon.root.text + "/hci0"))
        _ = try await daemon.requestName(BlueZDaemon.name)
        return daemon
    }

    @Test func reportsThatBluetoothWorks() async throws {
        let bus = try PrivateBus()
        let daemon = try await daemon(on: bus)
        let address = "\(try bus.listen())"
        let outcome = try await doctor("--bus", address)
        #expect(outcome.status == 0)
        #expect(outcome.errorOutput == "")
        #expect(outcome.output.contains("✓ daemon"))
        #expect(outcome.output.contains("BlueZ 5.66"))
        #expect(outcome.lines.last?.hasPrefix("Bluetooth can be used") == true)
        #expect(!outcome.output.utf8.contains(0x1B))
        let same = try await doctor(environment: ["DBUS_SYSTEM_BUS_ADDRESS": address])
        #expect(same.output.contains("DBUS_SYSTEM_BUS_ADDRESS says so"))
        #expect(same.status == 0)
        withExtendedLifetime(daemon) {}
    }

    @Test func printsTheSameAsJSON() async throws {
        let bus = try PrivateBus()
        let daemon = try await daemon(on: bus)
        let address = "\(try bus.listen())"
        let document = try await doctor("--json", "--bus", address).object
        #expect(Set(document.keys) == ["type", "usable", "bus", "daemon", "adapter", "findings"])
        #expect(document["usable"] as? Bool == true)
        #expect(document["bus"] as? String == address)
        #expect(document["daemon"] as? String == "5.66")
        #expect(document["adapter"] as? String == "hci0")
        let findings = try #require(document["findings"] as? [[String: Any]])
        #expect(findings.count > 5)
        for finding in findings {
            #expect(
                Set(finding.keys) == ["subject", "severity", "sentence", "evidence", "command"])
            #expect(["good", "hint", "problem"].contains(finding["severity"] as? String))
        }
        #expect(findings.contains { $0["subject"] as? String == "peripheral" })
        withExtendedLifetime(daemon) {}
    }

    @Test func failsWithoutABusOrAnAdapter() async throws {
        let outcome = try await doctor("--bus", "unix:path=/nonexistent/bus")
        #expect(outcome.status == 3)
        #expect(
            outcome.output == """
                ✗ bus  There is no bus at "/nonexistent/bus".

                Bluetooth cannot be used: 1 problem.
                To test a program with a simulated ring, without Bluetooth:
                $ halo simulate ring --fake-bluez -- PROGRAM

                """)
        let document = try await doctor("--json", "--bus", "unix:path=/nonexistent/bus").object
        #expect(document["usable"] as? Bool == false)
        #expect(document["daemon"] is NSNull)
        let bus = try PrivateBus()
        let daemon = try await daemon(on: bus)
        let address = "\(try bus.listen())"
        let other = try await doctor("--bus", address, "--adapter", "hci7")
        #expect(other.status == 3)
        #expect(other.output.contains("$ halo doctor --adapter hci0 --bus '\(address)'\n"))
        withExtendedLifetime(daemon) {}
    }

    @Test(arguments: ["24", "40", "80", "300", "1", "0", "wide"])
    func fitsItsColumns(columns: String) async throws {
        let outcome = try await doctor(
            "--bus", "unix:path=/nonexistent/bus", environment: ["COLUMNS": columns])
        let sentences = outcome.lines.filter { !$0.contains("$ ") }
        let width = Int(columns).map { $0 > 0 ? min($0, 96) : 80 } ?? 80
        #expect(sentences.allSatisfy { $0.count <= max(31, width) })
        #expect(outcome.status == 3)
    }

    @Test func reportsAVariableThatIsNotAnAddress() async throws {
        let outcome = try await doctor(
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": "nonsense\u{1B}[2J"])
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("$ unset DBUS_SYSTEM_BUS_ADDRESS"))
        #expect(!outcome.output.utf8.contains(0x1B))
    }
}
#endif
