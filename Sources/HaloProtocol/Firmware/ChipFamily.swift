/// Who made a ring's chip: rings with the same chip speak the same dialect.
public enum ChipFamily: Hashable, Sendable, CaseIterable {
    /// BlueX RF03: R02 and its kin.
    case blueX
    /// Realtek RTL8762: newer rings.
    case realtek
}
