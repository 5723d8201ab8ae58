import HaloProtocol

/// A text in the bytes of a packet, with its encoding.
///
/// The text of most fields is UTF-8. Some apps send UTF-16 instead, in either byte order.
struct DeviceText: Sendable {
    enum Encoding: Hashable, Sendable, CaseIterable {
        case utf8, utf16LittleEndian, utf16BigEndian

        func encoded(_ utf8: [UInt8]) -> [UInt8] {
            guard self != .utf8 else { return utf8 }
            return String(decoding: utf8, as: UTF8.self).utf16.flatMap { unit in
                let low = UInt8(truncatingIfNeeded: unit)
                let high = UInt8(truncatingIfNeeded: unit >> 8)
                return self == .utf16LittleEndian ? [low, high] : [high, low]
            }
        }
    }

    let utf8: [UInt8]
    let encoding: Encoding

    /// Returns all texts that a field may contain, the most probable one first; only that one for a
    /// field of UTF-8.
    ///
    /// - Parameter isWide: `true` if the field is said to contain UTF-16. Then UTF-8 is more
    ///   probable only for letters and digits of ASCII.
    static func readings(of bytes: [UInt8], isWide: Bool) -> [DeviceText] {
        let narrow = isNarrow(bytes) ? [DeviceText(utf8: bytes, encoding: .utf8)] : []
        guard isWide else { return narrow.isEmpty ? Array(wide(bytes).prefix(1)) : narrow }
        let isPlain = bytes.allSatisfy(SeededIdentities.isLetterOrDigit)
        return isPlain ? narrow + wide(bytes) : wide(bytes) + narrow
    }

    /// Returns `true` for UTF-8 without control characters.
    static func isNarrow(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) && isText(text)
    }

    private static func isText(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .unassigned, .surrogate, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }

    /// Reads UTF-16, first in the byte order whose letters are of fewer rows of Unicode. A last
    /// byte of zero may have been removed as padding.
    private static func wide(_ bytes: [UInt8]) -> [DeviceText] {
        guard bytes.count > 1 else { return [] }
        let padded = bytes.count % 2 == 0 ? bytes : bytes + [0]
        let readings = [Encoding.utf16LittleEndian, .utf16BigEndian].compactMap { encoding in
            reading(padded, encoding)
        }
        return readings.sorted { $0.rowCount < $1.rowCount }.map(\.text)
    }

    private static func reading(
        _ bytes: [UInt8], _ encoding: Encoding
    ) -> (text: DeviceText, rowCount: Int)? {
        let places = stride(from: 0, to: bytes.count - 1, by: 2)
        let low = encoding == .utf16LittleEndian ? 0 : 1
        let units = places.map { UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + 1 - low]) << 8 }
        let text = String(decoding: units, as: UTF16.self)
        guard text.utf16.elementsEqual(units), isText(text) else { return nil }
        let rows = Set(units.map { $0 >> 8 })
        return (DeviceText(utf8: Array(text.utf8), encoding: encoding), rows.count)
    }
}
