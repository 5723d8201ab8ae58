#if os(Linux)
/// Encodes values in little-endian order.
struct DBusWriter {
    private(set) var bytes: [UInt8] = []
    private let descriptorCount: UInt32

    init(descriptorCount: UInt32 = .max) {
        self.descriptorCount = descriptorCount
        bytes.reserveCapacity(256)
    }

    /// Appends padding. Alignments are powers of two.
    mutating func align(_ alignment: Int) {
        while bytes.count & (alignment - 1) != 0 { bytes.append(0) }
    }

    mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        align(Number.bitWidth / 8)
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(text: String) {
        put(UInt32(truncatingIfNeeded: text.utf8.count))
        bytes.append(contentsOf: text.utf8)
        bytes.append(0)
    }

    mutating func put(types: some Sequence<DBusType>) throws(DBusWireError) {
        let place = bytes.count
        bytes.append(0)
        for type in types { try type.append(to: &bytes) }
        let length = bytes.count - place - 1
        guard length <= DBusType.maximumSignatureLength else { throw fault(.wrongSignature) }
        bytes[place] = UInt8(truncatingIfNeeded: length)
        bytes.append(0)
    }

    mutating func patch(_ number: UInt32, at offset: Int) {
        withUnsafeBytes(of: number.littleEndian) {
            bytes.replaceSubrange(offset..<offset + 4, with: $0)
        }
    }

    mutating func put(_ value: DBusValue, depth: Int = 0) throws(DBusWireError) {
        guard depth <= DBusLimits.depth else { throw fault(.tooDeep) }
        switch value {
        case .byte(let number): bytes.append(number)
        case .boolean(let flag): put(UInt32(flag ? 1 : 0))
        case .int16(let number): put(number)
        case .uint16(let number): put(number)
        case .int32(let number): put(number)
        case .uint32(let number): put(number)
        case .int64(let number): put(number)
        case .uint64(let number): put(number)
        case .double(let number): put(number.bitPattern)
        case .string(let text):
            guard !text.utf8.contains(0) else { throw fault(.wrongText) }
            put(text: text)
        case .objectPath(let path): put(text: path.text)
        case .signature(let types): try put(types: types)
        case .unixFD(let index):
            guard index < descriptorCount else { throw fault(.missingDescriptor) }
            put(index)
        case .variant(let content):
            try put(types: CollectionOfOne(content.type))
            try put(content, depth: depth + 1)
        case .bytes(let values):
            guard values.count <= DBusLimits.arrayLength else { throw fault(.tooLong) }
            put(UInt32(truncatingIfNeeded: values.count))
            bytes.append(contentsOf: values)
        case .array(let type, let elements):
            let (place, start) = beginArray(aligned: type.alignment)
            for element in elements {
                guard element.isOf(type) else { throw fault(.wrongType) }
                try put(element, depth: depth + 1)
            }
            try endArray(place, start)
        case .dictionary(let keyType, let valueType, let entries):
            guard keyType.isBasic else { throw fault(.wrongType) }
            let (place, start) = beginArray(aligned: DBusType.entryAlignment)
            for entry in entries {
                guard entry.key.isOf(keyType), entry.value.isOf(valueType) else {
                    throw fault(.wrongType)
                }
                align(DBusType.entryAlignment)
                try put(entry.key)
                try put(entry.value, depth: depth + 2)
            }
            try endArray(place, start)
        case .structure(let members):
            guard !members.isEmpty else { throw fault(.wrongType) }
            align(DBusType.entryAlignment)
            for member in members { try put(member, depth: depth + 1) }
        }
        guard bytes.count <= DBusLimits.messageLength else { throw fault(.tooLong) }
    }

    mutating func beginArray(aligned alignment: Int) -> (place: Int, start: Int) {
        put(UInt32(0))
        let place = bytes.count - 4
        align(alignment)
        return (place, bytes.count)
    }

    mutating func endArray(_ place: Int, _ start: Int) throws(DBusWireError) {
        let length = bytes.count - start
        guard length <= DBusLimits.arrayLength else { throw fault(.tooLong) }
        patch(UInt32(truncatingIfNeeded: length), at: place)
    }

    private func fault(_ kind: DBusWireError.Kind) -> DBusWireError {
        DBusWireError(kind, at: bytes.count)
    }
}
#endif
