import HaloProtocol

/// The packets that the library ArduinoBLE prints with `BLE.debug`, with their types before them.
///
/// ```
/// 20:19:39.160 -> HCI ACLDATA RX <- 020020070003000400031700
/// 20:19:39.200 -> HCI COMMAND TX -> 01030C00
/// ```
///
/// The arrow after a time is the serial monitor's.
struct ArduinoBLELog: LogReader {
    mutating func read(_ line: ArraySlice<UInt8>, into output: inout LogOutput) {
        var cursor = TextCursor(line)
        _ = HexLineTime.read(&cursor, &output.clock)
        _ = cursor.skip("-> ")
        guard cursor.skip("HCI ") else { return }
        let direction: HCIDirection
        if cursor.skip(past: "TX -> ") {
            direction = .toController
        } else if cursor.skip(past: "RX <- ") {
            direction = .toHost
        } else {
            return
        }
        guard let found = LogBytes(&cursor) else { return }
        if found.isCut || cursor.next != nil { return output.note(.cutByRecorder) }
        output.append(packet: found.bytes, direction)
    }
}
