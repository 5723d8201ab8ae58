/// The limits of a record's content: its length field has two bytes.
enum RecordLength {
    /// Returns the bytes; throws if a frame has no room for them after `other` bytes.
    static func checked(
        _ bytes: [UInt8], _ name: FieldName, behind other: Int = 0
    ) throws(ValueError) -> [UInt8] {
        try check(bytes.count, name, most: BigDataFrame.maximumPayloadLength - other)
        return bytes
    }

    /// Returns the elements, of `length` bytes each; throws if a frame has no room for them.
    static func checked<Element>(
        _ elements: [Element], _ name: FieldName, length: Int, behind other: Int = 0
    ) throws(ValueError) -> [Element] {
        let most = (BigDataFrame.maximumPayloadLength - other) / max(length, 1)
        try check(elements.count, name, most: most)
        return elements
    }

    /// Throws if the count is more than `most`.
    static func check(_ count: Int, _ name: FieldName, most: Int) throws(ValueError) {
        try ValueError.check(name, count, in: 0...Int64(most))
    }
}
