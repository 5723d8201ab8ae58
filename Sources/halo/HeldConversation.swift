import HaloCapture

/// A conversation that is held in memory as a whole, as far as it can be read and held.
struct HeldConversation {
    /// The conversation.
    private(set) var capture = Capture()
    /// How the reading ended.
    private(set) var end = ConversationFile.End()

    private var length = 0

    /// What a line takes at least, and what a byte of a packet takes in text.
    private static let lineLength = 16
    private static let byteLength = 3

    /// Reads a capture, or traffic in another format.
    init(_ path: String, for purpose: String, _ console: inout Console) {
        var overflow: Int?
        let end = ConversationFile(path, for: purpose).read(&console) { line, _ in
            guard overflow == nil, hold(line.line) else {
                overflow = overflow ?? line.number
                return
            }
        }
        self.end = end
        guard let overflow, end.problem == nil else { return }
        self.end.problem =
            CaptureFileError(
                CaptureError(.fileTooLong, line: overflow, column: 1), in: path
            ).description
    }

    /// Adds a line, if it can be held with the others.
    private mutating func hold(_ line: CaptureLine) -> Bool {
        let limits = CaptureReader.Limits.standard
        length += Self.lineLength + (line.packet?.bytes.count ?? 0) * Self.byteLength
        guard capture.lines.count < limits.lineCount, length <= limits.length else { return false }
        do throws(CaptureError) {
            try capture.append(line)
            return true
        } catch {
            return false
        }
    }
}
