import HaloCapture
import HaloProtocol

/// The log of Gadgetbridge, old and new.
///
/// ```
/// 22:54:15.123 … BtLEQueue - characteristic changed: 6e400003-… value: 0x03 0x52 0x00
/// 22:54:15.124 … WriteAction - writing to characteristic: 6e400002-…: 0x 3 0x 0 0xff
/// 22:54:15.130 … BtLEQueue - characteristic read: 00002a19-… value: 0x64
/// ```
///
/// Other lines repeat these values in the words of a device's support, and are left out.
struct GadgetbridgeLog: LogReader {
    mutating func read(_ line: ArraySlice<UInt8>, into output: inout LogOutput) {
        var cursor = TextCursor(line)
        _ = HexLineTime.read(&cursor, &output.clock)
        let action: CaptureAction?
        if cursor.skip(past: "characteristic changed: ") {
            action = .notified
        } else if cursor.skip(past: "characteristic read: ") {
            action = .read
        } else if cursor.skip(past: "writing to characteristic: ") {
            action = nil
        } else {
            return
        }
        guard let uuid = cursor.readUUID() else { return }
        if action == nil {
            guard cursor.skip(": ") || cursor.skip(" value: ") else { return }
        } else {
            guard cursor.skip(past: "value: ") else { return }
        }
        cursor.skipSpaces()
        guard let found = LogBytes(&cursor) else {
            if LogBytes.isCut(cursor) { output.note(.cutByRecorder) }
            return
        }
        if let action {
            output.append(action, .uuid(uuid), found)
        } else {
            output.append(.toDevice, .uuid(uuid), found)
        }
    }
}
