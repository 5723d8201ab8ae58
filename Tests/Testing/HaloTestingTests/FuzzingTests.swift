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

/// Fuzz targets of one's own.
@Suite(.passesTime) struct FuzzingTests {
    /// A state of which only one bit is kept.
    struct Forgetful: BytePacket {
        static var name: PacketName { PacketName("Forgetful") }

        let isOn: Bool

        init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            try io.marker("start", 0x5A, packet)
            isOn = try io.uint8("state", packet.map { $0.isOn ? 1 : 0 }, .open) != 0
        }
    }

    /// The same in a frame.
    struct ForgetfulFrame: FramePacket {
        static var name: PacketName { PacketName("ForgetfulFrame") }
        static var opcode: UInt8 { 0x03 }

        let isOn: Bool
        let unclaimed: InlineBytes

        init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            isOn = try io.uint8("state", packet.map { $0.isOn ? 1 : 0 }, .open) != 0
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// A target that refuses inputs with a 7 in them.
    struct NoSevens: FuzzTarget {
        let name = "NoSevens"

        func check(_ input: Span<UInt8>) throws(ContractViolation) {
            for index in input.indices where input[index] == 7 {
                throw ContractViolation("a seven", packet: name, bytes: [input[index]])
            }
        }
    }

    static let battery = PacketTarget(
        "Battery", packets: [ByteForm(BodySensorLocation.self)],
        frames: [FrameForm(Battery.Request.self), FrameForm(Battery.Reply.self)],
        words: [[0x03], [0x5A, 0xFF]])

    private let temporary = TestFolder()
    /// A folder that does not exist yet.
    private var folder: String { temporary.path("corpus") }

    private static func capture() throws -> Capture {
        var capture = Capture()
        let reply = PacketVerifier.frame(opcode: Battery.Reply.opcode, [0x50, 0x00])
        try capture.append(.packet(CapturePacket(.fromDevice, .uart, Array(reply.bytes))))
        let location = CaptureChannel(BluetoothUUID(0x2A38))
        try capture.append(.packet(CapturePacket(.fromDevice, location, [0x01])))
        // The same again is no further input.
        try capture.append(.packet(CapturePacket(.fromDevice, location, [0x01])))
        return capture
    }

    @Test func aPacketThatForgetsBitsIsFound() {
        let target = PacketTarget("Forgetful", packets: [ByteForm(Forgetful.self)])
        #expect(throws: Never.self) { try target.check([0, 0, 0, 0x5A, 0x01]) }
        let violation = #expect(throws: ContractViolation.self) {
            try target.check([0, 0, 0, 0x5A, 0x02])
        }
        #expect(violation?.packet == "Forgetful")
        #expect(violation?.bytes == [0x5A, 0x02])
        #expect(throws: ContractViolation.self) {
            try target.checkSeededInputs(20_000, upTo: 8)
        }
    }

    /// The second and the third byte change what the decoder receives.
    @Test func aChangeIsAppliedToTheChosenPacket() {
        let target = PacketTarget(
            "Both", packets: [ByteForm(BodySensorLocation.self), ByteForm(Forgetful.self)])
        #expect(throws: Never.self) { try target.check([0, 1, 6, 0x01]) }
        #expect(throws: ContractViolation.self) { try target.check([1, 1, 6, 0x5A, 0x01]) }
        #expect(throws: Never.self) { try target.check([1, 9, 6, 0x5A, 0x01]) }
    }

    @Test func aFrameThatForgetsBitsIsFound() {
        let target = PacketTarget(
            "Forgetful", packets: [ByteForm(BodySensorLocation.self)],
            frames: [FrameForm(Battery.Request.self), FrameForm(ForgetfulFrame.self)])
        #expect(throws: Never.self) { try target.check([1, 0, 0, 0x02]) }
        let violation = #expect(throws: ContractViolation.self) {
            try target.check([2, 0, 0, 0x02])
        }
        #expect(violation?.packet == "ForgetfulFrame")
    }

    @Test func packetsOfFramesAreChecked() throws {
        try Self.battery.checkSeededInputs(5_000, upTo: 20)
        try Self.battery.check([])
        try PacketTarget("None").checkSeededInputs(10)
    }

    @Test func capturesMakeInputs() throws {
        let inputs = Self.battery.inputs(from: try Self.capture())
        // The number of the form, no change, and the packet: the request and the reply of an opcode
        // have the same frames. A frame is too long for a location.
        let payload: [UInt8] = [0x50, 0x00] + [UInt8](repeating: 0, count: 12)
        #expect(
            Set(inputs) == [[1, 0, 0] + payload, [2, 0, 0] + payload, [0, 0, 0, 0x01]])
        for input in inputs { try Self.battery.check(input) }
    }

    @Test func aCorpusHasEachInputOnceAndADictionary() throws {
        let capture = try Self.capture()
        #expect(try Self.battery.writeCorpus(to: folder, from: [capture, capture]) == 3)
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/Battery")
        #expect(files.count == 3)
        #expect(try Self.battery.checkFiles(in: "\(folder)/Battery") == 3)
        let words = try String(contentsOfFile: "\(folder)/Battery.dict", encoding: .utf8)
        #expect(words == "\"\\x03\"\n\"\\x5A\\xFF\"\n")
        // Without words there is no dictionary, and libFuzzer refuses an empty one.
        #expect(try NoSevens().writeCorpus(to: folder, from: [capture]) == 0)
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/NoSevens.dict"))
    }

    @Test func formerCrashesAreChecked() throws {
        try NoSevens().writeCorpus(to: folder, of: [[1, 2], [3]])
        let place = "\(folder)/NoSevens"
        try Data([7]).write(to: URL(fileURLWithPath: "\(place)/.hidden"))
        #expect(try NoSevens().checkFiles(in: place) == 2)
        try Data([6, 7]).write(to: URL(fileURLWithPath: "\(place)/seven.bin"))
        #expect(throws: ContractViolation.self) { try NoSevens().checkFiles(in: place) }
        #expect(throws: FileError.self) { try NoSevens().checkFiles(in: "/nowhere/at all") }
        #expect(throws: FileError.self) {
            try NoSevens().writeCorpus(to: "/dev/null/corpus", of: [[1]])
        }
    }

    @Test func seededInputsAreTheSameEachTime() throws {
        struct Noting: FuzzTarget {
            let name = "Noting"
            let note: @Sendable (Int) -> Void
            func check(_ input: Span<UInt8>) throws(ContractViolation) { note(input.count) }
        }
        func lengths() throws -> [Int] {
            let noted = Noted()
            try Noting { noted.lengths.append($0) }.checkSeededInputs(500, upTo: 100)
            return noted.lengths
        }
        let lengths = (try lengths(), try lengths())
        #expect(lengths.0 == lengths.1)
        #expect(lengths.0.count == 500)
        #expect(lengths.0.allSatisfy { $0 <= 100 })
        #expect(lengths.0.count { $0 <= 32 } > 250)
        #expect(lengths.0.contains { $0 > 90 } && lengths.0.contains(0))
        try NoSevens().checkSeededInputs(.min, upTo: -1)
        try NoSevens().checkSeededInputs(3, upTo: -1)
    }

    private final class Noted: @unchecked Sendable {
        var lengths: [Int] = []
    }

    @Test func theEntryOfLibFuzzerTakesNoBytes() {
        #expect(NoSevens().test(nil, 0) == 0)
    }

    @Test func aBrokenPromiseEndsTheProcess() async {
        let abort: CInt = 6
        await #expect(processExitsWith: .signal(abort)) {
            var seven: UInt8 = 7
            _ = NoSevens().test(&seven, 1)
        }
    }

    @Test func aProgramSaysWhatItNeeds() async {
        await #expect(processExitsWith: .exitCode(2)) { NoSevens().runAsProgram(["NoSevens"]) }
        // An option of libFuzzer, in a build without it, must not pass for a run.
        await #expect(processExitsWith: .exitCode(2)) {
            NoSevens().runAsProgram(["NoSevens", "-runs=10"])
        }
        await #expect(processExitsWith: .exitCode(2)) {
            NoSevens().runAsProgram(["NoSevens", "--corpus"])
        }
        await #expect(processExitsWith: .exitCode(1)) {
            NoSevens().runAsProgram(["NoSevens", "/nowhere/at all"])
        }
        await #expect(processExitsWith: .exitCode(1)) {
            NoSevens().runAsProgram(["NoSevens", "--corpus", "/tmp", "/nowhere/at all.halo"])
        }
        await #expect(processExitsWith: .exitCode(0)) {
            NoSevens().runAsProgram(["NoSevens", #filePath])
        }
    }

    @Test func aProgramChecksEachFile() async {
        let abort: CInt = 6
        await #expect(processExitsWith: .signal(abort)) {
            let seven = packagePath(
                "Tests/Tools/Fuzz/Regressions/Session/deadline-beyond-the-end-of-time.bin")
            NoSevens().runAsProgram(["NoSevens", #filePath, seven])
        }
    }

    /// The folder of the test below, whose process ends before it can remove it.
    private static let corpus =
        FileManager.default.temporaryDirectory.appendingPathComponent("halo-fuzzing-corpus").path

    @Test func aProgramMakesACorpusOfCaptures() async throws {
        defer { try? FileManager.default.removeItem(atPath: Self.corpus) }
        let result = await #expect(
            processExitsWith: .exitCode(0), observing: [\.standardOutputContent]
        ) {
            Self.battery.runAsProgram([
                "Battery", "--corpus", Self.corpus,
                packagePath("Fixtures/Captures/VirtualR10.halo"),
            ])
        }
        let words = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(words.hasPrefix("Battery: ") && !words.hasPrefix("Battery: 0 "))
    }
}
