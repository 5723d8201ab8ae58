/// The HCI log of a phone, as btsnoop.
struct SnoopLog {
    private(set) var bytes = Array("btsnoop\0".utf8) + Self.number(1, 4) + Self.number(1_002, 4)

    /// Adds a packet that the phone has received.
    mutating func add(_ packet: [UInt8], at second: UInt64 = 0) {
        let count = Self.number(UInt64(packet.count), 4)
        let time = 0x00E0_3AB4_4A67_6000 + second * 1_000_000
        bytes += count + count + Self.number(1, 4) + Self.number(0, 4)
        bytes += Self.number(time, 8) + packet
    }

    private static func number(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
}
