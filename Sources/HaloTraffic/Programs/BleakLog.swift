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
/// Each signal is on one line. The number in a path is the handle of the declaration; the value
/// has the next one.
struct BleakLog: LogReader {
    /// The UUIDs of handles, by the lines that have both.
    private var uuids: [UInt16: BluetoothUUID] = [:]

    /// The maximum number of remembered characteristics.
    private static let most = 512

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

    private mutating func readCall(
        _ cursor: TextCursor, _ direction: Direction, _ output: inout LogOutput
    ) {
        var cursor = cursor
        guard let uuid = cursor.readUUID() else { return }
        if let handle = Self.handle(cursor), uuids.count < Self.most { uuids[handle] = uuid }
        guard let bytes = HexLineBytes.literal(in: cursor.rest) else {
            if cursor.contains("bytearray(") { output.note(.cutByRecorder) }
            return
        }
        var value = LogValue(direction, .uuid(uuid), bytes.bytes)
        value.action = direction == .fromDevice ? .read : nil
        output.append(value)
    }

    private func readSignal(_ cursor: TextCursor, _ output: inout LogOutput) {
        var cursor = cursor
        guard let handle = Self.handle(cursor), cursor.skip(past: "'Value': ") else { return }
        let found = HexLineBytes.literal(in: cursor.rest) ?? HexLineBytes.enclosed(in: cursor.rest)
        guard let found else {
            if !cursor.contains("[]") { output.note(.cutByRecorder) }
            return
        }
        let target: LogValue.Target = uuids[handle].map { .uuid($0) } ?? .handle(handle)
        output.append(LogValue(.notified, target, found.bytes))
    }

    /// The handle of the value of the characteristic at a path.
    private static func handle(_ cursor: TextCursor) -> UInt16? {
        var cursor = cursor
        guard cursor.skip(past: "/char"), let number = cursor.hexadecimal(), number.digits == 4,
            number.value < 0xFFFF
        else { return nil }
        return UInt16(truncatingIfNeeded: number.value) + 1
    }
}
