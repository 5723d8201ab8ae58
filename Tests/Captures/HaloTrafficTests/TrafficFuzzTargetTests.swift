import HaloTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The fuzz targets of traffic and of exports, with seeded bytes and with former crashes.
@Suite struct TrafficFuzzTargetTests {
    static let targets = FuzzTarget.traffic + [.exports, .inflate, .archive]

    @Test(arguments: targets.map(\.name))
    func holdsWithSeededBytes(_ name: String) throws {
        let target = try #require(Self.targets.first { $0.name == name })
        let isLog = FuzzTarget.logs.contains { $0.name == name }
        for seed in 0..<(isLog ? 50 : 500) as Range<UInt64> {
            var chance = FuzzBytes(seed: ~seed, count: 2)
            let length = chance.flag() ? 32 : 600
            try target.run(FuzzBytes(seed: seed, count: chance.integer(in: 0...length)).all)
        }
    }

    @Test(arguments: targets.map(\.name))
    func holdsWithShortestInputs(_ name: String) throws {
        let target = try #require(Self.targets.first { $0.name == name })
        try target.run([])
        for byte in UInt8.min...UInt8.max { try target.run([byte]) }
    }

    /// Former crashes: `Tests/Tools/Fuzz/Regressions/<target>/<what-it-was>.bin`.
    @Test func regressionsStayFixed() throws {
        let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        var count = 0
        for target in Self.targets {
            let folder = "/\(tests)/Tools/Fuzz/Regressions/\(target.name)/"
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                let bytes = try #require(FileManager.default.contents(atPath: folder + name))
                try target.run(bytes)
                count += 1
            }
        }
        #expect(count > 0)
    }
}
