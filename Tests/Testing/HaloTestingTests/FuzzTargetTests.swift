import HaloCapture
import HaloProtocol
import HaloTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.passesTime) struct FuzzTargetTests {
    static let targets: [any FuzzTarget] = protocolTargets + [CaptureTarget(), ReplayTarget()]

    @Test(arguments: targets.map(\.name))
    func holdsWithSeededBytes(_ name: String) throws {
        let target = try #require(Self.targets.first { $0.name == name })
        try target.checkSeededInputs(Thoroughness.scaled(250))
    }

    @Test(arguments: targets.map(\.name))
    func holdsWithShortestInputs(_ name: String) throws {
        let target = try #require(Self.targets.first { $0.name == name })
        try target.check([])
        for byte in UInt8.min...UInt8.max { try target.check([byte]) }
    }

    /// A folder that the manifest does not name is not built, and so does not run.
    @Test func eachProgramIsListed() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOfFile: packagePath(path), encoding: .utf8)
        }
        let manifest = try text("Tests/Tools/Fuzz/Package.swift")
        let list = try #require(manifest.firstMatch(of: /let targets = \[([^\]]*)\]/)).1
        let names = list.matches(of: /\w+/).map { String($0.0) }
        let folder = packagePath("Tests/Tools/Fuzz/Sources")
        let folders = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(folders) == Set(names + ["FuzzCounters"]))
        let page = try text("Documentation/Fuzzing.md")
        for name in names where name != "Seeds" { #expect(page.contains("`\(name)`"), "\(name)") }
    }

    /// A recorded session with lines left out, doubled and misplaced, replayed with any options.
    @Test func playsDisturbedSessions() throws {
        let capture = try Capture(contentsOf: packagePath("Fixtures/Captures/VirtualR10.halo"))
        for seed in 0..<UInt64(Thoroughness.scaled(12)) {
            var chance = FuzzBytes(seed: seed, count: 4_000)
            // Four bytes of options, one for text input, 96 that decide.
            var input = chance.bytes(4) + [1] + chance.bytes(96)
            var disturbed = Capture()
            for line in capture.lines {
                for _ in 0..<(chance.byte() > 240 ? chance.integer(in: 0...2) : 1) {
                    try? disturbed.append(line)
                }
            }
            input += disturbed.text.utf8
            try ReplayTarget().check(input)
        }
    }

    @Test func noticesEachFlippedBitOfAFrame() throws {
        for seed in 0..<UInt64(Thoroughness.scaled(20)) {
            let bytes = ContiguousArray(FuzzBytes(seed: seed, count: Frame.length).all)
            try FrameVerifier.verify(bytes.span, everyBit: true)
        }
    }

    @Test func checksEachCommandBothWays() throws {
        for entry in CommandCatalog.entries {
            for direction in Direction.allCases {
                guard let form = entry.form(direction) else { continue }
                for seed in 0..<UInt64(Thoroughness.scaled(12)) {
                    var bytes = FuzzBytes(seed: seed, count: 24)
                    let frame = PacketVerifier.frame(opcode: entry.opcode, bytes.bytes(14))
                    let change = FieldRecorder.Change(
                        offset: bytes.integer(in: 1...14), bits: bytes.byte())
                    try PacketVerifier.verify(form, frame, change: change)
                }
            }
        }
    }

    @Test func checksEachRecordBothWays() throws {
        for entry in BigDataCatalog.entries {
            for form in [entry.request, entry.reply].compactMap({ $0 }) {
                for seed in 0..<UInt64(Thoroughness.scaled(12)) {
                    var bytes = FuzzBytes(seed: seed, count: 160)
                    let length = bytes.integer(in: 0...150)
                    let change = FieldRecorder.Change(
                        offset: bytes.integer(in: 0...150), bits: bytes.byte())
                    try PacketVerifier.verify(form, bytes.bytes(length), change: change)
                }
            }
        }
    }

    @Test(arguments: [Int.min, -1, 0, 1 << 20, .max])
    func reassemblesWithAnyLimits(limit: Int) throws {
        let frame = try BigDataFrame(id: 1, payload: [])
        try ReassemblerVerifier.verify(
            [frame.bytes], maximumPayloadLength: limit, maximumEventCount: min(limit, 1 << 16))
    }
}
