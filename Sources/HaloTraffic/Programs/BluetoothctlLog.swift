import HaloCapture
import HaloProtocol

/// What a user and `bluetoothctl` of BlueZ have printed.
///
/// ```
/// [NEW] Characteristic (Handle 0x0000)
///         /org/bluez/hci0/dev_C0_A1_…/service000f/char0010
///         6e400002-b5a3-f393-e0a9-e50e24dcca9e
///         Nordic UART TX
/// [CHG] Attribute /org/bluez/hci0/dev_C0_A1_…/service000f/char0012 Value:
///   03 52 00 00                                      .R..
/// [R02:/service000f/char0010]# write "0x03 0x00" 0 command
/// Attempting to write /org/bluez/hci0/dev_C0_A1_…/service000f/char0010
/// ```
///
/// A value that is read is printed twice, at once and as a change: the second one is left out.
struct BluetoothctlLog: LogReader {
    /// A value whose dump is being read.
    private struct Dump {
        var action: CaptureAction
        var attribute: LogAttribute
        /// `true` if the dump follows the line of a change.
        var isChange: Bool
        var bytes: ContiguousArray<UInt8> = []
        var position: LogOutput.Position
    }

    /// The command `write`, up to the line that names its characteristic.
    private struct Write {
        var action: CaptureAction
        var bytes: ContiguousArray<UInt8>
        var position: LogOutput.Position
    }

    private var dump: Dump?
    /// The read whose dump comes next, or after the line of a change.
    private var reading: (attribute: LogAttribute, position: LogOutput.Position)?
    private var write: Write?
    private var names = LogAttributeNames()
    private var listed: LogAttribute?

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout LogOutput) {
        if readDump(line, &output) { return }
        endDump(&output)
        var cursor = TextCursor(line)
        _ = HexLineTime.read(&cursor, &output.clock)
        if readListing(cursor) { return }
        if cursor.skip(past: "[CHG] Attribute ") {
            guard let attribute = LogAttribute(path: cursor), cursor.skip(past: " Value:") else {
                return
            }
            dump = Dump(
                action: .notified, attribute: attribute, isChange: true,
                position: output.position)
            return
        }
        reading = nil
        if cursor.skip("Attempting to ") {
            readAttempt(cursor, &output)
        } else {
            readPrompt(cursor, &output)
        }
    }

    mutating func finish(into output: inout LogOutput) { endDump(&output) }

    // MARK: Dumps

    private mutating func readDump(
        _ line: ArraySlice<UInt8>, _ output: inout LogOutput
    ) -> Bool {
        guard dump != nil || reading != nil, TextCursor(line).starts(with: "  ")
        else { return false }
        let text = line.drop { $0 == UInt8(ascii: " ") }
        guard let bytes = BtmonLine(indent: 2, text: text).dump else { return false }
        // Only the last line of a dump has fewer than sixteen bytes.
        if let dump, dump.bytes.count % 16 != 0 { endDump(&output) }
        if dump == nil {
            guard let (attribute, position) = reading else { return true }
            dump = Dump(action: .read, attribute: attribute, isChange: false, position: position)
        }
        if dump?.bytes.count ?? 0 <= CapturePacket.maximumLength { dump?.bytes += bytes }
        return true
    }

    private mutating func endDump(_ output: inout LogOutput) {
        guard var dump else { return }
        self.dump = nil
        if reading?.attribute == dump.attribute {
            reading = nil
            dump.action = .read
            // Whole lines of sixteen bytes do not show where the second dump begins.
            let half = dump.bytes.count / 2
            if dump.isChange, half % 16 == 0, dump.bytes.prefix(half) == dump.bytes.suffix(half) {
                dump.bytes.removeLast(half)
            }
        }
        guard dump.bytes.count <= CapturePacket.maximumLength else {
            return output.note(.beyondLimits)
        }
        let value = LogValue(dump.action, names.target(dump.attribute), dump.bytes)
        output.append(value, at: dump.position)
    }

    // MARK: Lists, prompts and commands

    private mutating func readListing(_ cursor: TextCursor) -> Bool {
        var cursor = cursor
        cursor.skipSpaces()
        if cursor.starts(with: "/org/bluez/") {
            listed = LogAttribute(path: cursor)
            return true
        }
        guard let attribute = listed, let uuid = cursor.readUUID(), cursor.next == nil else {
            return false
        }
        listed = nil
        names.note(uuid, of: attribute)
        return true
    }

    private mutating func readAttempt(_ cursor: TextCursor, _ output: inout LogOutput) {
        let write = write
        self.write = nil
        guard let attribute = LogAttribute(path: cursor) else { return }
        if cursor.starts(with: "write "), let write {
            let value = LogValue(write.action, names.target(attribute), write.bytes)
            output.append(value, at: write.position)
        } else if cursor.starts(with: "read ") {
            reading = (attribute, output.position)
        }
    }

    /// A prompt with the command `write <data> [offset] [type]`: without quotation marks, the data
    /// are one byte.
    private mutating func readPrompt(_ cursor: TextCursor, _ output: inout LogOutput) {
        var cursor = cursor
        guard cursor.skip("["), cursor.skip(past: "]# ") || cursor.skip(past: "]> "),
            cursor.skip("write ")
        else { return }
        write = nil
        var bytes = ContiguousArray<UInt8>()
        if cursor.skip("\"") {
            while let byte = Self.number(&cursor) {
                bytes.append(byte)
                cursor.skipSpaces()
            }
            guard cursor.skip("\"") else { return output.note(.cutByRecorder) }
        } else if let byte = Self.number(&cursor) {
            bytes = [byte]
        }
        guard !bytes.isEmpty else { return output.note(.cutByRecorder) }
        cursor.skipSpaces()
        // A piece at an offset is no whole value.
        if let offset = Self.number(&cursor), offset > 0 { return output.note(.cutByRecorder) }
        cursor.skipSpaces()
        write = Write(
            action: cursor.starts(with: "command") ? .command : .write, bytes: bytes,
            position: output.position)
    }

    /// A byte as the C library reads it: hexadecimal behind `0x`, octal behind `0`, else decimal.
    private static func number(_ cursor: inout TextCursor) -> UInt8? {
        var copy = cursor
        let value: UInt64?
        if copy.skip("0x") || copy.skip("0X") {
            value = copy.hexadecimal()?.value
        } else if copy.next == UInt8(ascii: "0") {
            let digits = copy.rest.prefix { TextCursor.isDigit($0) }
            value = UInt64(String(decoding: digits, as: UTF8.self), radix: 8)
            _ = copy.decimal()
        } else {
            value = copy.decimal().map(UInt64.init)
        }
        guard let value, let byte = UInt8(exactly: value) else { return nil }
        cursor = copy
        return byte
    }
}
