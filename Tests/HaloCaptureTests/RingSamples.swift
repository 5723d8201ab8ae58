import HaloProtocol

/// Frames of a ring, made here by hand.
enum RingSamples {
    /// The frames of a ring's battery: asked for, and answered.
    static let question = frame(0x03, [])
    static let answer = frame(0x03, [0x40, 0x01])

    /// A frame of 16 bytes.
    static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let bytes = [opcode] + payload + [UInt8](repeating: 0, count: 14 - payload.count)
        return bytes + [bytes.reduce(0, &+)]
    }
}

/// Bytes as captures write them.
func spaced(_ bytes: [UInt8]) -> String { HexText.bytes(bytes, separator: " ") }
