#if os(Linux)
internal import HaloDBus

/// Which objects belong to which: what a device consists of is found without looking at what all
/// others do. A daemon may give one path to objects of several kinds, and all of them are here: who
/// looks for one kind asks each object what it is.
struct MirrorBranches: Hashable, Sendable {
    private var children: [DBusObjectPath: Set<DBusObjectPath>] = [:]

    /// What belongs to an object, in the daemon's order.
    subscript(parent: DBusObjectPath) -> [DBusObjectPath] {
        (children[parent] ?? []).sorted { $0.comesBefore($1) }
    }

    /// Whether nothing belongs to it.
    func isBare(_ parent: DBusObjectPath) -> Bool { children[parent] == nil }

    /// An object belongs to another one than before, or to none.
    mutating func move(
        _ child: DBusObjectPath, from old: DBusObjectPath?, to new: DBusObjectPath?
    ) {
        guard old != new else { return }
        if let old {
            children[old]?.remove(child)
            if children[old]?.isEmpty == true { children[old] = nil }
        }
        if let new { children[new, default: []].insert(child) }
    }
}
#endif
