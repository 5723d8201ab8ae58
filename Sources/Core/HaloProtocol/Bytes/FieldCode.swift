/// An enumeration of the known values of a byte.
public protocol FieldCode: RawRepresentable, CaseIterable, Hashable, Sendable
where RawValue == UInt8 {
    /// The words for all values: by default the names of the cases.
    static var labels: FieldLabels<Self> { get }
}

extension FieldCode {
    /// The names of the cases.
    public static var labels: FieldLabels<Self> { FieldLabels() }

    /// The value in words; in Embedded Swift, which has no names of cases at run time, its number.
    public var label: String {
        #if hasFeature(Embedded)
        "\(rawValue)"
        #else
        Self.labels[self]
        #endif
    }
}
