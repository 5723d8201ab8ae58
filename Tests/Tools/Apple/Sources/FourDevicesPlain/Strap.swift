/// A heart-rate strap, which prints one heart rate.
final class Strap: Device {
    private var isDone = false

    init() { super.init(services: ["180D"], values: "2A37") }

    override func receive(_ value: [UInt8]) {
        guard !isDone, let beats = Self.beatsPerMinute(value) else { return }
        isDone = true
        print("strap: \(beats) bpm")
        disconnect()
    }

    /// Bit 0 of the flags is the width of the heart rate.
    private static func beatsPerMinute(_ value: [UInt8]) -> UInt16? {
        guard let flags = value.first, value.count > 1 + Int(flags & 1) else { return nil }
        return flags & 1 == 0 ? UInt16(value[1]) : UInt16(value[1]) | UInt16(value[2]) << 8
    }
}
