#if os(Linux)
internal import HaloDBus

/// An adapter with the values that decide the choice: the same for links, for hosting and for the
/// doctor.
struct AdapterCandidate: Hashable, Sendable {
    let path: DBusObjectPath
    /// The address, in upper case; `nil` if it is unknown.
    let address: String?
    let isOn: Bool

    /// `true` if the name is the adapter's address, its path, or the end of the path.
    func isCalled(_ name: String) -> Bool {
        address == name.uppercased() || path.text == name || path.text.hasSuffix("/\(name)")
    }

    /// Returns the error text when no adapter can be chosen: the cause, and the adapters that exist
    /// or a command that helps.
    static func absence(of name: String?, among all: [AdapterCandidate]) -> String {
        guard let name, !all.isEmpty else {
            return "bluetoothd has no Bluetooth adapter; "
                + "'sudo dmesg | grep -iE 'bluetooth|firmware'' may say why"
        }
        let known = all.sorted { $0.path.comesBefore($1.path) }.map(\.words)
        return "there is no Bluetooth adapter called \(name); there "
            + (known.count == 1 ? "is " : "are ") + known.joined(separator: " and ")
    }

    private var words: String { address.map { "\(path.lastElement) (\($0))" } ?? path.lastElement }

    /// Returns the chosen adapter: the named one; or else the current one while it is on or no
    /// other is; or else the first one that is on; or else the first one.
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
#endif
