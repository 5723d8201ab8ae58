/// On or off, in the two dialects of the rings: most write off as 0, some commands as 2.
@frozen
public enum Toggle: UInt8, FieldCode {
    /// Off, where on is 1 and off 0.
    case off = 0
    /// On, in both dialects.
    case on = 1
    /// Off, where on is 1 and off 2.
    case offAsTwo = 2

    /// On, or the off that is 0.
    @inlinable @inline(__always)
    public init(_ isOn: Bool) {
        self = isOn ? .on : .off
    }

    /// On, or the off that is 2.
    @inlinable @inline(__always)
    public init(oneOrTwo isOn: Bool) {
        self = isOn ? .on : .offAsTwo
    }

    /// Whether it is on.
    @inlinable public var isOn: Bool { self == .on }

    /// The state in words.
    public var label: FieldName {
        switch self {
        case .on: "on"
        case .off, .offAsTwo: "off"
        }
    }
}

extension Reported where Code == Toggle {
    /// Whether the device reported "on"; an unknown byte is not.
    @inlinable public var isOn: Bool { self == .on }
}
