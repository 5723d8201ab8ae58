import HaloCapture
import HaloProtocol

/// The logs of Nordic's nRF Connect: for Android, for iOS, and for desktops.
///
/// ```
/// nRF Connect, 2025-12-11
/// V   22:54:15.120   Writing command to characteristic 6e400002-…
/// D   22:54:15.121   gatt.writeCharacteristic(6e400002-…, value=0x0300, WRITE COMMAND)
/// I   22:54:15.122   Data written to 6e400002-…, value: (0x) 03-00
/// A   22:54:15.122   "(0x) 03-00" sent
/// I   22:54:15.123   Notification received from 6e400003-…, value: (0x) 03-52-00
///
/// [22:54:15.1230] Normal: Updated Value of Characteristic 2A37 to 1648 3C.
///
/// 22:54:15.123   Attribute value changed, handle: 0x2A, value (0x): 01-06
/// ```
///
/// On Android a write is logged when it is begun and when it is done, perhaps without its value:
/// both are one. On desktops a write to a device changes the program's copy first. Descriptors,
/// and repetitions in readable form, are left out.
struct NRFConnectLog: LogReader {
    static var format: TrafficFormat { .nrfConnect }

    /// A write that was begun, and may be reported again.
    private struct Call {
        var uuid: BluetoothUUID
        var bytes: ContiguousArray<UInt8>
        var kind: CaptureAction?
        var position: FilePosition
    }

    private var call: Call?
    /// A write that was appended before its end was reported.
    private var appended: Call?
    /// The kind of the next write, by the line that announces it.
    private var kind: CaptureAction?
    /// The last change of an attribute on a desktop.
    private var changed: (handle: UInt16, found: LogBytes, position: FilePosition)?

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout LogOutput) {
        if let day = HexLineTime.dateAtEnd(line), TextCursor(line).starts(with: "nRF Connect") {
            output.clock.day = day
        }
        var cursor = TextCursor(line)
        guard HexLineTime.read(&cursor, &output.clock) else { return }
        if cursor.skip("Normal: ") || cursor.skip("Info: ") {
            guard cursor.skip("Updated Value of Characteristic "), let uuid = cursor.readUUID(),
                cursor.skip(" to "), let found = LogBytes(&cursor)
            else { return }
            return output.append(Self.value(.fromDevice, uuid, nil), found)
        }
        if cursor.skip("Attribute value ") { return readDesktop(cursor, &output) }
        if readReceived(cursor, &output) { return }
        readWrite(cursor, &output)
    }

    mutating func finish(into output: inout LogOutput) {
        settleCall(&output)
        settleChange(&output)
    }

    private mutating func readReceived(
        _ cursor: TextCursor, _ output: inout LogOutput
    ) -> Bool {
        var cursor = cursor
        let words: [(StaticString, CaptureAction)] = [
            ("Notification", .notified), ("Indication", .indicated), ("Read Response", .read),
        ]
        guard let (_, action) = words.first(where: { cursor.skip($0.0) }),
            cursor.skip(" received from ")
        else { return false }
        guard let uuid = cursor.readUUID(), let found = Self.value(cursor) else { return true }
        appended = call
        settleCall(&output)
        output.append(Self.value(.fromDevice, uuid, action), found)
        return true
    }

    private mutating func readWrite(_ cursor: TextCursor, _ output: inout LogOutput) {
        var cursor = cursor
        if cursor.skip("Writing ") {
            settleCall(&output)
            kind = cursor.starts(with: "command") ? .command : .write
            return
        }
        if cursor.skip("gatt.writeCharacteristic(") {
            settleCall(&output)
            guard let uuid = cursor.readUUID(), cursor.skip(past: "value="),
                let found = LogBytes(&cursor), !found.isCut
            else { return }
            let isCommand = cursor.contains("COMMAND") || cursor.contains("NO_RESPONSE")
            appended = nil
            call = Call(
                uuid: uuid, bytes: found.bytes, kind: isCommand ? .command : kind,
                position: output.position)
            kind = nil
            return
        }
        guard cursor.skip("Data written to "), let uuid = cursor.readUUID() else { return }
        readEnd(of: uuid, Self.value(cursor), &output)
    }

    /// Reads the end of a write, with its value unless the log leaves it out.
    private mutating func readEnd(
        of uuid: BluetoothUUID, _ found: LogBytes?, _ output: inout LogOutput
    ) {
        func isEnd(of call: Call?) -> Bool {
            guard let call, call.uuid == uuid else { return false }
            return found.map { $0.bytes == call.bytes } ?? true
        }
        if isEnd(of: call) { return settleCall(&output) }
        settleCall(&output)
        if isEnd(of: appended) {
            appended = nil
        } else if let found, !found.isCut {
            append(
                Call(uuid: uuid, bytes: found.bytes, kind: kind, position: output.position), &output
            )
            kind = nil
        } else {
            output.note(.cutByRecorder)
        }
    }

    private func append(_ call: Call, _ output: inout LogOutput) {
        let kind = Self.value(.toDevice, call.uuid, call.kind)
        output.append(kind, LogBytes(bytes: call.bytes), at: call.position)
    }

    /// Appends the open write: at its end, or before another value.
    private mutating func settleCall(_ output: inout LogOutput) {
        guard let call else { return }
        self.call = nil
        append(call, &output)
    }

    private mutating func readDesktop(_ cursor: TextCursor, _ output: inout LogOutput) {
        var cursor = cursor
        let verbs: [(StaticString, CaptureAction)] = [
            ("changed", .notified), ("written", .write), ("read", .read),
        ]
        guard let (_, action) = verbs.first(where: { cursor.skip($0.0) }),
            cursor.skip(", handle: "), let handle = cursor.readHandle(),
            cursor.skip(", value (0x): "), let found = LogBytes(&cursor)
        else { return }
        if action == .write, let changed, changed.handle == handle, changed.found == found {
            self.changed = nil
        }
        settleChange(&output)
        if action == .notified {
            changed = (handle, found, output.position)
        } else {
            output.append(.attribute(action.direction, handle, action), found)
        }
    }

    /// Appends the last change of an attribute, which no write has caused.
    private mutating func settleChange(_ output: inout LogOutput) {
        guard let (handle, found, position) = changed else { return }
        changed = nil
        output.append(.attribute(.fromDevice, handle, .notified), found, at: position)
    }

    private static func value(
        _ direction: Direction, _ uuid: BluetoothUUID, _ action: CaptureAction?
    ) -> RecordKind {
        .value(direction, CaptureChannel(uuid, direction), action)
    }

    /// The bytes after `value: (0x)`: none if nothing follows; `nil` without these words.
    private static func value(_ cursor: TextCursor) -> LogBytes? {
        var cursor = cursor
        guard cursor.skip(past: "value: (0x)") else { return nil }
        cursor.skipSpaces()
        if LogBytes.isCut(cursor) { return LogBytes(bytes: [], isCut: true) }
        return LogBytes(&cursor) ?? LogBytes(bytes: [])
    }
}
