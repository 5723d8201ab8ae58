import FakeBlueZ
import Foundation
import HaloProtocol
import TestSupport
import Testing

/// The Python libraries that tests look for, each set in a folder of its own, because they need
/// incompatible versions of each other. An environment variable names the folder.
enum PythonClients: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// The current `bleak`.
    case bleak = "HALO_BLEAK"
    /// `colmi_r02_client` as on PyPI, with the `bleak` of 2024 that it needs.
    case colmi = "HALO_COLMI_CLIENT"
    /// `colmi_r02_client` from its repository, later than the release, with a database. It is
    /// optional: without a folder it is no case of any test, rather than a skipped one.
    case colmiWithDatabase = "HALO_COLMI_CLIENT_DATABASE"

    var testDescription: String { rawValue }

    /// The folder, or `nil` if Python finds the library by itself, or not at all.
    private var folder: String? { ProcessInfo.processInfo.environment[rawValue] }

    /// The environment of a program.
    func environment(_ bus: String) -> [String: String] {
        [
            "PYTHONPATH": folder ?? "", "DBUS_SYSTEM_BUS_ADDRESS": bus,
            "PYTHONDONTWRITEBYTECODE": "1",
        ]
    }

    /// The available sets.
    static let available: [PythonClients] = allCases.filter { clients in
        // Python may have one version installed.
        guard clients.folder != nil || clients == .bleak else { return false }
        let modules =
            switch clients {
            case .bleak: "bleak"
            case .colmi: "bleak, colmi_r02_client.cli"
            case .colmiWithDatabase: "bleak, colmi_r02_client.db"
            }
        return imports(modules, clients)
    }

    private static func imports(_ modules: String, _ clients: PythonClients) -> Bool {
        let program = try? OutsideProgram(
            "python3", ["-c", "import \(modules)"], environment: clients.environment(""))
        return (try? program?.runAndWait().status) == 0
    }

    /// The sets that contain `bleak`, in two versions.
    static let withBleak = available.filter { $0 != .colmiWithDatabase }

    /// Runs a script, whose `patience` is in seconds: the fake of the daemon shares the processors
    /// with all other tests.
    func run(
        _ script: String, _ arguments: [String] = [], bus: String, folder: String? = nil
    ) async throws -> OutsideProgram.Outcome {
        try await OutsideProgram(
            "python3", ["-u", "-c", "patience = 120\n\(script)"] + arguments,
            environment: environment(bus), folder: folder
        ).run(for: 600)
    }
}

extension FakeTiming {
    /// The delays for slow clients. Advertisements are repeated for clients that subscribe late, as
    /// bleak does. A link stays for a moment after `Disconnect`, for clients that disconnect right
    /// after a write.
    static let patient = FakeTiming(
        fading: .milliseconds(200), disconnecting: .milliseconds(300))
}

/// The bytes of hexadecimal digits that a program printed.
func bytes(_ digits: some StringProtocol) -> [UInt8] {
    let numbers = digits.utf8.compactMap(HexText.value(ofDigit:))
    return stride(from: 0, to: numbers.count - 1, by: 2).map { numbers[$0] << 4 | numbers[$0 + 1] }
}
