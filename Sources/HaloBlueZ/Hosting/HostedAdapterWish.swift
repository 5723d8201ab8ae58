#if os(Linux)
internal import HaloDBus

/// Which adapter a device is wanted on.
struct HostedAdapterWish: Hashable, Sendable {
    /// The object of the adapter that the transport uses, if that is known.
    var path: DBusObjectPath?
    /// Its address, or the last element of its path; nothing if any will do.
    var name: String?
    /// Whether an adapter that is off is switched on.
    var powersOn = false
}
#endif
