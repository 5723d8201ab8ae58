import HaloCapture
import HaloTraffic

/// A conversation in memory, as far as its file can be read and memory allows.
struct HeldConversation {
    private(set) var capture = Capture()
    private(set) var end = ConversationFile.End()

    private var length = 0

    /// The least length of a line in text.
    private static let lineLength = 2
    /// The length of a byte of a packet in text.
    private static let byteLength = 3

    /// Reads a capture, or traffic in another format. Nothing is read beyond the limits.
    init(_ file: InputFile, _ console: inout Console) {
        var conversation = ConversationFile(file)
        do throws(CaptureError) {
            end = try conversation.read("reading", &console) { (line, _) throws(CaptureError) in
                guard hold(line.line) else {
                    throw CaptureError(.fileTooLong, line: line.number, column: 1)
                }
            }
        } catch {
            end.hasContent = !capture.lines.isEmpty
            end.problem = Failure(.unusable, "\(CaptureFileError(error, in: file.path))")
        }
    }

    /// Adds a line; returns `false` if memory is used up.
    private mutating func hold(_ line: CaptureLine) -> Bool {
        let limits = CaptureReader.Limits.standard
        length += Self.lineLength + Self.textLength(line)
        guard capture.lines.count < limits.lineCount, length <= limits.length else { return false }
        return (try? capture.append(line)) != nil
    }

    /// Returns the length of the parts of a line in text that have no limit of their own.
    private static func textLength(_ line: CaptureLine) -> Int {
        switch line {
        case .packet(let packet): packet.bytes.count * byteLength
        case .comment(let text), .reading(let text), .error(let text): text.text.utf8.count
        case .version, .blank, .name, .event, .elapsed: 0
        }
    }
}
