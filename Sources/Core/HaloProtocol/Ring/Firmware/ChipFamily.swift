/// The makers of rings' chips. Rings with the same chip have the same dialect.
public enum ChipFamily: Hashable, Sendable, CaseIterable {
    /// BlueX RF03: R02 and similar rings.
    case blueX
    /// Realtek RTL8762, in newer rings.
    case realtek
}
