import HaloTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Inputs that once crashed a fuzz target:
/// `Tests/Tools/Fuzz/Regressions/<target>/<what-it-was>.bin`.
@Suite(.passesTime) struct RegressionTests {
    static let inputs: [String] = {
        let found = try? FileManager.default.subpathsOfDirectory(atPath: folder)
        return (found ?? []).filter { input in
            input.hasSuffix(".bin") && !elsewhere.contains { input.hasPrefix("\($0)/") }
        }.sorted()
    }()

    /// Targets of other test targets, which run their regressions themselves.
    private static let elsewhere = [
        "DBus", "BlueZ", "Exports", "BTSnoop", "Pcap", "PcapNG", "PacketLogger", "BtmonText",
        "HexLines", "RingFrames", "BTSnooz", "Inflate", "Archive", "NRFConnect", "Wireshark",
        "WiresharkJSON",
    ]

    @Test func areFound() {
        #expect(!Self.inputs.isEmpty)
    }

    @Test(arguments: inputs)
    func stayFixed(_ input: String) throws {
        let name = String(input.prefix { $0 != "/" })
        let bytes = try #require(FileManager.default.contents(atPath: Self.folder + input))
        let target = try #require(
            FuzzTargetTests.targets.first { $0.name == name },
            "no fuzz target is called \(name)")
        try target.check(bytes)
    }

    private static let folder = packagePath("Tests/Tools/Fuzz/Regressions/")
}
