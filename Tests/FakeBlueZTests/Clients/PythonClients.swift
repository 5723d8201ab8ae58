#if os(Linux)
import FakeBlueZ
import Foundation
import Testing

/// Libraries for Python that tests look for, each set in a folder of its own: they need versions
/// of each other that do not go together. An environment variable names the folder.
enum PythonClients: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// `bleak` as it is today.
    case bleak = "HALO_BLEAK"
    /// `colmi_r02_client` as PyPI has it, with the `bleak` of 2024 that it needs.
    case colmi = "HALO_COLMI_CLIENT"
    /// `colmi_r02_client` from its repository, later than the release: with a database. It is
    /// optional: where no folder is named, it is no case of any test, rather than a skipped one.
    case colmiWithDatabase = "HALO_COLMI_CLIENT_DATABASE"

    var testDescription: String { rawValue }

    /// Where it lies; nothing if Python has it without being told, or has it not.
    private var folder: String? { ProcessInfo.processInfo.environment[rawValue] }

    /// What a program needs in its environment.
    func environment(_ bus: String) -> [String: String] {
        [
            "PYTHONPATH": folder ?? "", "DBUS_SYSTEM_BUS_ADDRESS": bus,
            "PYTHONDONTWRITEBYTECODE": "1",
        ]
    }

    /// The sets that are there.
    static let available: [PythonClients] = allCases.filter { clients in
        // Python may have one version without being told.
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
        guard let path = OutsideProgram.path("python3") else { return false }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = ["-c", "import \(modules)"]
        process.environment = ProcessInfo.processInfo.environment.merging(
            clients.environment("")
        ) { $1 }
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// The sets with `bleak` in them, in its two versions.
    static let withBleak = available.filter { $0 != .colmiWithDatabase }

    /// Runs a script.
    func run(
        _ script: String, _ arguments: [String] = [], bus: String, folder: String? = nil,
        for seconds: Double = 180
    ) async throws -> OutsideProgram.Outcome {
        try await OutsideProgram(
            "python3", ["-u", "-c", script] + arguments, environment: environment(bus),
            folder: folder
        ).run(for: seconds)
    }
}

extension FakeTiming {
    /// What clients need that take their time: devices are heard again and again, for those that
    /// begin to listen late (bleak does), and a link lives on for a moment when it is to end, for
    /// those that go as soon as they have written.
    static let patient = FakeTiming(
        fading: .milliseconds(200), disconnecting: .milliseconds(300))
}
#endif
