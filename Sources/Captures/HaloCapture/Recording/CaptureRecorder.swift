public import HaloProtocol
public import HaloTransport

/// A recorder of the traffic of links as a capture.
///
/// A ``RecordingTransport`` uses a recorder in one of three modes:
/// - it keeps the newest part in memory, for ``capture()`` at any time;
/// - it writes a file that can be read at any moment, even after the program was killed;
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

    init(_ file: RecordingFile, options: RecordingOptions = RecordingOptions()) {
        state = Locked(RecorderState(options, nil))
        write = { (bytes) throws(FileError) in try file.write(bytes) }
        self.file = file
    }

    /// The reason why the recording has stopped; `nil` while it continues.
    public var failure: RecordingFailure? { state.withLock { $0.failure } }

    /// Calls a function once if a failure stops the recording before it is finished.
    package func onFailure(_ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.failureHandler = body
            return state.takeFailureHandler()
        }?()
    }

    /// `true` if any text was handed over, or written to the file.
    package var hasBegun: Bool {
        state.withLock { $0.hasBegunText } && file?.keepsOldContent != true
    }

    package var byteCount: Int { file?.length ?? 0 }

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
                _ = writeWaiting()
                try file.finish()
            }
        } catch {
            state.withLock { $0.fail(RecordingFailure(.file, error)) }
        }
    }

    /// Begins the recording, unless it has begun.
    func setOrigin(at moment: Moment, _ clock: WallClock) {
        change { $0.setOrigin(at: moment, clock) }
    }

    func heard(_ discovery: Discovery, at moment: Moment) {
        change { $0.heard(discovery, at: moment) }
    }

    /// Changes the state, and writes the queued text, unless another thread is writing.
    private func change(_ body: (inout RecorderState) -> Void) {
        let (mustWrite, failed) = state.withLock { state in
            if !state.isFinished, state.failure == nil { body(&state) }
            return (state.beginWriting(), state.takeFailureHandler())
        }
        failed?()
        guard mustWrite else { return }
        let writeFailed = file == nil ? writeWaiting() : turn.withLock { _ in writeWaiting() }
        writeFailed?()
    }

    /// Writes the queued text. Returns the handler of a failure, to be called without a lock.
    private func writeWaiting() -> (@Sendable () -> Void)? {
        var failed: (@Sendable () -> Void)?
        while let bytes = state.withLock({ $0.nextBytes() }) {
            do throws(FileError) {
                try bytes.withUnsafeBufferPointer { (buffer) throws(FileError) in
                    try write(buffer.span)
                }
            } catch {
                failed = state.withLock { state in
                    state.fail(RecordingFailure(.file, error))
                    return state.takeFailureHandler()
                }
            }
        }
        return failed
    }
}

/// The file of a recorder, written from one thread at a time.
final class RecordingFile: Sendable {
    private let path: FilePath
    private let descriptor: Int32
    private let kind: Kind
    private let state: Locked<State>

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

    convenience init(_ path: FilePath, replacing: Bool) throws(FileError) {
        let (descriptor, isNew) = try SystemFile.createLog(path, replacing: replacing)
        self.init(path, descriptor, isNew ? .new : .old)
    }

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
        SystemFile.closeFile(descriptor)
    }

    var length: Int { state.withLock { $0.length } }

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
        try SystemFile.writeAll(descriptor, bytes, path, length)
        state.withLock { $0.length += bytes.count }
    }

    /// Waits until the content survives a power failure. A file without a line is removed.
    func finish() throws(FileError) {
        let now = state.withLock { $0 }
        switch kind {
        case .standardOutput: return
        case .new where now.length == 0:
            if !now.isRemoved { path.remove() }
            state.withLock { $0.isRemoved = true }
        case .new, .old, .open: try SystemFile.synchronise(descriptor, path, now.length)
        }
    }
}
