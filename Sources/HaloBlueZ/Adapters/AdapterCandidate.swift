#if os(Linux)
internal import HaloDBus

/// An adapter with what matters when one of several is chosen: for links, for hosting and by the
/// doctor in the same way.
struct AdapterCandidate: Hashable, Sendable {
    let path: DBusObjectPath
    /// In upper case, if it is known.
    let address: String?
    let isOn: Bool

    /// Whether it goes by a name: its address, its path, or the end of that.
    func isCalled(_ name: String) -> Bool {
        address == name.uppercased() || path.text == name || path.text.hasSuffix("/\(name)")
    }

    /// What is wrong where none can be chosen, and what there is or what helps.
    static func absence(of name: String?, among all: [AdapterCandidate]) -> String {
        guard let name, !all.isEmpty else {
            return "bluetoothd has no Bluetooth adapter; "
                + "'sudo dmesg | grep -iE 'bluetooth|firmware'' may say why"
        }
        let known = all.sorted { $0.path.comesBefore($1.path) }.map(\.words)
        return "there is no Bluetooth adapter called \(name); there "
            + (known.count == 1 ? "is " : "are ") + known.joined(separator: " and ")
    }

    private var words: String {
        let name = path.text.split(separator: "/").last.map(String.init) ?? path.text
        return address.map { "\(name) (\($0))" } ?? name
    }

    /// The one that is named; or else the current one while it is on or no other is; or else the
    /// first one that is on; or else the first one.
    static func choice(
        of all: [AdapterCandidate], named name: String?, current: DBusObjectPath? = nil
    ) -> DBusObjectPath? {
        let all = all.sorted { $0.path.comesBefore($1.path) }
        if let name { return all.first { $0.isCalled(name) }?.path }
        let current = all.first { $0.path == current }
        if let current, current.isOn { return current.path }
        return (all.first(where: \.isOn) ?? current ?? all.first)?.path
    }
}

extension DBusObjectPath {
    /// The daemon's order of what it counts: by length first, so that hci10 comes after hci9, and
    /// a later handle after an earlier one. Nothing else is read in a path (pitfall 21:
    /// bleak#1744).
    func comesBefore(_ other: DBusObjectPath) -> Bool {
        (text.utf8.count, text) < (other.text.utf8.count, other.text)
    }
}
#endif
