import HaloCapture
import HaloProtocol

/// The log of Punch Through's LightBlue.
///
/// ```
/// 19:03:33.506 — Characteristic (6E400003-…) notified: <03520000 00000000>
/// 19:03:34.112 — Characteristic (6E400002-…) wrote new value: <0300>
/// 19:03:34.500 — Characteristic (2A19) read: <64>
/// ```
struct LightBlueLog: LogReader {
    mutating func read(_ line: ArraySlice<UInt8>, into output: inout LogOutput) {
        var cursor = TextCursor(line)
        guard HexLineTime.read(&cursor, &output.clock) else { return }
        _ = cursor.skip("\u{2014} ") || cursor.skip("\u{2013} ") || cursor.skip("- ")
        guard cursor.skip("Characteristic ("), let uuid = cursor.readUUID(), cursor.skip(") ")
        else {
            return
        }
        let words: [(StaticString, CaptureAction?)] = [
            ("notified: <", .notified), ("indicated: <", .indicated), ("read: <", .read),
            ("wrote new value: <", nil), ("wrote: <", nil),
        ]
        guard let (_, action) = words.first(where: { cursor.skip($0.0) }) else { return }
        let found = LogBytes(&cursor) ?? LogBytes([])
        guard cursor.skip(">") else { return output.note(.cutByRecorder) }
        if let action {
            output.append(action, .uuid(uuid), found)
        } else {
            output.append(.toDevice, .uuid(uuid), found)
        }
    }
}
