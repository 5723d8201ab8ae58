public import HaloProtocol
public import HaloTransport

/// Takes in what goes over links, and makes a capture of it.
///
/// Give it to a ``RecordingTransport``. It can do one of three things:
/// - keep the newest part in memory, for ``capture()`` whenever somebody wants it;
/// - write a file that can be read at any moment, also after the program has ended in the middle;
/// - hand over the text as it comes.
///
/// Rules:
/// - Recording never disturbs what is recorded. What goes wrong, such as a full disk, ends the
///   recording, and ``failure`` says why.
/// - Nothing is called, and no file written, while the state is locked. One thread at a time
///   writes what waits, on its way back to the device or the app; the others add to it and go on.
///   So a disk that takes long holds up one thread; when more than 4 MiB wait, recording ends.
/// - A line is written at once, whole, when it happens: there is nothing to flush.
public final class CaptureRecorder: Sendable {
    private let state: Locked<RecorderState>
    private let write: @Sendable (Span<UInt8>) throws(FileError) -> Void
    private let file: RecordingFile?
    /// Who writes the file holds it, so that who ends the recording can wait for that.
    private let turn = Locked(())

    /// Keeps the newest part of what goes over links.
    public init(
        keeping limits: RecordingLimits = RecordingLimits(),
        options: RecordingOptions = RecordingOptions()
    ) {
        state = Locked(RecorderState(options, KeptLines(limits)))
        write = { _ in }
        file = nil
    }

    /// Writes everything to a file.
    ///
    /// - Parameters:
    ///   - path: The file. It has its name from the beginning. If nothing was recorded when the
    ///     recording is finished, it is removed.
    ///   - replacing: Whether a file that is there may be replaced, which is done when there is
    ///     something to record; else it is an error.
    ///   - options: What is recorded.
    public init(
        writingTo path: String, replacing: Bool = false,
        options: RecordingOptions = RecordingOptions()
    ) throws(FileError) {
        let file = try RecordingFile(path, replacing: replacing)
        state = Locked(RecorderState(options, nil))
        write = { (bytes) throws(FileError) in try file.write(bytes) }
        self.file = file
    }

    /// Hands over the text in pieces of whole lines, in order and one at a time, on the thread on
    /// which things happen.
    public init(
        options: RecordingOptions = RecordingOptions(),
        handingTo take: @escaping @Sendable ([UInt8]) -> Void
    ) {
        state = Locked(RecorderState(options, nil))
        write = { bytes in take(bytes.withUnsafeBufferPointer { Array($0) }) }
        file = nil
    }

    /// Writes to a file that is open, for tests.
    init(_ file: RecordingFile, options: RecordingOptions = RecordingOptions()) {
        state = Locked(RecorderState(options, nil))
        write = { (bytes) throws(FileError) in try file.write(bytes) }
        self.file = file
    }

    /// Why nothing more is recorded; nothing while all is well.
    public var failure: RecordingFailure? { state.withLock { $0.failure } }

    /// Whether anything was written or handed over yet.
    package var hasBegun: Bool { state.withLock { $0.hasBegunText } }

    /// What is kept, as a capture that can be understood by itself: what was before it is said in
    /// short. A recorder that keeps nothing says how things stand.
    public func capture() -> Capture {
        let copy = state.withLock { $0 }
        return copy.capture()
    }

    /// Adds a comment: what the program, or who uses it, wants to remark.
    public func note(_ text: CaptureText, at moment: Moment) {
        change { $0.note(text, at: moment) }
    }

    /// Takes in something that went over a link; for who has an observer and no transport.
    public func record(_ trace: LinkTrace) {
        change { $0.record(trace) }
    }

    /// Ends the recording, and waits until a file is safe from failing power, too.
    public func finish() {
        change { $0.isFinished = true }
        guard let file else { return }
        do throws(FileError) {
            // Another thread may be writing, or be about to.
            try turn.withLock { (_) throws(FileError) in
                writeWaiting()
                try file.finish()
            }
        } catch {
            state.withLock { $0.fail(RecordingFailure(.file, error)) }
        }
    }

    /// Says when the recording begins, unless it has begun.
    func begin(at moment: Moment, _ clock: WallClock) {
        change { $0.begin(at: moment, clock) }
    }

    /// Takes in an advertisement.
    func heard(_ discovery: Discovery, at moment: Moment) {
        change { $0.heard(discovery, at: moment) }
    }

    /// Changes the state, and writes what is to be written, unless another thread does.
    private func change(_ body: (inout RecorderState) -> Void) {
        let mustWrite = state.withLock { state in
            if !state.isFinished, state.failure == nil { body(&state) }
            return state.beginWriting()
        }
        guard mustWrite else { return }
        guard file != nil else { return writeWaiting() }
        turn.withLock { _ in writeWaiting() }
    }

    private func writeWaiting() {
        while let bytes = state.withLock({ $0.nextBytes() }) {
            do throws(FileError) {
                try bytes.withUnsafeBufferPointer { (buffer) throws(FileError) in
                    try write(buffer.span)
                }
            } catch {
                state.withLock { $0.fail(RecordingFailure(.file, error)) }
            }
        }
    }
}

/// What a recorder records beyond what goes over links, and how it names things.
public struct RecordingOptions: Sendable {
    /// What the `source:` tag says.
    public var source: CaptureText = "recorded by HaloProtocol"
    /// What the `device:` tag says: model and firmware, where they are known beforehand.
    public var device: CaptureText?
    /// Names for connections to devices. The first device that has none here is the one without a
    /// name; further ones are `link-2`, `link-3` and so on.
    public var linkNames: [PeripheralIdentity: CaptureName] = [:]
    /// Whether the advertisements of a device are recorded: the last one before it is connected
    /// to, and all afterwards. The transport has to tell their bytes.
    public var keepsAdvertisements = true

    /// Advertisements, and no names.
    public init() {}
}

/// How much a recorder keeps: when it is more, the oldest exchanges are forgotten.
public struct RecordingLimits: Hashable, Sendable {
    /// How long the text of what is kept may be, in bytes, more or less; in memory it is some
    /// times that.
    public var byteCount: Int
    /// How old the oldest may be, counted back from the newest; without, any age.
    public var age: Duration?

    /// Limits for what is kept.
    public init(byteCount: Int = 1 << 20, age: Duration? = nil) {
        self.byteCount = max(0, byteCount)
        self.age = age
    }
}

/// What stands at the beginning of every recording.
struct RecordingHeader {
    let options: RecordingOptions
    /// What the clock on the wall showed when the recording began; nothing if nobody said so.
    var clock: WallClock?

    /// The lines of a recording that begins so many microseconds after the recorder.
    func lines(at offset: UInt64) -> [CaptureLine] {
        var lines: [CaptureLine] = [
            .version(.current), .comment(CaptureText("source: \(options.source)")),
        ]
        if let device = options.device {
            lines.append(.comment(CaptureText("device: \(device)")))
        }
        if let clock {
            let local = clock.local.advanced(bySeconds: Int(clamping: offset / 1_000_000))
            let zone = Self.zone(clock.secondsFromUTC)
            lines.append(.comment(CaptureText("clock: \(local) \(zone)")))
        }
        return lines
    }

    private static func zone(_ seconds: Int) -> String {
        let minutes = seconds.magnitude / 60
        let digits = { (number: UInt) in number < 10 ? "0\(number)" : "\(number)" }
        return (seconds < 0 ? "-" : "+") + digits(minutes / 60) + ":" + digits(minutes % 60)
    }
}

/// Why a recorder has stopped; what was recorded with it goes on.
public struct RecordingFailure: Error, Hashable, Sendable {
    /// What went wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The file cannot be written; ``RecordingFailure/file`` says why.
        public static let file = Kind(code: 0)
        /// More came than was written or taken in time.
        public static let overloaded = Kind(code: 1)
        /// It took longer than a capture can: some 31 years.
        public static let tooLong = Kind(code: 2)
    }

    /// What went wrong.
    public let kind: Kind
    /// What is the matter with the file.
    public let file: FileError?

    init(_ kind: Kind, _ file: FileError? = nil) {
        self.kind = kind
        self.file = file
    }
}

extension RecordingFailure: CustomStringConvertible {
    /// Why nothing more is recorded, as one sentence.
    public var description: String { file.map { "\($0)" } ?? "\(kind)" }
}

extension RecordingFailure.Kind: CustomStringConvertible {
    /// What went wrong.
    public var description: String {
        switch self {
        case .file: "the file cannot be written"
        case .overloaded: "more was recorded than could be written in time"
        case .tooLong: "the recording takes longer than a capture can"
        default: "nothing more can be recorded"
        }
    }
}
