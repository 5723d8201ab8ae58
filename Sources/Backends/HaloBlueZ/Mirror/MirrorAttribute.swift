#if os(Linux)
internal import HaloDBus

/// An attribute of a device: an object that belongs to another one.
protocol MirrorAttribute: Hashable, Sendable {
    init()

    var parent: DBusObjectPath? { get }

    /// Sets a property, or removes it with `nil`.
    mutating func set(_ name: String, _ value: DBusValue?)
}
#endif
