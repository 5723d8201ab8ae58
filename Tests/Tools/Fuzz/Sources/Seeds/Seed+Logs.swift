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

        func lines(_ packet: CapturePacket) -> String {
            let words = packet.direction == .toDevice ? toDevice : fromDevice
            return words.before + HexText.bytes(packet.bytes, separator: separator) + words.after
        }
    }

    private static let write = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
    private static let notify = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"

    private static let logForms = [
        LogForm(
            target: "NRFConnect", separator: "-",
            toDevice: ("I\t22:54:15.123\tData written to \(write), value: (0x) ", "\n"),
            fromDevice: (
                "I\t22:54:15.130\tNotification received from \(notify), value: (0x) ", "\n"
            )),
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
