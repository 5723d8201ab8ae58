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
