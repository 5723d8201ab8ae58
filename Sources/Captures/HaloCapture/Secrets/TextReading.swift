import HaloProtocol

/// Bytes read as text: their characters, and where each of them is.
///
/// What is no text in the encoding is read as U+FFFD.
struct TextReading: Sendable {
    let encoding: DeviceText.Encoding
    private(set) var scalars: [Unicode.Scalar] = []
    /// The index of each scalar's first byte, and behind them the end of the text.
    private(set) var starts: [Int] = []

    /// The encodings and the starts of the texts that bytes may contain: UTF-16 may begin at an
    /// even or at an odd index.
    static let all: [(encoding: DeviceText.Encoding, start: Int)] = [
        (.utf8, 0), (.utf16LittleEndian, 0), (.utf16LittleEndian, 1), (.utf16BigEndian, 0),
        (.utf16BigEndian, 1),
    ]

    init(_ bytes: [UInt8], _ encoding: DeviceText.Encoding, from start: Int) {
        self.encoding = encoding
        scalars.reserveCapacity(bytes.count)
        starts.reserveCapacity(bytes.count + 1)
        encoding == .utf8 ? readUTF8(bytes) : readUTF16(bytes, from: start)
    }

    private mutating func readUTF8(_ bytes: [UInt8]) {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var index = 0
        while true {
            starts.append(index)
            switch parser.parseScalar(from: &rest) {
            case .valid(let units):
                scalars.append(UTF8.decode(units))
                index += units.count
            case .error(let length):
                scalars.append("\u{FFFD}")
                index += length
            case .emptyInput: return
            }
        }
    }

    private mutating func readUTF16(_ bytes: [UInt8], from start: Int) {
        let low = encoding == .utf16LittleEndian ? 0 : 1
        var high: UInt16?
        for index in stride(from: start, to: bytes.count - 1, by: 2) {
            let unit = UInt16(bytes[index + low]) | UInt16(bytes[index + 1 - low]) << 8
            if let high, UTF16.isTrailSurrogate(unit) {
                let value = (UInt32(high) & 0x3FF) << 10 | UInt32(unit) & 0x3FF
                scalars[scalars.count - 1] = Unicode.Scalar(0x1_0000 + value) ?? "\u{FFFD}"
            } else {
                starts.append(index)
                scalars.append(Unicode.Scalar(unit) ?? "\u{FFFD}")
            }
            high = UTF16.isLeadSurrogate(unit) ? unit : nil
        }
        starts.append(start + max(bytes.count - start, 0) / 2 * 2)
    }

    /// Returns the bytes of characters.
    func place(of range: Range<Int>) -> Range<Int> {
        starts[range.lowerBound]..<starts[range.upperBound]
    }

    /// Replaces characters with a text in UTF-8 that takes as many bytes: its end is left out, or
    /// letters are added to it.
    func replace(_ range: Range<Int>, with utf8: [UInt8], in bytes: inout [UInt8]) {
        let place = place(of: range)
        var new: [UInt8] = []
        for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
            let units = encoding.encoded(Array(String(scalar).utf8))
            guard new.count + units.count <= place.count else { break }
            new += units
        }
        while new.count < place.count { new += encoding.encoded([UInt8(ascii: "x")]) }
        bytes.replaceSubrange(place, with: new.prefix(place.count))
    }

    /// Replaces one character of ASCII with another, or a fullwidth one with another of that width.
    func replace(_ index: Int, with character: UInt8, in bytes: inout [UInt8]) {
        guard scalars[index].isASCII else {
            let wide = Unicode.Scalar(UInt32(character) + 0xFEE0) ?? "\u{FF1F}"
            return replace(index..<(index + 1), with: Array(String(wide).utf8), in: &bytes)
        }
        bytes[starts[index] + (encoding == .utf16BigEndian ? 1 : 0)] = character
    }
}
