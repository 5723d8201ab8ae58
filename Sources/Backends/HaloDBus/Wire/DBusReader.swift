#if os(Linux)
/// Decodes values, in either byte order.
///
/// Each function gets the bytes of the whole message, so that the reader holds no copy of them.
struct DBusReader {
    let isBigEndian: Bool
    private(set) var position: Int
    let end: Int
    /// The number of descriptors that came with the message; values name them by index.
    var descriptorCount = UInt32.max

    /// Skips padding, which has to be zero. Alignments are powers of two.
    mutating func align(_ alignment: Int, _ bytes: Span<UInt8>) throws(DBusWireError) {
        while position & (alignment - 1) != 0 {
            guard position < end else { throw fault(.truncated) }
            guard bytes[position] == 0 else { throw fault(.wrongPadding) }
            position += 1
        }
    }

    mutating func number<Number: FixedWidthInteger>(
        _ bytes: Span<UInt8>, as type: Number.Type = Number.self
    ) throws(DBusWireError) -> Number {
        let width = MemoryLayout<Number>.size
        try align(width, bytes)
        guard width <= end - position else { throw fault(.truncated) }
        let value = bytes.extracting(position..<position + width).withUnsafeBufferPointer {
            UnsafeRawBufferPointer($0).loadUnaligned(as: Number.self)
        }
        position += width
        return isBigEndian ? Number(bigEndian: value) : Number(littleEndian: value)
    }

    mutating func text(_ bytes: Span<UInt8>) throws(DBusWireError) -> String {
        let length = Int(clamping: try number(bytes, as: UInt32.self))
        guard length < end - position else { throw fault(.truncated) }
        let content = bytes.extracting(position..<position + length)
        guard bytes[position + length] == 0 else {
            throw DBusWireError(.wrongText, at: position + length)
        }
        let text = content.withUnsafeBufferPointer { buffer in
            buffer.contains(0) ? nil : String(validating: buffer, as: UTF8.self)
        }
        guard let text else { throw fault(.wrongText) }
        position += length + 1
        return text
    }

    mutating func signature(
        _ bytes: Span<UInt8>, single: Bool = false
    ) throws(DBusWireError) -> [DBusType] {
        let start = position
        let length = Int(try number(bytes, as: UInt8.self))
        guard length < end - position else { throw fault(.truncated) }
        let characters = bytes.extracting(position..<position + length)
        guard bytes[position + length] == 0 else {
            throw DBusWireError(.wrongText, at: position + length)
        }
        position += length + 1
        do throws(DBusWireError) {
            return try DBusType.types(
                parsing: characters.withUnsafeBufferPointer { Array($0) }, single: single)
        } catch {
            throw DBusWireError(error.kind, at: start + 1 + error.offset)
        }
    }

    /// Reads the signature of a variant; one simple type and `ay` need no parser.
    private mutating func variantType(_ bytes: Span<UInt8>) throws(DBusWireError) -> DBusType {
        if end - position >= 4, bytes[position] == 1, bytes[position + 2] == 0,
            let type = DBusType.simple(bytes[position + 1])
        {
            position += 3
            return type
        }
        if end - position >= 4, bytes[position] == 2, bytes[position + 3] == 0,
            bytes[position + 1] == UInt8(ascii: "a"), bytes[position + 2] == UInt8(ascii: "y")
        {
            position += 4
            return .byteArray
        }
        return try signature(bytes, single: true).first ?? .byte
    }

    mutating func path(_ bytes: Span<UInt8>) throws(DBusWireError) -> DBusObjectPath {
        let start = position
        let text = try text(bytes)
        do throws(DBusWireError) {
            return try DBusObjectPath(text)
        } catch {
            throw DBusWireError(error.kind, at: start)
        }
    }

    mutating func value(
        _ type: DBusType, _ bytes: Span<UInt8>, depth: Int = 0
    ) throws(DBusWireError) -> DBusValue {
        guard depth <= DBusLimits.depth else { throw fault(.tooDeep) }
        switch type {
        case .byte: return .byte(try number(bytes))
        case .boolean:
            let number = try number(bytes, as: UInt32.self)
            guard number <= 1 else { throw DBusWireError(.wrongBoolean, at: position - 4) }
            return .boolean(number == 1)
        case .int16: return .int16(try number(bytes))
        case .uint16: return .uint16(try number(bytes))
        case .int32: return .int32(try number(bytes))
        case .uint32: return .uint32(try number(bytes))
        case .int64: return .int64(try number(bytes))
        case .uint64: return .uint64(try number(bytes))
        case .double: return .double(Double(bitPattern: try number(bytes)))
        case .string: return .string(try text(bytes))
        case .objectPath: return .objectPath(try path(bytes))
        case .signature: return .signature(try signature(bytes))
        case .unixFD:
            let index = try number(bytes, as: UInt32.self)
            guard index < descriptorCount else {
                throw DBusWireError(.missingDescriptor, at: position - 4)
            }
            return .unixFD(index)
        case .variant:
            let content = try variantType(bytes)
            return .variant(try value(content, bytes, depth: depth + 1))
        case .structure(let members):
            try align(type.alignment, bytes)
            var values: [DBusValue] = []
            values.reserveCapacity(members.count)
            for member in members { values.append(try value(member, bytes, depth: depth + 1)) }
            return .structure(values)
        case .array(let element):
            return try array(of: element, bytes, depth: depth)
        case .dictionary(let key, let entry):
            return try dictionary(key, entry, bytes, depth: depth)
        }
    }

    private mutating func array(
        of element: DBusType, _ bytes: Span<UInt8>, depth: Int
    ) throws(DBusWireError) -> DBusValue {
        let limit = try arrayEnd(aligned: element.alignment, bytes)
        if case .byte = element {
            let content = bytes.extracting(position..<limit)
            position = limit
            return .bytes(content.withUnsafeBufferPointer { Array($0) })
        }
        var inner = reader(to: limit)
        var values: [DBusValue] = []
        while inner.position < limit {
            values.append(try inner.value(element, bytes, depth: depth + 1))
        }
        position = limit
        return .array(element, values)
    }

    private mutating func dictionary(
        _ key: DBusType, _ entry: DBusType, _ bytes: Span<UInt8>, depth: Int
    ) throws(DBusWireError) -> DBusValue {
        let limit = try arrayEnd(aligned: DBusType.entryAlignment, bytes)
        var inner = reader(to: limit)
        var entries: [DBusEntry] = []
        while inner.position < limit {
            try inner.align(DBusType.entryAlignment, bytes)
            // A basic type has no depth.
            let key = try inner.value(key, bytes)
            entries.append(DBusEntry(key, try inner.value(entry, bytes, depth: depth + 2)))
        }
        position = limit
        return .dictionary(key: key, value: entry, entries)
    }

    /// Reads the length of an array; returns its end.
    mutating func arrayEnd(
        aligned alignment: Int, _ bytes: Span<UInt8>
    ) throws(DBusWireError) -> Int {
        let length = Int(clamping: try number(bytes, as: UInt32.self))
        guard length <= DBusLimits.arrayLength else {
            throw DBusWireError(.tooLong, at: position - 4)
        }
        try align(alignment, bytes)
        guard length <= end - position else { throw fault(.truncated) }
        return position + length
    }

    func reader(to limit: Int) -> DBusReader {
        DBusReader(
            isBigEndian: isBigEndian, position: position, end: limit,
            descriptorCount: descriptorCount)
    }

    /// Continues after an array that another reader has read.
    mutating func skip(to limit: Int) { position = limit }

    private func fault(_ kind: DBusWireError.Kind) -> DBusWireError {
        DBusWireError(kind, at: position)
    }
}

extension Span<UInt8> {
    /// `true` if both have the same bytes in a range; `false` if one of them is too short.
    func isSame(_ other: Span<UInt8>, in range: Range<Int>) -> Bool {
        guard range.lowerBound >= 0, range.upperBound <= Swift.min(count, other.count) else {
            return false
        }
        return withUnsafeBufferPointer { one in
            other.withUnsafeBufferPointer { other in
                let (one, other) = (UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other))
                var offset = range.lowerBound
                while offset + 8 <= range.upperBound {
                    guard
                        one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                            == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    else { return false }
                    offset += 8
                }
                while offset < range.upperBound {
                    guard one[offset] == other[offset] else { return false }
                    offset += 1
                }
                return true
            }
        }
    }

    /// Returns the little-endian `UInt32` at an offset; all four bytes have to exist.
    func littleEndianUInt32(at offset: Int) -> Int {
        extracting(offset..<offset + 4).withUnsafeBufferPointer {
            Int(
                clamping: UInt32(
                    littleEndian: UnsafeRawBufferPointer($0).loadUnaligned(as: UInt32.self)))
        }
    }
}
#endif
