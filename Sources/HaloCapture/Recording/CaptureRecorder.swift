public import HaloProtocol
public import HaloTransport

/// A recorder of the traffic of links as a capture.
///
/// A ``RecordingTransport`` uses a recorder in one of three modes:
/// - it keeps the newest part in memory, for ``capture()`` at any time;
/// - it writes a file that can be read at any moment, also after the program was killed;
/// - it hands over the text at once.
///
/// Rules:
/// - Recording never disturbs the traffic. An error, such as a full disk, ends the recording, and
///   ``failure`` has the reason.
/// - While the state is locked, no callback is called and no file is written. One thread at a time
///   writes the queued text, before its call returns to the device or the app; other threads add to
///   the queue and return. So a slow disk blocks one thread; when more than 4 MiB are queued, the
///   recording ends.
/// - A line is written at once and completely: there is no buffer to flush.
public final class CaptureRecorder: Sendable {
    private let state: Locked<RecorderState>
    private let write: @Sendable (Span<UInt8>) throws(FileError) -> Void
    private let file: RecordingFile?
    /// A lock held by the thread that writes the file, so that ``finish()`` can wait for it.
    private let turn = Locked(())

    /// Creates a recorder that keeps the newest part of the traffic in memory.
    public init(
        keeping limits: RecordingLimits = RecordingLimits(),
        options: RecordingOptions = RecordingOptions()
    ) {
        state = Locked(RecorderState(options, KeptLines(limits)))
        write = { _ in }
        file = nil
    }

    /// Creates a recorder that writes all traffic to a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which is created at once. A file without a line is removed
    ///     when the recording is finished.
    ///   - replacing: `true` to replace an existing file with the first packet and the lines before
    ///     it; `false` to throw an error for it.
    ///   - options: The options of the recording.
    public convenience init(
        writingTo path: String, replacing: Bool = false,
        options: RecordingOptions = RecordingOptions()
    ) throws(FileError) {
        try self.init(writingTo: FilePath(path), replacing: replacing, options: options)
    }

    /// Creates a recorder that writes all traffic to a file.
    package convenience init(
        writingTo path: FilePath, replacing: Bool = false,
        options: RecordingOptions = RecordingOptions()
    ) throws(FileError) {
        self.init(try RecordingFile(path, replacing: replacing), options: options)
    }

    /// Creates a recorder that writes all traffic to standard output, which has this path in
    /// errors.
    package convenience init(
        standardOutput path: FilePath, options: RecordingOptions = RecordingOptions()
    ) throws(FileError) {
        self.init(try RecordingFile(standardOutput: path), options: options)
    }

    /// Creates a recorder that hands over the text in pieces of whole lines, in order and one at a
    /// time, on the thread of the traffic.
    public init(
        options: RecordingOptions = RecordingOptions(),
        handingTo receive: @escaping @Sendable ([UInt8]) -> Void
    ) {
        state = Locked(RecorderState(options, nil))
        write = { bytes in receive(bytes.withUnsafeBufferPointer { Array($0) }) }
        file = nil
    }

    /// Creates a recorder that writes to an open file.
    init(_ file: RecordingFile, options: RecordingOptions = RecordingOptions()) {
        state = Locked(RecorderState(options, nil))
        write = { (bytes) throws(FileError) in try file.write(bytes) }
        self.file = file
    }

    /// The reason why the recording has stopped; `nil` while it continues.
    public var failure: RecordingFailure? { state.withLock { $0.failure } }

    /// `true` if any text was handed over, or written to the file.
    package var hasBegun: Bool {
        state.withLock { $0.hasBegunText } && file?.keepsOldContent != true
    }

    /// The number of bytes in the file.
    package var byteCount: Int { file?.length ?? 0 }

    /// The number of packets and of connections recorded in a file.
    package var counts: LineCounts { state.withLock { $0.counts } }

    /// Returns the kept part as a capture of its own, which begins with the state of each
    /// connection. Without kept lines, the capture has only that state.
    public func capture() -> Capture {
        let copy = state.withLock { $0 }
        return copy.capture()
    }

    /// Adds a comment by the program or its user.
    public func note(_ text: CaptureText, at moment: Moment) {
        change { $0.note(text, at: moment) }
    }

    /// Records an event of a link, for callers that have an observer and no transport.
    public func record(_ trace: LinkTrace) {
        change { $0.record(trace) }
    }

    /// Ends the recording, and waits until the file survives a power failure.
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

    /// Begins the recording, unless it has begun.
    func begin(at moment: Moment, _ clock: WallClock) {
        change { $0.begin(at: moment, clock) }
    }

    /// Records an advertisement.
    func heard(_ discovery: Discovery, at moment: Moment) {
        change { $0.heard(discovery, at: moment) }
    }

    /// Changes the state, and writes the queued text, unless another thread is writing.
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

/// The options of a recording: tags, names and advertisements.
public struct RecordingOptions: Sendable {
    /// The text of the tag `source:`.
    public var source: CaptureText = "recorded by HaloProtocol"
    /// The text of the tag `device:`: model and firmware, if known in advance; otherwise `nil`.
    public var device: CaptureText?
    /// The names of connections by device. The first device that is not in the list has no name;
    /// further ones are `link-2`, `link-3` and so on.
    public var linkNames: [PeripheralIdentity: CaptureName] = [:]
    /// `true` if the advertisements of a device are recorded: the last one before its connection,
    /// and all later ones. The transport must report their bytes.
    public var keepsAdvertisements = true

    /// Creates options with advertisements and without names.
    public init() {}
}

/// The limits of a recorder in memory: beyond them, the oldest exchanges are dropped.
public struct RecordingLimits: Hashable, Sendable {
    /// The approximate length of the kept text in bytes; the lines take several times as much
    /// memory.
    public var byteCount: Int
    /// The maximum age of a line, compared with the newest one; `nil` for no limit.
    public var age: Duration?

    /// Creates limits of length and age.
    public init(byteCount: Int = 1 << 20, age: Duration? = nil) {
        self.byteCount = max(0, byteCount)
        self.age = age
    }
}

/// The first lines of a recording.
struct RecordingHeader {
    let options: RecordingOptions
    /// The date and time of the beginning; `nil` if not known.
    var clock: WallClock?

    /// Returns the first lines of a recording that begins `offset` microseconds after the recorder.
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

/// The reason why a recorder has stopped. The recorded traffic continues.
public struct RecordingFailure: Error, Hashable, Sendable {
    /// A kind of failure; a list that can grow.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The failure in words.
        public let description: String

        /// The file cannot be written, for the reason in ``RecordingFailure/file``.
        public static let file = Kind(description: "the file cannot be written")
        /// Too much text was queued: the file is slower than the traffic.
        public static let overloaded = Kind(
            description: "more was recorded than could be written in time")
        /// The recording exceeds the maximum length of a capture: some 31 years.
        public static let tooLong = Kind(
            description: "the recording takes longer than a capture can")
    }

    /// The kind of failure.
    public let kind: Kind
    /// The error of the file; `nil` for other kinds.
    public let file: FileError?

    init(_ kind: Kind, _ file: FileError? = nil) {
        self.kind = kind
        self.file = file
    }
}

extension RecordingFailure: CustomStringConvertible {
    /// The reason as one sentence.
    public var description: String { file.map { "\($0)" } ?? "\(kind)" }
}

/// The file of a recorder, written from one thread at a time.
final class RecordingFile: Sendable {
    private let path: FilePath
    private let descriptor: Int32
    private let kind: Kind
    private let state: Locked<State>

    /// The origin of the file.
    enum Kind {
        /// The recorder has created the file: without a line, the file is removed in the end.
        case new
        /// The file has other content, which stays until the first packet: without one, nothing
        /// worth replacing it was recorded.
        case old
        /// The file was opened elsewhere, and is appended to.
        case open
        /// Standard output, whose earlier content is not emptied.
        case standardOutput
    }

    private struct State {
        var length = 0
        /// The lines before the first packet of a file that has other content; otherwise `nil`.
        var held: [UInt8]?
        var isRemoved = false
    }

    /// The most bytes that are held before the first packet: more than the offers of a device.
    private static let heldLimit = 1 << 20

    /// Creates the file; see ``SystemFile/createLog(_:replacing:)``.
    convenience init(_ path: FilePath, replacing: Bool) throws(FileError) {
        let (descriptor, isNew) = try SystemFile.createLog(path, replacing: replacing)
        self.init(path, descriptor, isNew ? .new : .old)
    }

    /// Writes to standard output.
    convenience init(standardOutput path: FilePath) throws(FileError) {
        self.init(path, try SystemFile.standardOutput(path), .standardOutput)
    }

    init(_ path: FilePath, _ descriptor: Int32, _ kind: Kind = .open) {
        self.path = path
        self.descriptor = descriptor
        self.kind = kind
        state = Locked(State(held: kind == .old ? [] : nil))
    }

    deinit {
        SystemFile.close(descriptor)
    }

    /// The number of bytes written.
    var length: Int { state.withLock { $0.length } }

    /// `true` as long as the file has its old content.
    var keepsOldContent: Bool { state.withLock { $0.held != nil } }

    /// Appends whole lines. When the call returns, the system has the lines, and they survive the
    /// end of the program. If the file has other content, the lines before the first packet are
    /// held, at most ``heldLimit`` bytes of them, so that a recording without packets keeps it.
    func write(_ bytes: Span<UInt8>) throws(FileError) {
        guard var held = state.withLock({ $0.held }) else { return try append(bytes) }
        held.append(contentsOf: bytes.withUnsafeBufferPointer { Array($0) })
        var scan = PacketLineScan()
        scan.read(bytes)
        guard scan.packetCount > 0 || held.count > Self.heldLimit else {
            return state.withLock { [held] in $0.held = held }
        }
        state.withLock { $0.held = nil }
        try SystemFile.empty(descriptor, path)
        try append(ContiguousArray(held).span)
    }

    private func append(_ bytes: Span<UInt8>) throws(FileError) {
        try SystemFile.write(descriptor, bytes, path, length)
        state.withLock { $0.length += bytes.count }
    }

    /// Waits until the content survives a power failure. A file without a line is removed.
    func finish() throws(FileError) {
        let now = state.withLock { $0 }
        switch kind {
        case .standardOutput: return
        case .new where now.length == 0:
            if !now.isRemoved { SystemFile.remove(path) }
            state.withLock { $0.isRemoved = true }
        case .new, .old, .open: try SystemFile.synchronise(descriptor, path, now.length)
        }
    }
}
