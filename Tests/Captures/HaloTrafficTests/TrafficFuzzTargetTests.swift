import HaloCapture
import HaloProtocol
import HaloTesting
import HaloTraffic
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The fuzz targets of traffic and of exports, with seeded bytes and with former crashes.
@Suite(.computes) struct TrafficFuzzTargetTests {
    static let targets: [any FuzzTarget] =
        TrafficTarget.all + [ExportTarget(), InflateTarget(), ArchiveTarget()]

    @Test(arguments: targets.map(\.name))
    func holdsWithSeededBytes(_ name: String) throws {
        let target = try #require(Self.targets.first { $0.name == name })
        let isLog = TrafficTarget.logs.contains { $0.name == name }
        try target.checkSeededInputs(Thoroughness.scaled(isLog ? 10 : 100))
    }

    @Test(arguments: targets.map(\.name))
    func holdsWithShortestInputs(_ name: String) throws {
        let target = try #require(Self.targets.first { $0.name == name })
        try target.check([])
        for byte in UInt8.min...UInt8.max { try target.check([byte]) }
    }

    /// A format without a target is not fuzzed, and one without seeds hardly. Two formats have only
    /// the fixtures as seeds.
    @Test func eachFormatHasATargetWithSeeds() throws {
        let formats = Set(TrafficFormat.allCases).subtracting([.capture])
        #expect(Set(TrafficTarget.all.map(\.format)) == formats)
        let capture = try Capture(contentsOf: packagePath("Fixtures/Captures/VirtualR10.halo"))
        let unseeded = TrafficTarget.all.filter { $0.inputs(from: capture).isEmpty }
        #expect(unseeded.map(\.format) == [.btsnooz, .btmonText])
    }

    /// Former crashes: `Tests/Tools/Fuzz/Regressions/<target>/<what-it-was>.bin`.
    @Test func regressionsStayFixed() throws {
        var count = 0
        for target in Self.targets {
            let folder = packagePath("Tests/Tools/Fuzz/Regressions/\(target.name)")
            guard FileManager.default.fileExists(atPath: folder) else { continue }
            count += try target.checkFiles(in: folder)
        }
        #expect(count > 0)
    }
}
