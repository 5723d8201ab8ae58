import HaloCapture
import HaloProtocol

/// What a user and `gatttool` of BlueZ have printed.
///
/// ```
/// [C0:A1:…][LE]> char-write-cmd 0x0010 0300
/// [C0:A1:…][LE]> char-read-hnd 0x0018
/// Characteristic value/descriptor: 64
/// Notification handle = 0x0012 value: 03 52 00
/// handle: 0x0002, char properties: 0x12, char value handle: 0x0012, uuid: 6e400003-…
/// ```
///
/// A listed characteristic names the later values of its handle.
struct GatttoolLog: LogReader {
    private var reading: UInt16?
    private var names = LogAttributeNames()

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout LogOutput) {
        var cursor = TextCursor(line)
        _ = HexLineTime.read(&cursor, &output.clock)
        if readReceived(cursor, &output) || readListing(cursor) { return }
        readCommand(cursor, &output)
    }

    private func target(_ handle: UInt16) -> LogValue.Target {
        names.target(LogAttribute(handle: handle))
    }

    private mutating func readReceived(
        _ cursor: TextCursor, _ output: inout LogOutput
    ) -> Bool {
        var cursor = cursor
        if cursor.skip(past: "Characteristic value/descriptor: ") {
            guard let handle = reading else { return true }
            reading = nil
            output.append(.read, target(handle), LogBytes(&cursor) ?? LogBytes([]))
            return true
        }
        let action: CaptureAction
        if cursor.skip(past: "Notification handle = ") {
            action = .notified
        } else if cursor.skip(past: "Indication   handle = ")
            || cursor.skip(past: "Indication handle = ")
        {
            action = .indicated
        } else {
            return false
        }
        guard let handle = cursor.readHandle(), cursor.skip(" value: ") else { return true }
        output.append(action, target(handle), LogBytes(&cursor) ?? LogBytes([]))
        return true
    }

    /// A line of `characteristics`, or of `char-desc`, whose descriptors keep their handles.
    private mutating func readListing(_ cursor: TextCursor) -> Bool {
        var cursor = cursor
        guard cursor.skip("handle: ") || cursor.skip("handle = "), cursor.contains("uuid") else {
            return false
        }
        guard
            cursor.skip(past: "char value handle: ") || cursor.skip(past: "char value handle = "),
            let handle = cursor.readHandle(),
            cursor.skip(past: "uuid: ") || cursor.skip(past: "uuid = "),
            let uuid = cursor.readUUID()
        else { return true }
        names.note(uuid, of: LogAttribute(handle: handle))
        return true
    }

    private mutating func readCommand(_ cursor: TextCursor, _ output: inout LogOutput) {
        var cursor = cursor
        _ = cursor.skip(past: "> ") || cursor.skip(past: "gatttool ")
        if cursor.starts(with: "connect ") { names.removeAll() }
        if cursor.skip(past: "char-read-hnd ") || cursor.skip(past: "--char-read -a ") {
            reading = Self.handle(&cursor)
            return
        }
        let action: CaptureAction
        if cursor.skip(past: "char-write-cmd ") {
            action = .command
        } else if cursor.skip(past: "char-write-req ") {
            action = .write
        } else if cursor.skip(past: "char-write ") {
            action = .command
        } else {
            return
        }
        _ = cursor.skip(past: "-a ")
        guard let handle = Self.handle(&cursor) else { return }
        cursor.skipSpaces()
        _ = cursor.skip("-n ")
        guard let found = LogBytes(&cursor) else { return }
        output.append(action, target(handle), found)
    }

    /// A handle, which `gatttool` takes in hexadecimal with or without `0x`.
    private static func handle(_ cursor: inout TextCursor) -> UInt16? {
        cursor.skipSpaces()
        _ = cursor.skip("0x")
        return cursor.hexadecimal().flatMap { UInt16(exactly: $0.value) }
    }
}
