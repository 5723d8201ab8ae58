import HaloCapture
import HaloProtocol

extension Seed {
    /// The first packet of each direction as the log of each program: texts are read slowly, and
    /// more packets only repeat the forms.
    static func logs(_ packets: some Sequence<CapturePacket>) -> [Seed] {
        let packets = Direction.allCases.compactMap { direction in
            packets.first { $0.direction == direction }
        }
        return logForms.map { form in
            Seed(form.target, packets.flatMap { Array(form.lines($0).utf8) })
        }
    }

    /// The lines of a log for a packet: the bytes, with a separator, between words.
    private struct LogForm: Sendable {
        let target: String
        let separator: String
        let toDevice: (before: String, after: String)
        let fromDevice: (before: String, after: String)
        /// `true` if the log has the packets of the controller.
        var hasPackets = false

        func lines(_ packet: CapturePacket) -> String {
            let bytes = hasPackets ? [2] + Seed.acl(packet) : packet.bytes
            let words = packet.direction == .toDevice ? toDevice : fromDevice
            return words.before + HexText.bytes(bytes, separator: separator) + words.after
        }
    }

    private static let write = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
    private static let notify = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
    private static let path = "/org/bluez/hci0/dev_C0_A1_62_1B_93_45/service000e"

    private static let logForms =
        phoneForms + [pulseLoopForm] + computerForms + wiresharkForms

    private static let phoneForms = [
        LogForm(
            target: "NRFConnect", separator: "-",
            toDevice: ("I\t22:54:15.123\tData written to \(write), value: (0x) ", "\n"),
            fromDevice: (
                "I\t22:54:15.130\tNotification received from \(notify), value: (0x) ", "\n"
            )),
        LogForm(
            target: "LightBlue", separator: "",
            toDevice: ("22:54:15.123 - Characteristic (\(write)) wrote new value: <", ">\n"),
            fromDevice: ("22:54:15.130 - Characteristic (\(notify)) notified: <", ">\n")),
        LogForm(
            target: "PacketLoggerText", separator: "",
            toDevice: (
                "Jun 08 22:54:15.123  ATT Send         0x0041  Ring  Write Command - "
                    + "Handle:0x0010 - \(write) - Value: ", "\n"
            ),
            fromDevice: (
                "Jun 08 22:54:15.130  ATT Receive      0x0041  Ring  "
                    + "Handle Value Notification - Handle:0x0012 - Value: ", "\n"
            )),
        LogForm(
            target: "Gadgetbridge", separator: " 0x",
            toDevice: (
                "22:54:15.123 DEBUG WriteAction - writing to characteristic: \(write): 0x", "\n"
            ),
            fromDevice: (
                "22:54:15.130 DEBUG BtLEQueue - characteristic changed: \(notify) value: 0x", "\n"
            )),
    ]

    /// The objects of a list, as the app writes them.
    private static let pulseLoopForm = LogForm(
        target: "PulseLoop", separator: "",
        toDevice: (
            "{\"at\": \"2026-07-05T14:54:53.101Z\", \"direction\": \"OUTGOING\", \"hex\": \"",
            "\", \"decoded\": null},\n"
        ),
        fromDevice: (
            "{\"at\": \"2026-07-05T14:54:53.752Z\", \"direction\": \"INCOMING\", \"hex\": \"",
            "\"},\n"
        ))

    private static let computerForms = [
        LogForm(
            target: "Gatttool", separator: " ",
            toDevice: ("[C0:A1:62:1B:93:45][LE]> char-write-cmd 0x0010 ", "\n"),
            fromDevice: ("Notification handle = 0x0012 value: ", " \n")),
        LogForm(
            target: "Bluetoothctl", separator: " 0x",
            toDevice: (
                "[R12:/service000e/char000f]# write \"0x",
                "\"\nAttempting to write \(path)/char000f\n"
            ),
            fromDevice: ("[CHG] Attribute \(path)/char0011 Value:\n  ", "  .R\n")),
        LogForm(
            target: "Bleak", separator: "\\x",
            toDevice: (
                "client DEBUG: Write Characteristic \(write) | \(path)/char000f: bytearray(b'\\x",
                "')\n"
            ),
            fromDevice: (
                "DEBUG: (\(path)/char0011): ['org.bluez.GattCharacteristic1', "
                    + "{'Value': bytearray(b'\\x", "')}, []]\n"
            )),
        LogForm(
            target: "ESPHome", separator: ".",
            toDevice: ("[22:54:15][V][ble:401]: Send command (handle 0x15): ", "\n"),
            fromDevice: ("[22:54:15][VV][ble:151]: Notification received (handle 0x11): ", "\n")),
        LogForm(
            target: "ArduinoBLE", separator: "",
            toDevice: ("HCI ACLDATA TX -> ", "\n"), fromDevice: ("HCI ACLDATA RX <- ", "\n"),
            hasPackets: true),
    ]

    private static let wiresharkForms = [
        LogForm(
            target: "Wireshark", separator: "",
            toDevice: (
                "Frame 1: 28 bytes on wire (224 bits)\n    [Direction: Sent (0x00)]\n"
                    + "Bluetooth Attribute Protocol\n    Opcode: Write Command (0x52)\n"
                    + "    Handle: 0x0010 (Unknown)\n    Value: ", "\n\n"
            ),
            fromDevice: (
                "Frame 2: 28 bytes on wire (224 bits)\n    [Direction: Rcvd (0x01)]\n"
                    + "Bluetooth Attribute Protocol\n    Opcode: Handle Value Notification (0x1b)\n"
                    + "    Handle: 0x0012 (Unknown)\n    Value: ", "\n\n"
            )),
        LogForm(
            target: "WiresharkJSON", separator: ":",
            toDevice: (
                "\"_source\": {\n\"frame.time_epoch\": \"1765493655.123000000\",\n"
                    + "\"hci_h4.direction\": \"0x00\",\n\"btatt.opcode\": \"0x52\",\n"
                    + "\"btatt.handle\": \"0x0010\",\n\"btatt.value\": \"", "\"\n"
            ),
            fromDevice: (
                "\"_source\": {\n\"frame.time_epoch\": \"1765493655.130000000\",\n"
                    + "\"hci_h4.direction\": \"0x01\",\n\"btatt.opcode\": \"0x1b\",\n"
                    + "\"btatt.handle\": \"0x0012\",\n\"btatt.value\": \"", "\"\n"
            )),
    ]
}
