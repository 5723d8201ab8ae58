import HaloProtocol
import HaloTransport

struct RecorderState {
    var isFinished = false
    private(set) var failure: RecordingFailure?
    var failureHandler: (@Sendable () -> Void)?

    private var header: RecordingHeader
    private var links = RecordedLinks()
    /// The kept lines; `nil` if all lines are written.
    private var kept: KeptLines?
    private var writer = CaptureWriter()
    private(set) var hasBegunText = false
    private(set) var counts = LineCounts()
    private var isWriting = false
    private var origin: Moment?
    /// The time of the last line since ``origin``, in microseconds.
    private var offset: UInt64 = 0
    /// The time of the last written line since ``origin``, in microseconds.
    private var writtenOffset: UInt64 = 0

    /// The maximum number of queued bytes.
    private static let waitingLimit = 4 << 20

    init(_ options: RecordingOptions, _ kept: KeptLines?) {
        header = RecordingHeader(options: options)
        self.kept = kept
    }

    mutating func setOrigin(at moment: Moment, _ clock: WallClock) {
        guard origin == nil else { return }
        origin = moment
        header.clock = clock
    }

    mutating func note(_ text: CaptureText, at moment: Moment) {
        advance(to: moment)
        if kept == nil { return write(.comment(text)) }
        kept?.note(text, at: offset)
        kept?.trim(&links, at: offset)
    }

    mutating func heard(_ discovery: Discovery, at moment: Moment) {
        links.hear(discovery)
        // Before the first connection, only the last advertisement counts: it is recorded with the
        // connection.
        guard header.options.keepsAdvertisements,
            links.links[discovery.identity]?.isConnected == false
        else { return }
        advance(to: moment)
        add(lines(discovery), of: discovery.identity)
    }

    mutating func record(_ trace: LinkTrace) {
        let identity = trace.identity
        advance(to: trace.moment)
        if trace.kind == .reply, trace.operation == .connect, trace.error == nil {
            let isNew = links.links[identity] == nil
            let discovery = links.open(identity, header.options)
            if isNew {
                beginText()
                // Tags apply to the whole file.
                for tag in links.links[identity]?.tags ?? [] where kept == nil {
                    writer.put(.comment(tag))
                }
                if let discovery, header.options.keepsAdvertisements {
                    add(lines(discovery), of: identity)
                }
            }
            links.links[identity]?.isConnected = true
        }
        let lines = links.links[identity]?.transcriber.lines(trace) ?? []
        add(lines, of: identity)
        if case .disconnected = trace.event { links.links[identity]?.isConnected = false }
    }

    mutating func fail(_ failure: RecordingFailure) {
        if self.failure == nil { self.failure = failure }
        // Queued text cannot be written any more.
        if failure.kind == .file { writer = CaptureWriter() }
    }

    /// Returns the handler if the recording has failed, and only once.
    mutating func takeFailureHandler() -> (@Sendable () -> Void)? {
        guard failure != nil else { return nil }
        defer { failureHandler = nil }
        return failureHandler
    }

    func capture() -> Capture {
        let kept = kept ?? KeptLines(RecordingLimits())
        return kept.capture(links, header, at: offset)
    }

    // MARK: Writing

    /// Begins writing; returns `false` if the lines are kept, or another thread is writing.
    mutating func beginWriting() -> Bool {
        guard kept == nil, !isWriting else { return false }
        isWriting = true
        return true
    }

    /// Removes and returns the queued text; returns `nil` and ends writing if there is none.
    mutating func nextBytes() -> [UInt8]? {
        guard writer.pendingCount > 0 else {
            isWriting = false
            return nil
        }
        return writer.drainBytes()
    }

    // MARK: Lines

    /// Advances the time, but never backwards: events of two threads may come in either order.
    private mutating func advance(to moment: Moment) {
        if origin == nil { origin = moment }
        let passed = moment.microseconds(since: origin ?? moment)
        offset = max(offset, UInt64(clamping: passed))
        if offset > CaptureRules.maximumMicroseconds { fail(RecordingFailure(.tooLong)) }
    }

    private mutating func add(_ lines: [CaptureLine], of identity: PeripheralIdentity) {
        guard !lines.isEmpty, failure == nil else { return }
        if kept != nil {
            for line in lines {
                guard let entry = kept?.entry(line, at: offset, of: identity) else { continue }
                links.links[identity]?.history.append(entry)
            }
            kept?.trim(&links, at: offset)
            return
        }
        for line in lines {
            links.links[identity]?.history.conditions.apply(line)
            write(line)
        }
    }

    private mutating func beginText() {
        guard kept == nil, !hasBegunText else { return }
        hasBegunText = true
        for line in header.lines(at: writtenOffset) { writer.put(line) }
    }

    private mutating func write(_ line: CaptureLine) {
        beginText()
        do throws(CaptureError) {
            if offset > writtenOffset {
                try writer.write(.elapsed(microseconds: offset - writtenOffset))
                writtenOffset = offset
            }
            try writer.write(line)
            counts.add(line)
        } catch {
            fail(RecordingFailure(.tooLong))
        }
        if writer.pendingCount > Self.waitingLimit { fail(RecordingFailure(.overloaded)) }
    }

    private func lines(_ discovery: Discovery) -> [CaptureLine] {
        guard let advertisement = discovery.advertisement?.bytes,
            advertisement.count <= CapturePacket.maximumLength
        else { return [] }
        let link = links.links[discovery.identity]?.name
        return [
            .event(.advertised(rssi: discovery.rssi.flatMap { Int8(exactly: $0) }), link: link),
            .packet(
                CapturePacket(
                    unchecked: .fromDevice, nil, link: link, .advertisement, advertisement)),
        ]
    }
}
