import HaloTransport

/// The file of a recorder, written from one thread at a time.
package final class RecordingFile: Sendable {
    private let file: SystemFile
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
        /// `true` if another program has removed, replaced or changed the file.
        var isLost = false
    }

    /// The most bytes that are held before the first packet: more than the offers of a device.
    private static let heldLimit = 1 << 20

    package convenience init(_ path: FilePath, replacing: Bool) throws(FileError) {
        let (file, isNew) = try SystemFile.createLog(path, replacing: replacing)
        self.init(file, isNew ? .new : .old)
    }

    /// Opens standard output, which has this path in errors.
    package convenience init(standardOutput path: FilePath) throws(FileError) {
        self.init(try SystemFile.standardOutput(path), .standardOutput)
    }

    init(_ file: SystemFile, _ kind: Kind = .open) {
        self.file = file
        self.kind = kind
        state = Locked(State(held: kind == .old ? [] : nil))
    }

    var length: Int { state.withLock { $0.length } }

    var keepsOldContent: Bool { state.withLock { $0.held != nil } }

    var isLost: Bool { state.withLock { $0.isLost } }

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
        try file.empty()
        try append(ContiguousArray(held).span)
    }

    private func append(_ bytes: Span<UInt8>) throws(FileError) {
        try file.writeAll(bytes, at: length)
        state.withLock { $0.length += bytes.count }
    }

    /// Waits until the content survives a power failure. A file without a line is removed. Throws
    /// an error if the path does not lead to what was written.
    func finish() throws(FileError) {
        let now = state.withLock { $0 }
        switch kind {
        case .standardOutput: return
        case .new where now.length == 0:
            if !now.isRemoved { file.path.remove() }
            state.withLock { $0.isRemoved = true }
        case .open: try file.synchronise(at: now.length)
        case .old where now.held != nil: try file.synchronise(at: now.length)
        case .new, .old:
            try file.synchronise(at: now.length)
            do throws(FileError) {
                try file.checkIntact(length: now.length)
            } catch {
                state.withLock { $0.isLost = true }
                throw error
            }
        }
    }
}
