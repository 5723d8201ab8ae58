/// The error of a value that its packet cannot hold.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
    public let field: FieldName
    public let allowed: ClosedRange<Int64>
    public let found: Int64

    public init(_ field: FieldName, allowed: ClosedRange<Int64>, found: Int64) {
        self.field = field
        self.allowed = allowed
        self.found = found
    }

    @inline(__always)
    static func check<Number: FixedWidthInteger, Bound: FixedWidthInteger>(
        _ field: FieldName, _ number: Number, in allowed: ClosedRange<Bound>
    ) throws(ValueError) {
        let found = Int64(clamping: number)
        let (least, most) = (
            Int64(clamping: allowed.lowerBound), Int64(clamping: allowed.upperBound)
        )
        guard found >= least, found <= most else {
            throw ValueError(field, allowed: least...most, found: found)
        }
    }

    /// The error in one sentence.
    public var description: String {
        "\(field) must be \(allowed.lowerBound) to \(allowed.upperBound), not \(found)."
    }
}
