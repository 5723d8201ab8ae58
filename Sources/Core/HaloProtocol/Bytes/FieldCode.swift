/// An enumeration of the known values of a byte.
public protocol FieldCode: RawRepresentable, CaseIterable, Hashable, Sendable
where RawValue == UInt8 {
    /// The words for all values. A type makes them once: `static let labels = FieldLabels<Sex>()`.
    static var labels: FieldLabels<Self> { get }
}

extension FieldCode {
    /// The value in words; in Embedded Swift, which has no names of cases at run time, its number.
    public var label: String {
        #if hasFeature(Embedded)
        "\(rawValue)"
        #else
        Self.labels[self]
        #endif
    }
}
