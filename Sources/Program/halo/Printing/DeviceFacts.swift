import HaloDevices
import HaloProtocol

struct DeviceFacts {
    let kind: String
    let name: String?
    let address: String
    var battery: BatteryCharge?
    let information: DeviceInformation

    /// The widest line; longer ones are hard to read.
    private static let widest = 76

    /// Prints an object with other members as well, or rows of a label and a text; those without a
    /// text are left out.
    func print(_ rows: [[String]], _ others: JSONObject, _ console: inout Console) {
        let all = ([["address", address]] + rows).filter { $0.last != "" }
        let width = min(console.width, Self.widest) - 2
        let lines = TextLayout.lines(of: all.map { $0.map(\.printable) }, width: width)
        let heading = console.style.strong((name ?? address).printable)
        console.write(
            type: "device",
            [
                "kind": kind, "name": name, "address": address, "battery": battery?.percent,
                "isCharging": battery?.isCharging,
                "information": JSONObject(informationInWords.map { ($0.name, $0.text) }),
            ] + others,
            or: heading + "\n" + lines.map { "  \($0)\n" }.joined())
    }

    private static func words(_ pnp: PnPID) -> String {
        let vendor = HexText.bytes([UInt8(pnp.vendor >> 8), UInt8(truncatingIfNeeded: pnp.vendor)])
        return "vendor \(vendor) (\(pnp.source)), product \(pnp.product), version \(pnp.version)"
    }

    var informationRows: [[String]] { informationInWords.map { [$0.name, $0.text] } }

    private var informationInWords: [(name: String, text: String)] {
        let all: [(name: String, text: String?)] = [
            ("manufacturer", information.manufacturerName?.text),
            ("model", information.modelNumber?.text), ("serial", information.serialNumber?.text),
            ("revision", information.firmwareRevision?.text),
            ("board", information.hardwareRevision?.text),
            ("software", information.softwareRevision?.text),
            ("system", information.systemID.map { HexText.bytes($0.bytes) }),
            ("pnp", information.pnpID.map { Self.words($0) }),
        ]
        return all.compactMap { row in row.text.map { (row.name, $0) } }
    }
}
