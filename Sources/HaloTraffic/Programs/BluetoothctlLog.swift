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
/// [R02:/service000f/char0010]# write "0x03 0x00"
/// Attempting to write /org/bluez/hci0/dev_C0_A1_…/service000f/char0010
/// ```
///
/// The number in a path is the handle of the declaration; the value has the next one. A value that
/// is read is printed twice, at once and as a change: the second one is left out.
struct BluetoothctlLog: LogReader {
    /// A value whose dump is being read.
    private struct Dump {
        var action: CaptureAction
        var handle: UInt16
        var bytes: ContiguousArray<UInt8> = []
        var place: LogOutput.Place
    }

    private var dump: Dump?
    /// The handle whose value is being read; its value is printed twice.
    private var reading: UInt16?
    /// The value that was read, and may be printed again.
    private var answer: ContiguousArray<UInt8>?
    private var readPlace = LogOutput.Place(offset: 0, microseconds: 0)
    private var written: (bytes: ContiguousArray<UInt8>, place: LogOutput.Place)?
    private var uuids: [UInt16: BluetoothUUID] = [:]
    private var listed: UInt16?

    /// The maximum number of remembered characteristics.
    private static let most = 512

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout LogOutput) {
        if readDump(line, &output) { return }
        endDump(&output)
        answer = nil
        var cursor = TextCursor(line)
        _ = HexLineTime.read(&cursor, &output.clock)
        if readListing(cursor) { return }
        if cursor.skip(past: "[CHG] Attribute ") {
            guard let handle = Self.handle(cursor), cursor.skip(past: " Value:") else { return }
            dump = Dump(action: .notified, handle: handle, place: output.place)
        } else if cursor.skip("Attempting to ") {
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
        guard dump != nil || reading != nil || answer != nil, TextCursor(line).starts(with: "  ")
        else { return false }
        let text = line.drop { $0 == UInt8(ascii: " ") }
        guard let bytes = BtmonLine(indent: 2, text: text).dump else { return false }
        // Only the last line of a dump has fewer than sixteen bytes.
        if let dump, dump.bytes.count % 16 != 0 { endDump(&output) }
        if answer == bytes {
            answer = nil
            return true
        }
        if dump == nil {
            guard let reading else { return true }
            dump = Dump(action: .read, handle: reading, place: readPlace)
        }
        if dump?.bytes.count ?? 0 <= CapturePacket.maximumLength { dump?.bytes += bytes }
        return true
    }

    private mutating func endDump(_ output: inout LogOutput) {
        guard var dump else { return }
        self.dump = nil
        if reading == dump.handle {
            reading = nil
            dump.action = .read
            let half = dump.bytes.count / 2
            if half % 16 == 0, dump.bytes.prefix(half) == dump.bytes.suffix(half) {
                dump.bytes.removeLast(half)
            }
            answer = dump.bytes
        }
        guard dump.bytes.count <= CapturePacket.maximumLength else {
            return output.note(.beyondLimits)
        }
        append(dump.action, dump.handle, dump.bytes, at: dump.place, &output)
    }

    private func append(
        _ action: CaptureAction, _ handle: UInt16, _ bytes: ContiguousArray<UInt8>,
        at place: LogOutput.Place, _ output: inout LogOutput
    ) {
        let target: LogValue.Target = uuids[handle].map { .uuid($0) } ?? .handle(handle)
        output.append(LogValue(action, target, bytes), at: place)
    }

    // MARK: Lists, prompts and commands

    private mutating func readListing(_ cursor: TextCursor) -> Bool {
        var cursor = cursor
        cursor.skipSpaces()
        if cursor.starts(with: "/org/bluez/") {
            listed = Self.handle(cursor)
            return true
        }
        guard let handle = listed, let uuid = cursor.readUUID(), cursor.next == nil else {
            return false
        }
        listed = nil
        if uuids.count < Self.most { uuids[handle] = uuid }
        return true
    }

    private mutating func readAttempt(_ cursor: TextCursor, _ output: inout LogOutput) {
        let handle = Self.handle(cursor)
        reading = nil
        if cursor.starts(with: "write "), let handle, let written {
            append(.write, handle, written.bytes, at: written.place, &output)
        } else if cursor.starts(with: "read "), let handle {
            reading = handle
            readPlace = output.place
        }
        written = nil
    }

    /// A prompt with a command: `write "0x03 0x00"`, or `select-attribute /org/bluez/…`.
    private mutating func readPrompt(_ cursor: TextCursor, _ output: inout LogOutput) {
        var cursor = cursor
        guard cursor.skip("["), cursor.skip(past: "]# ") || cursor.skip(past: "]> ") else {
            return
        }
        guard cursor.skip("write ") else { return }
        written = nil
        _ = cursor.skip("\"")
        var bytes = ContiguousArray<UInt8>()
        while let byte = Self.number(&cursor) {
            bytes.append(byte)
            cursor.skipSpaces()
        }
        _ = cursor.skip("\"")
        cursor.skipSpaces()
        guard !bytes.isEmpty, cursor.next == nil || TextCursor.isDigit(cursor.next ?? 0) else {
            return output.note(.cutByRecorder)
        }
        written = (bytes, output.place)
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

    /// The handle of the value of the characteristic at a path.
    private static func handle(_ cursor: TextCursor) -> UInt16? {
        var cursor = cursor
        guard cursor.skip(past: "/char"), let number = cursor.hexadecimal(), number.digits == 4,
            !cursor.starts(with: "/desc"), number.value < 0xFFFF
        else { return nil }
        return UInt16(truncatingIfNeeded: number.value) + 1
    }
}
