internal import HaloProtocol

/// Handmade frames of a ring.
package enum RingSamples {
    /// A request for a ring's battery, and the reply.
    package static let question = frame(0x03, [])
    package static let answer = frame(0x03, [0x40, 0x01])

    /// Makes a frame of 16 bytes.
    package static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let bytes = [opcode] + payload + [UInt8](repeating: 0, count: 14 - payload.count)
        return bytes + [bytes.reduce(0, &+)]
    }
}

/// The bytes in the notation of captures.
package func spaced(_ bytes: [UInt8]) -> String { HexText.bytes(bytes, separator: " ") }
