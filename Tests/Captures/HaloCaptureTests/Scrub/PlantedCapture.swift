import HaloCapture
import HaloProtocol

/// A capture with secrets in every place that can carry one.
struct PlantedCapture {
    static let address: UInt64 = 0xC134_9E7B_55D2
    static let name = "Annelies_Ring"
    static let ringName = "R02_55D2"
    static let serial = "SN48151623"
    static let systemID: [UInt8] = [0xD2, 0x55, 0x7B, 0xFE, 0xFF, 0x9E, 0x34, 0xC1]
    static let plainSystemID: [UInt8] = [0x51, 0x62, 0x73, 0x84, 0x95, 0xA6, 0xB7, 0xC8]
    static let phone = "+491709876543"
    static let phoneDigits: [UInt8] = [0x49, 0x17, 0x09, 0x87, 0x65, 0x43]
    static let message = "Meet me at Café Kranzler"
    static let city = "Oberammergau"
    static let time = "2025-12-11 22:54:17"
    /// A sequence of heart rates that occurs nowhere else.
    static let pulse: [UInt8] = [61, 97, 73, 89, 67, 83, 71, 101, 79, 103, 59, 107, 62]

    static var addressBytes: [UInt8] {
        (0..<6).reversed().map { UInt8(truncatingIfNeeded: address >> UInt64($0 * 8)) }
    }

    /// The secrets that must not be found after scrubbing.
    static var secrets: [PlantedSecret] {
        let seconds: [UInt8] = [0x59, 0x4B, 0x3B, 0x69]
        return [
            PlantedSecret("address", addressBytes), PlantedSecret("name", text: name),
            PlantedSecret("ring's name", text: ringName),
            PlantedSecret("name's ending", text: "55D2"),
            PlantedSecret("model's ending", text: "7F3E"),
            PlantedSecret("serial", text: serial), PlantedSecret("system id", systemID),
            PlantedSecret("plain system id", plainSystemID),
            PlantedSecret("phone", text: phone),
            PlantedSecret("phone's digits", phoneDigits), PlantedSecret("message", text: message),
            PlantedSecret("city", text: city), PlantedSecret("date", text: "2025-12-11"),
            PlantedSecret("decimal date", [0x25, 0x12, 0x11]),
            PlantedSecret("seconds", seconds), PlantedSecret("pulse", Array(pulse)),
            PlantedSecret("half the pulse", Array(pulse.prefix(6))),
        ]
    }

    var lines: [CaptureLine] = [.version]

    var capture: Capture {
        get throws { try Capture(lines) }
    }

    mutating func say(_ text: String) { lines.append(.comment(CaptureText(text))) }

    mutating func put(
        _ direction: Direction, _ channel: CaptureChannel, _ bytes: [UInt8],
        link: CaptureName? = nil
    ) throws {
        lines.append(.packet(try CapturePacket(direction, link: link, channel, bytes)))
    }

    /// Adds frames of one opcode with bytes, fourteen in each.
    mutating func frames(_ direction: Direction, _ opcode: UInt8, _ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let frame = try Frame(opcode: opcode, payload: InlineBytes(prefix: rest.prefix(14)))
            rest = rest.dropFirst(14)
            try put(direction, .uart, Array(frame.bytes))
        }
    }

    /// Adds a record, in notifications of a few bytes.
    mutating func record(
        _ direction: Direction, _ id: UInt8, _ payload: [UInt8], cut: Int = 11
    ) throws {
        var rest = try BigDataFrame(id: id, payload: payload).bytes[...]
        while !rest.isEmpty {
            try put(direction, .bigData, Array(rest.prefix(cut)))
            rest = rest.dropFirst(cut)
        }
    }

    mutating func characteristic(_ number: UInt32, _ bytes: [UInt8]) throws {
        try put(.fromDevice, .characteristic(BluetoothUUID(number)), bytes)
    }

    /// The capture with all secrets.
    static func full() throws -> PlantedCapture {
        var planted = PlantedCapture()
        try planted.comments()
        try planted.advertisements()
        try planted.characteristics()
        try planted.commands()
        try planted.records()
        try planted.unreadable()
        return planted
    }
}
