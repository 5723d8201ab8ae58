import CaptureSupport
import Foundation
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@testable import HaloCapture

@Suite(.computes) struct RecordingTests {
    private static let all = RecordingLimits(byteCount: 64 << 20)

    private static func events(_ capture: Capture) -> [String] {
        capture.lines.compactMap { line in
            guard case .event(let event, _) = line else { return nil }
            return switch event {
            case .connected(let mtu): "connected \(mtu ?? 0)"
            case .subscribed(let channel): "subscribed \(channel.knownName ?? "other")"
            case .disconnected(let reason): "disconnected \(reason ?? 0)"
            case .offers: "offers"
            default: nil
            }
        }
    }

    @Test func recordingsHaveTheTraffic() async throws {
        let recorder = CaptureRecorder(keeping: Self.all)
        let transport = RecordingTransport(RecordingBench.air(), to: recorder)
        let outcome = try await RecordingBench.session(over: transport)
        let capture = try Capture(reading: recorder.capture().text)
        let packets = capture.lines.compactMap(\.packet).filter { $0.channel != .advertisement }
        #expect(packets.map(\.bytes) == RecordingBench.values(outcome.traces))
        #expect(packets.count > 100)

        // Times are the transport's.
        let connected = try #require(
            outcome.traces.first { $0.kind == .reply && $0.operation == .connect })
        let wrote = try #require(outcome.traces.first { $0.kind == .request && $0.mode != nil })
        let lines = capture.timedLines
        let connectedLine = try #require(
            lines.first { line in
                if case .event(.connected, _) = line.line { true } else { false }
            })
        let wroteLine = try #require(lines.first { $0.line.packet?.direction == .toDevice })
        #expect(wroteLine.line.packet?.bytes == wrote.bytes)
        #expect(
            wroteLine.moment.microseconds(since: connectedLine.moment)
                == wrote.moment.microseconds(since: connected.moment))
        let events = Self.events(capture)
        #expect(events.first?.hasPrefix("connected ") == true)
        #expect(events.contains("subscribed uart"))
        #expect(events.filter { $0 == "offers" }.count > 5)
        #expect(events.last == "disconnected 22")
    }

    @Test func everyRequestHasItsAnswer() async throws {
        let recorder = CaptureRecorder(keeping: Self.all)
        let transport = RecordingTransport(RecordingBench.air(), to: recorder)
        let outcome = try await RecordingBench.session(over: transport, withStrap: true)
        let requests = outcome.traces.filter { $0.operation == .write && $0.mode == .withResponse }
        let answered = requests.filter { $0.kind == .reply && $0.error == nil }
        let ring = recorder.capture().lines.filter { line in
            if case .event(.acknowledged, link: nil) = line { true } else { false }
        }
        #expect(ring.count == answered.count)
    }

    @Test func severalConnectionsHaveNames() async throws {
        let recorder = CaptureRecorder(keeping: Self.all)
        let transport = RecordingTransport(RecordingBench.air(), to: recorder)
        _ = try await RecordingBench.session(over: transport, withStrap: true)
        let text = recorder.capture().text
        #expect(text.contains("* link-2/connected mtu "))
        #expect(text.contains("* link-2/subscribed 2a37\n"))
        #expect(text.contains("< link-2/2a37 notified "))
        #expect(text.contains("# name: Virtual HR on link-2\n"))
        #expect(text.contains(" on link-2\n# name: "))
        #expect(text.contains("* connected mtu "))
        #expect(text.contains("# clock: 2026-01-05 09:00:02 +00:00\n"))

        let air = RecordingBench.air()
        var options = RecordingOptions()
        options.keepsAdvertisements = false
        let found = try await HeartRateSensor.find(over: air)
        options.linkNames = [found.identity: try CaptureName("strap")]
        let named = CaptureRecorder(keeping: Self.all, options: options)
        _ = try await RecordingBench.session(
            over: RecordingTransport(air, to: named), withStrap: true)
        #expect(named.capture().text.contains("* strap/connected mtu "))
        #expect(!named.capture().text.contains("adv"))
    }

    /// A name in a file cannot control a terminal.
    @Test func aNameCannotMisuseATerminal() async throws {
        let recorder = CaptureRecorder(keeping: Self.all)
        let air = VirtualBluetooth(seed: 1)
        var options = VirtualHeartRateSensorOptions()
        options.name = "a\u{202E}b"
        air.add(VirtualHeartRateSensor(options: options))
        let strap = try await HeartRateSensor.connect(
            over: RecordingTransport(air, to: recorder))
        await strap.disconnect()
        #expect(recorder.capture().text.contains("# name: a\\xE2\\x80\\xAEb\n"))
    }

    @Test func allKindsOfRecordersHaveTheSameLines() async throws {
        let folder = TestFolder()
        let kept = CaptureRecorder(keeping: Self.all)
        let text = Locked<[UInt8]>([])
        let handed = CaptureRecorder { piece in text.withLock { $0 += piece } }
        let filed = try CaptureRecorder(writingTo: folder.path("a.halo"))
        let transport = RecordingTransport(
            RecordingTransport(RecordingTransport(RecordingBench.air(), to: kept), to: handed),
            to: filed)
        _ = try await RecordingBench.session(over: transport)
        filed.finish()
        #expect(filed.failure == nil)
        let written = try folder.text("a.halo")
        #expect(written == String(decoding: text.withLock { $0 }, as: UTF8.self))
        let inFile = try Capture(contentsOf: folder.path("a.halo"))
        func content(_ capture: Capture) -> [TimedLine] {
            let lines = capture.timedLines.filter { line in
                switch line.line {
                case .event, .packet: true
                default: false
                }
            }
            let begin = lines.first?.moment ?? .origin
            return lines.map { line in
                TimedLine(
                    number: 0,
                    moment: Moment(microseconds: line.moment.microseconds(since: begin)),
                    line: line.line)
            }
        }
        #expect(content(kept.capture()) == content(inFile))
        #expect(throws: FileError.self) {
            try CaptureRecorder(writingTo: folder.path("a.halo"))
        }
        #expect(try folder.text("a.halo") == written)
    }

    /// What other programs do to the file while it is written.
    @Test(
        arguments: [
            ("rm", "removed"), ("replace", "replaced"), ("truncate", "changed"),
            ("append", "changed"),
            ("chmod", nil),
        ] as [(String, String?)])
    func aFileThatIsNotTheRecordingIsSaid(_ change: String, _ reason: String?) throws {
        let folder = TestFolder()
        let path = folder.path("a.halo")
        let recorder = try CaptureRecorder(writingTo: path)
        recorder.note("one", at: Moment(microseconds: 0))
        switch change {
        case "rm": try FileManager.default.removeItem(atPath: path)
        case "replace":
            try folder.write("other", to: "b")
            #expect(rename(folder.path("b"), path) == 0)
        case "truncate": #expect(truncate(path, 0) == 0)
        case "append":
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("x".utf8))
        default: #expect(chmod(path, 0o640) == 0)
        }
        recorder.note("two", at: Moment(microseconds: 1))
        recorder.finish()
        #expect(recorder.hasLostFile == (reason != nil))
        let text = recorder.failure.map { "\($0)" }
        let words = reason.map { "it was \($0) by another program" }
        #expect(text == nil ? words == nil : text?.contains(words ?? "?") == true, "\(text ?? "")")
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func recordingDoesNotDisturbTheTraffic(seed: UInt64) async throws {
        let plainAir = RecordingBench.air(seed: seed)
        var plain = try await RecordingBench.session(over: plainAir, withStrap: true)
        plain.air = plainAir.trace
        let air = RecordingBench.air(seed: seed)
        let transport = RecordingTransport(
            air, to: CaptureRecorder(keeping: RecordingLimits(byteCount: 10_000)))
        var recorded = try await RecordingBench.session(over: transport, withStrap: true)
        recorded.air = air.trace
        #expect(recorded == plain)
        #expect(air.time.now() == plainAir.time.now())
    }

    @Test func aFileReadsBackWhereverItIsCutOff() async throws {
        let text = Locked<[UInt8]>([])
        let recorder = CaptureRecorder { piece in
            #expect(piece.last == UInt8(ascii: "\n"))
            text.withLock { $0 += piece }
        }
        let transport = RecordingTransport(RecordingBench.air(), to: recorder)
        let ring = try await Ring.connect(
            to: Ring.find(over: transport).identity, over: transport)
        _ = try await ring.battery()
        await ring.disconnect()
        let bytes = text.withLock { $0 }
        let whole = try Capture(reading: bytes)
        #expect(whole.lines.count > 30)
        for length in bytes.indices {
            var reader = CaptureReader()
            try reader.read(bytes[..<length])
            let (capture, leftOut) = try reader.finishCutOff()
            #expect(capture.lines == Array(whole.lines.prefix(capture.lines.count)))
            #expect(capture.text.utf8.count + leftOut == length)
        }
    }

    /// A disk that is full at the beginning, or later.
    @Test func aFullDiskEndsOnlyTheRecording() async throws {
        let full = open("/dev/full", O_WRONLY)
        guard full >= 0 else { return }
        let recorder = CaptureRecorder(RecordingFile(SystemFile(full, FilePath("full.halo"))))
        let reports = Locked(0)
        recorder.onFailure { reports.withLock { $0 += 1 } }
        let transport = RecordingTransport(RecordingBench.air(), to: recorder)
        #expect(reports.withLock { $0 } == 0)
        let plain = try await RecordingBench.session(over: RecordingBench.air())
        let outcome = try await RecordingBench.session(over: transport)
        #expect(outcome == plain)
        #expect(reports.withLock { $0 } == 1)
        #expect(recorder.failure?.kind == .file)
        #expect(recorder.failure?.file?.operation == .write)
        #expect("\(recorder.failure.map { "\($0)" } ?? "")".contains("full.halo"))
        recorder.finish()
        #expect(recorder.failure?.file?.offset == 0)
    }

    @Test func endsWhenItIsFinished() async throws {
        let recorder = CaptureRecorder(keeping: Self.all)
        let transport = RecordingTransport(RecordingBench.air(), to: recorder)
        recorder.note("before", at: transport.time.now())
        let ring = try await Ring.connect(
            to: Ring.find(over: transport).identity, over: transport)
        recorder.note("the battery:\n\u{1B}", at: transport.time.now())
        recorder.finish()
        let count = recorder.capture().lines.count
        _ = try await ring.battery()
        await ring.disconnect()
        let lines = recorder.capture().lines
        #expect(lines.count == count)
        #expect(lines.contains(.comment("before")))
        #expect(lines.last == .comment("the battery:"))
    }
}
