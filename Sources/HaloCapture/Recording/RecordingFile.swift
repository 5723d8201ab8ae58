import HaloTransport

/// A file that a recorder writes to, from one thread at a time.
final class RecordingFile: Sendable {
    private let path: String
    private let descriptor: Int32
    /// Whether it was made here: without a line in it, it is removed in the end.
    private let isNew: Bool
    private let state: Locked<State>

    private struct State {
        var length = 0
        /// Whether something else still stands in it, until the first line comes.
        var holdsOther: Bool
        var isRemoved = false
    }

    /// Makes the file; see ``SystemFile/createLog(_:replacing:)``.
    convenience init(_ path: String, replacing: Bool) throws(FileError) {
        let (descriptor, isNew) = try SystemFile.createLog(path, replacing: replacing)
        self.init(path, descriptor, isNew: isNew, holdsOther: !isNew)
    }

    init(_ path: String, _ descriptor: Int32, isNew: Bool = false, holdsOther: Bool = false) {
        self.path = path
        self.descriptor = descriptor
        self.isNew = isNew
        state = Locked(State(holdsOther: holdsOther))
    }

    deinit {
        SystemFile.close(descriptor)
    }

    /// Writes whole lines behind those that are there; when it returns, the system has them, and
    /// they stay when the program ends in whatever way.
    func write(_ bytes: Span<UInt8>) throws(FileError) {
        let before = state.withLock { $0 }
        if before.holdsOther { try SystemFile.empty(descriptor, path) }
        state.withLock { $0.holdsOther = false }
        try SystemFile.write(descriptor, bytes, path, before.length)
        state.withLock { $0.length += bytes.count }
    }

    /// Waits until everything is where no failing power can take it.
    func finish() throws(FileError) {
        let now = state.withLock { $0 }
        if isNew, now.length == 0 {
            if !now.isRemoved { SystemFile.remove(path) }
            return state.withLock { $0.isRemoved = true }
        }
        try SystemFile.synchronise(descriptor, path, now.length)
    }
}
