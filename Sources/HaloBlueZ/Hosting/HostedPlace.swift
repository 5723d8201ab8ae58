#if os(Linux)
internal import HaloDBus
internal import Synchronization

/// Where on the bus the next device's objects are: each has a place of its own in the program.
enum HostedPlace {
    private static let last = Atomic<UInt64>(0)

    /// A path that no other device of the program has.
    static func next() -> DBusObjectPath {
        let number = last.wrappingAdd(1, ordering: .relaxed).newValue
        return DBusObjectPath.root.appending("halo").appending("device\(number)")
    }
}
#endif
