import HaloCapture
import HaloProtocol

/// The places of the secrets.
extension PlantedCapture {
    private static var colons: String { HexText.bytes(addressBytes, separator: ":") }
    /// The secrets that are texts.
    private static var texts: [[UInt8]] {
        [name, ringName, serial, phone, message, city].map { Array($0.utf8) }
    }

    mutating func comments() throws {
        say("source: \(Self.name)'s phone, \(Self.phone)")
        say("device: \(Self.ringName) \(Self.serial)")
        say("address: \(Self.colons) (random)")
        say("address: \(Self.colons.lowercased())")
        say("clock: \(Self.time) +01:00")
        say("clock: \(Self.time), in \(Self.city)")
        say("name: \(Self.name)")
        say("from: \(Self.city)")
        say("means: \(Self.message)")
        say("note: \(HexText.bytes(Self.addressBytes)) was worn on \(Self.time)")
        say("\(Self.city), \(HexText.bytes(Self.addressBytes.reversed(), separator: "-"))")
        lines.append(.name(try CaptureName("annelies-ring"), BluetoothUUID(0xFEA1 as UInt32)))
        let link = try CaptureName("annelies-phone")
        lines.append(.event(.connected(mtu: 247), link: link))
        try put(.fromDevice, .uart, Array(Battery.Request().frame.bytes), link: link)
        lines.append(.reading(CaptureText("Message(text: \(Self.message))")))
        let spoilt = [UInt8](repeating: 1, count: 16)
        try put(.fromDevice, .uart, spoilt, link: link)
        lines.append(.error(CaptureText("\(Self.message) is no packet")))
    }

    mutating func advertisements() throws {
        for name in [Self.name, Self.ringName, Self.message] {
            let name = Array(name.utf8).prefix(27)
            try put(.fromDevice, .advertisement, [UInt8(name.count + 1), 0x09] + name)
            try put(.fromDevice, .scanResponse, [UInt8(name.count + 1), 0x08] + name)
        }
        for address in [Self.addressBytes, Self.addressBytes.reversed()] {
            try put(.fromDevice, .advertisement, [0x09, 0xFF, 0x34, 0x12] + address)
            try put(.fromDevice, .advertisement, [0x0A, 0x16, 0x0A, 0x18, 7] + address)
            try put(.fromDevice, .advertisement, [0x08, 0x1B, 0] + address)
            // It says that more follows than there is.
            try put(.fromDevice, .scanResponse, [0x1F, 0xFF, 0x34, 0x12] + address)
        }
        try put(.fromDevice, .advertisement, [0x30, 0x09] + Self.name.utf8)
        let beacon: [UInt8] =
            [0x02, 0x15] + Self.addressBytes + Self.systemID + [9, 9, 1, 2, 3, 4]
        try put(
            .fromDevice, .advertisement, [UInt8(beacon.count + 4), 0xFF, 0x4C, 0] + beacon + [5])
    }

    mutating func characteristics() throws {
        try characteristic(0x2A00, Array(Self.name.utf8))
        try characteristic(0x2A00, Array(Self.ringName.utf8))
        try characteristic(0x2A25, Array(Self.serial.utf8))
        try characteristic(0x2A23, Self.systemID)
        try characteristic(0x2A23, Self.plainSystemID)
        // Texts that stay, with secrets in them that the capture tells elsewhere.
        try characteristic(0x2A24, Array("X \(Self.ringName)".utf8))
        try characteristic(0x2A24, Array("R02_7F3E".utf8))
        try characteristic(0x2A26, Array("\(Self.colons) 1.0".utf8))
        try characteristic(0x2A27, Array("V1 \(Self.serial)".utf8))
        for text in Self.texts {
            try characteristic(0x2A8A, text)
            try put(.toDevice, .characteristic(BluetoothUUID(0xFEA1 as UInt32)), text)
        }
        // Split over two notifications of a characteristic that nobody knows.
        try characteristic(0xFEA2, Array(Self.addressBytes.prefix(3)))
        try characteristic(0xFEA2, Array(Self.addressBytes.suffix(3)))
        for pulse in Self.pulse { try characteristic(0x2A37, [0x00, pulse]) }
        for pulse in Self.pulse { try characteristic(0xFEA3, [pulse]) }
        try characteristic(0x2A37, [0x10, 60] + Self.addressBytes)
        try put(.toDevice, .family(.ledStrip), [0x10, 20, 25, 12, 11, 22, 54, 17, 4, 0, 1])
        try put(.toDevice, .family(.ledStrip), [0x56] + Self.name.utf8)
    }

    mutating func commands() throws {
        let date: [UInt8] = [0x25, 0x12, 0x11]
        let seconds: [UInt8] = [0x59, 0x4B, 0x3B, 0x69]
        try frames(.toDevice, SetTime.opcode, date + [0x22, 0x54, 0x17, 1])
        // No time at all, and yet a date.
        try frames(.toDevice, SetTime.opcode, date + [0x99, 0x54, 0x17, 1])
        try frames(.toDevice, HeartRateLog.opcode, seconds)
        try frames(.fromDevice, HeartRateLog.opcode, [0, 3, 5])
        try frames(.fromDevice, HeartRateLog.opcode, [1] + seconds + Self.pulse.prefix(9))
        try frames(.fromDevice, HeartRateLog.opcode, [2] + Self.pulse)
        try frames(.fromDevice, WorkoutControl.opcode, [1, 0] + seconds)
        try frames(.fromDevice, ActivityLog.opcode, date + [4, 0, 1, 1, 2, 3, 4, 5, 6])
        try frames(.fromDevice, DailyTotals.opcode, [0, 1] + date + [0, 1, 2, 0, 1, 1])
        try frames(.toDevice, PhoneName.opcode, [2, 10] + Self.name.utf8.prefix(12))
        for pulse in Self.pulse {
            try frames(.fromDevice, RealtimeMeasurement.opcode, [1, 0, pulse])
            try frames(.fromDevice, LegacyRealtimeHeartRate.opcode, [pulse])
            try frames(.fromDevice, 0x4F, [pulse])
        }
        let opcodes = [0x72, 0x1A, 0x4F, 0x0B, Battery.opcode, 0x37]
        for text in Self.texts {
            for opcode in opcodes {
                try frames(.toDevice, opcode, text)
                try frames(.fromDevice, opcode, text)
            }
        }
        for opcode in opcodes {
            try frames(.fromDevice, opcode, Self.addressBytes)
            try frames(.toDevice, opcode, Self.systemID + seconds)
            try frames(.toDevice, opcode, [3] + Self.phoneDigits)
        }
    }

    mutating func records() throws {
        for id: UInt8 in [RawRecord.bluetoothAddress.code, 0x29, 0x20, 0xEE] {
            try record(.fromDevice, id, Self.addressBytes)
            try record(.toDevice, id, Self.addressBytes.reversed())
            for text in Self.texts { try record(.fromDevice, id, [0x07] + text + [0x09]) }
            try record(.toDevice, id, Self.phoneDigits.reversed(), cut: 3)
        }
        let name = Self.name.utf16.flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
        try record(.toDevice, Nickname.requestID, name)
        try record(.toDevice, Nickname.requestID, Array(Self.name.utf8))
        try record(.fromDevice, FileList.requestID, [1, 10] + Self.serial.utf8)
        try record(.fromDevice, WorkoutSamples.requestID, [1, 0] + Self.pulse + Self.pulse)
        try record(
            .fromDevice, ManualHeartRate.requestID, [0] + Self.pulse.flatMap { [60, 1, $0] })
        try record(
            .toDevice, WorkoutDetail.requestID, [7, 0x59, 0x4B, 0x3B, 0x69], cut: 4)
    }

    mutating func unreadable() throws {
        let text = Array(Self.message.utf8)
        // Bytes behind a frame, and before one.
        let address = try BigDataFrame(
            id: RawRecord.bluetoothAddress.code, payload: Self.addressBytes)
        try put(.fromDevice, .bigData, address.bytes + text)
        try put(.fromDevice, .bigData, text + address.bytes)
        // A wrong checksum; a frame that never ends.
        var broken = address.bytes
        broken[4] ^= 0x55
        try put(.fromDevice, .bigData, broken)
        try put(.fromDevice, .bigData, [0xBC, 0x2E, 0xFF, 0x7F, 1, 2] + Self.addressBytes)
        try put(.fromDevice, .bigData, Array(Self.addressBytes.prefix(3)))
        try put(.fromDevice, .bigData, Array(Self.addressBytes.suffix(3)))
        for text in Self.texts {
            try put(.fromDevice, .uart, text)
            try put(.toDevice, .uart, Array(text.prefix(text.count / 2)))
            try put(.toDevice, .uart, Array(text.suffix(text.count - text.count / 2)))
            let frame = [0x72] + text.prefix(15)
            try put(.toDevice, .uart, frame + [UInt8](repeating: 0, count: 16 - frame.count))
        }
        try put(.fromDevice, .uart, Self.addressBytes)
        try put(.fromDevice, .characteristic(BluetoothUUID(0x2A25 as UInt32)), [0xFF] + text)
        try put(.fromDevice, .characteristic(BluetoothUUID(0x2A23 as UInt32)), [1] + Self.systemID)
        try put(.fromDevice, .characteristic(BluetoothUUID(0x2A19 as UInt32)), Self.addressBytes)
    }
}
