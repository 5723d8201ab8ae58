import HaloCapture
import HaloProtocol

/// The debug log of the Python library bleak, on Linux and on macOS.
///
/// ```
/// …client DEBUG: Write Characteristic 6e400002-… | /org/bluez/…/char0010: bytearray(b'\x03')
/// …client DEBUG: Read Characteristic 2a19 | /org/bluez/…/char0018: bytearray(b'd')
/// …manager DEBUG: received D-Bus signal: org.freedesktop.DBus.Properties.PropertiesChanged
///     (/org/bluez/hci0/dev_…/char0012): ['org.bluez.GattCharacteristic1',
///     {'Value': <dbus_fast.signature.Variant ('ay', bytearray(b'\x03R'))>}, []]
/// …client:DBUS: path: /org/bluez/hci0/dev_…/char0039, …, body: {'Value': [8, 112, 0]}
/// ```
///
/// Each signal is on one line. BlueZ reports a value that is read as a change, too: such a change
/// just before the read is left out.
struct BleakLog: LogReader {
    private var names = LogAttributeNames()
    /// The last change, up to the next value.
    private var change: (attribute: LogAttribute, bytes: ContiguousArray<UInt8>)?
    private var changePosition = LogOutput.Position(offset: 0, microseconds: 0)

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout LogOutput) {
        var cursor = TextCursor(line)
        _ = HexLineTime.read(&cursor, &output.clock)
        if cursor.skip(past: "Write Characteristic ") {
            readCall(cursor, .toDevice, &output)
        } else if cursor.skip(past: "Read Characteristic ") {
            readCall(cursor, .fromDevice, &output)
        } else if cursor.contains("org.bluez.GattCharacteristic1") {
            readSignal(cursor, &output)
        }
    }

    mutating func finish(into output: inout LogOutput) { settleChange(&output) }

    private mutating func readCall(
        _ cursor: TextCursor, _ direction: Direction, _ output: inout LogOutput
    ) {
        var cursor = cursor
        guard let uuid = cursor.readUUID() else { return }
        let attribute = LogAttribute(path: cursor)
        if let attribute { names.note(uuid, of: attribute) }
        let found = HexLineBytes.literal(in: cursor.rest)
        if direction == .fromDevice, let change, change.attribute == attribute,
            change.bytes == found?.bytes
        {
            self.change = nil
        }
        settleChange(&output)
        guard let found else {
            if cursor.contains("bytearray(") { output.note(.cutByRecorder) }
            return
        }
        var value = LogValue(direction, .uuid(uuid), found.bytes)
        value.action = direction == .fromDevice ? .read : nil
        output.append(value)
    }

    private mutating func readSignal(_ cursor: TextCursor, _ output: inout LogOutput) {
        var cursor = cursor
        guard let attribute = LogAttribute(path: cursor), cursor.skip(past: "'Value': ") else {
            return
        }
        settleChange(&output)
        let found = HexLineBytes.literal(in: cursor.rest) ?? HexLineBytes.enclosed(in: cursor.rest)
        guard let found else {
            if !cursor.contains("[]") { output.note(.cutByRecorder) }
            return
        }
        change = (attribute, found.bytes)
        changePosition = output.position
    }

    /// Appends the last change, which belongs to no read.
    private mutating func settleChange(_ output: inout LogOutput) {
        guard let (attribute, bytes) = change else { return }
        change = nil
        output.append(
            LogValue(.notified, names.target(attribute), bytes), at: changePosition)
    }
}
