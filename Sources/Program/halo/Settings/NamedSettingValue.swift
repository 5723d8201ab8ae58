struct NamedSettingValue: Hashable, Sendable {
    let setting: String
    let fields: [Field]

    struct Field: Hashable, Sendable {
        let name: String
        /// The value with its unit; `nil` if the ring does not report it, or reports a code that is
        /// not described.
        let text: String?
        /// The value as a number in ``unit``; `nil` if it is no number.
        let number: Double?
        /// The unit of the number, such as `min`; `nil` if it has none.
        let unit: String?
        /// The value as a change; `nil` if it cannot be one.
        let change: String?

        /// `false` if the field does not accept it: a ring may report an interval of 0.
        var isInDescription: Bool { change != nil }
    }

    subscript(name: String) -> Field? { fields.first { $0.name == name } }
}

extension NamedSettingValue: CustomStringConvertible {
    /// The fields that can be changed, as a text for ``NamedRingSetting/change(to:)``:
    /// `on, every 10 min`. A value that its field does not accept is left out.
    var description: String { fields.compactMap(\.change).joined(separator: ", ") }
}
