/// On or off, in the two dialects of the rings: most write off as 0, some commands as 2.
@frozen
public enum SwitchState: UInt8, FieldCode {
    /// Off, where on is 1 and off 0.
    case off = 0
    /// On, in both dialects.
    case on = 1
    /// Off, where on is 1 and off 2.
    case offAsTwo = 2

    /// Creates ``on`` or ``off``; off is 0 on the wire.
    @inlinable @inline(__always)
    public init(_ isOn: Bool) {
        self = isOn ? .on : .off
    }

    /// Creates ``on`` or ``offAsTwo``; off is 2 on the wire.
    @inlinable @inline(__always)
    public init(oneOrTwo isOn: Bool) {
        self = isOn ? .on : .offAsTwo
    }

    /// `true` for ``on``, `false` for both forms of off.
    @inlinable public var isOn: Bool { self == .on }

    public static let labels = FieldLabels<SwitchState>([.offAsTwo: "off"])
}

extension Reported where Code == SwitchState {
    /// `true` if the device reported "on"; `false` for an unknown byte.
    @inlinable public var isOn: Bool { self == .on }
}
