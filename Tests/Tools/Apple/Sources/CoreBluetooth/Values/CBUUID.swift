public import Foundation
internal import HaloProtocol

/// The UUID of an attribute: 2, 4 or 16 bytes.
///
/// Two UUIDs are equal if they are the same 128 bits, in whatever form they were given.
public class CBUUID: NSObject, NSCopying {
    /// The bytes as given, the most significant one first.
    public let data: Data

    private static let base: [UInt8] = [
        0, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0x80, 0x5F, 0x9B, 0x34, 0xFB,
    ]

    /// Creates a UUID from text of 4, 8 or 36 characters. Other text is fatal, as the system's
    /// exception is.
    public init(string theString: String) {
        let parsed = Self.parse(theString)
        if parsed == nil {
            Phone.inForce.raise("String \(theString) does not represent a valid UUID")
        }
        data = parsed ?? Data([0, 0])
    }

    /// Creates a UUID from 2, 4 or 16 bytes. Another number of bytes is fatal, as the system's
    /// exception is.
    public init(data theData: Data) {
        let isValid = [2, 4, 16].contains(theData.count)
        if !isValid {
            Phone.inForce.raise("Data of \(theData.count) bytes does not represent a valid UUID")
        }
        data = isValid ? Data(theData) : Data([0, 0])
    }

    /// Creates a UUID of 16 bytes.
    public init(nsuuid theUUID: UUID) {
        data = withUnsafeBytes(of: theUUID.uuid) { Data($0) }
    }

    /// The text: 4 or 8 characters for assigned numbers, otherwise 36.
    public var uuidString: String {
        let digits = short.map { String(format: "%02X", $0) }
        guard digits.count == 16 else { return digits.joined() }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        return groups.map { digits[$0].joined() }.joined(separator: "-")
    }

    /// The same 128 bits, for the transport.
    var bluetooth: BluetoothUUID {
        let words = [whole[..<8], whole[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        return BluetoothUUID(high: words[0], low: words[1])
    }

    /// Creates a UUID from the transport's: in its shortest form.
    convenience init(_ uuid: BluetoothUUID) {
        if let short = uuid.short16 {
            self.init(data: Data([UInt8(short >> 8), UInt8(truncatingIfNeeded: short)]))
        } else {
            let bytes = [uuid.high, uuid.low].flatMap { word in
                withUnsafeBytes(of: word.bigEndian) { Array($0) }
            }
            self.init(data: Data(bytes))
        }
    }

    /// The 16 bytes.
    var whole: [UInt8] {
        let bytes = [UInt8](data)
        switch bytes.count {
        case 2: return [0, 0] + bytes + Self.base[4...]
        case 4: return bytes + Self.base[4...]
        default: return bytes
        }
    }

    /// The shortest form that text has: 2 bytes where the first two of four are zero.
    private var short: [UInt8] {
        let whole = whole
        guard Array(whole[4...]) == Array(Self.base[4...]) else { return whole }
        return Array(whole[0] == 0 && whole[1] == 0 ? whole[2..<4] : whole[0..<4])
    }

    private static func parse(_ text: String) -> Data? {
        let isWhole = text.count == 36
        if isWhole {
            return UUID(uuidString: text).map { uuid in
                withUnsafeBytes(of: uuid.uuid) { Data($0) }
            }
        }
        guard text.utf8.count == 4 || text.utf8.count == 8, let number = UInt32(text, radix: 16),
            text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
        else { return nil }
        let bytes = withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
        return Data(text.utf8.count == 4 ? bytes[2...] : bytes[0...])
    }

    /// Compares two UUIDs by their 128 bits.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CBUUID else { return false }
        return other.whole == whole
    }

    /// The hash of the 128 bits.
    public override var hash: Int { whole.hashValue }

    /// Returns this object: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The text.
    public override var description: String { uuidString }
}

@available(*, unavailable)
extension CBUUID: Sendable {}
