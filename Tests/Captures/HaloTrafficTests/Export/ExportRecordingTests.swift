import CaptureSupport
import HaloCapture
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import HaloTraffic

/// The sessions of a program with virtual devices are exported, in few lines of code.
@Suite(.computes) struct ExportRecordingTests {
    private func recording() async throws -> Capture {
        let recorder = CaptureRecorder(keeping: RecordingLimits(byteCount: 64 << 20))
        let transport = RecordingTransport(RecordingBench.air(), to: recorder)
        _ = try await RecordingBench.session(over: transport, withStrap: true)
        return recorder.capture()
    }

    /// The example of ``Capture/export(as:to:)``.
    @Test func writesAFileOfAConversation() async throws {
        let folder = TestFolder()
        let bluetooth = RecordingBench.air()
        let recorder = CaptureRecorder()
        let ring = try await Ring.connect(over: RecordingTransport(bluetooth, to: recorder))
        _ = try await ring.battery()
        try recorder.capture().export(as: .pcapng, to: folder.path("ring.pcapng"))
        let packets = try ExportedTraffic(folder.bytes("ring.pcapng"), .pcapng).attributes
        #expect(packets.contains { $0.opcode == .notification && $0.bytes[3] == 0x03 })
    }

    @Test func refusesAPathThatCannotBeAFile() throws {
        #expect {
            try Capture().export(as: .btsnoop, to: "/proc/nothing/here")
        } throws: { error in
            (error as? ExportError)?.file != nil && "\(error)".contains("/proc/nothing/here")
        }
    }

    /// Every value, on its channel, in each link.
    @Test(arguments: ExportFormat.allCases)
    func keepsAllLines(format: ExportFormat) async throws {
        let capture = try await recording()
        var options = ImportOptions()
        options.device = .all
        let back = try Capture(importing: capture.exported(as: format), options)
        let before = try values(capture)
        let after = try values(back)
        #expect(before.count == 2 && before == after)
    }

    @Test(.enabled(if: ExternalProgram.tshark.isInstalled, "tshark is not installed"))
    func isReadByTShark() async throws {
        let bytes = try await recording().exported(as: .pcapng)
        let ours = try ExportedTraffic(bytes, .pcapng).attributes
        let outcome = try ExternalProgram.tshark.run(
            reading: bytes, ["-Y", "btatt", "-T", "fields", "-e", "btatt.opcode"])
        #expect(outcome.complaints == "")
        let opcodes = outcome.lines.map { UInt8($0.dropFirst(2), radix: 16) }
        #expect(opcodes == ours.map(\.bytes.first))
    }

    /// The values of each link, in the order of the links' first values.
    private func values(_ capture: Capture) throws -> [[CapturePacket]] {
        var links: [CaptureName?] = []
        var values: [[CapturePacket]] = []
        for packet in capture.lines.compactMap(\.packet) {
            if [.advertisement, .scanResponse].contains(packet.channel) { continue }
            let bare = try CapturePacket(packet.direction, packet.channel, packet.bytes)
            if let index = links.firstIndex(of: packet.link) {
                values[index].append(bare)
            } else {
                links.append(packet.link)
                values.append([bare])
            }
        }
        return values
    }
}
