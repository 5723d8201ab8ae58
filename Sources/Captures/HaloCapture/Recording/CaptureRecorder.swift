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
        self.init(try RecordingFile(FilePath(path), replacing: replacing), options: options)
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

    package init(_ file: RecordingFile, options: RecordingOptions = RecordingOptions()) {
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

    /// `true` if another program has removed, replaced or changed the file, once the recording is
    /// finished.
    package var hasLostFile: Bool { file?.isLost ?? false }

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

    /// Ends the recording, and waits until the file survives a power failure. ``failure`` tells if
    /// another program has removed, replaced or changed the file meanwhile.
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
