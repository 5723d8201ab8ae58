/// Limits that the two length bytes of a big-data frame set to what is in it.
enum RecordLength {
    /// The bytes, if a frame can carry them behind `other` bytes.
    static func checked(
        _ bytes: [UInt8], _ name: FieldName, behind other: Int = 0
    ) throws(ValueError) -> [UInt8] {
        try check(bytes.count, name, most: BigDataFrame.maximumPayloadLength - other)
        return bytes
    }

    /// The elements, if a frame can carry so many of `length` bytes each.
    static func checked<Element>(
        _ elements: [Element], _ name: FieldName, length: Int, behind other: Int = 0
    ) throws(ValueError) -> [Element] {
        let most = (BigDataFrame.maximumPayloadLength - other) / max(length, 1)
        try check(elements.count, name, most: most)
        return elements
    }

    /// Refuses a count of more than `most`.
    static func check(_ count: Int, _ name: FieldName, most: Int) throws(ValueError) {
        guard count <= most else {
            throw ValueError(name, allowed: 0...Int64(most), found: Int64(count))
        }
    }
}
