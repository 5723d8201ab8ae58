import HaloCapture
import HaloProtocol

/// The log of ESPHome, with the values that its components print.
///
/// ```
/// [00:14:34][VV][basen_bms_ble:151]: Notification received (handle 0x11): 3A.16.2B (3)
/// [00:14:36][V][basen_bms_ble:401]: Send command (handle 0x15): 3A.16.24 (3)
/// [00:14:36][D][jk_bms_ble:401]: Write register: AA.55.90 (3)
/// ```
///
/// The number in parentheses is the length: where another number of bytes precedes it, the value
/// was cut.
struct ESPHomeLog: LogReader {
    private static let receiving: [StaticString] = ["Notification received", "Indication received"]
    private static let sending: [StaticString] = [
        "Send command", "Sending command", "Write register", "Write command", "Writing",
    ]

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout LogOutput) {
        var cursor = TextCursor(line)
        _ = HexLineTime.read(&cursor, &output.clock)
        // The level and the component, as in `[VV][basen_bms_ble:151]: `.
        guard cursor.skip("["), cursor.skip(past: "]["), cursor.skip(past: "]: ") else { return }
        let action: CaptureAction?
        if Self.receiving.contains(where: { cursor.skip($0) }) {
            action = .notified
        } else if Self.sending.contains(where: { cursor.skip($0) }) {
            action = nil
        } else {
            return
        }
        var target = LogValue.Target.unnamed
        var named = cursor
        if named.skip(past: "handle "), let handle = named.readHandle() { target = .handle(handle) }
        guard cursor.skip(past: ": "), let found = LogBytes(&cursor) else { return }
        guard Self.isWhole(found, cursor) else { return output.note(.cutByRecorder) }
        if let action {
            output.append(action, target, found)
        } else {
            output.append(.toDevice, target, found)
        }
    }

    /// `true` if the bytes are as many as the number after them, or no number follows.
    private static func isWhole(_ found: LogBytes, _ cursor: TextCursor) -> Bool {
        var cursor = cursor
        cursor.skipSpaces()
        guard cursor.skip("("), let count = cursor.decimal() else { return !found.isCut }
        return count == found.bytes.count
    }
}
