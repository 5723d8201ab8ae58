/// The limit of a record's content: its length field has two bytes.
enum RecordLength {
    /// Returns the elements, of `length` bytes each; throws if a frame has no room for them after
    /// `other` bytes.
    static func checked<Element>(
        _ elements: [Element], _ name: FieldName, length: Int = 1, behind other: Int = 0
    ) throws(ValueError) -> [Element] {
        let most = (BigDataFrame.maximumPayloadLength - other) / max(length, 1)
        try ValueError.check(name, elements.count, in: 0...most)
        return elements
    }
}
