public import Foundation

/// The accessories of one phone, its settings for them, and the person who holds it.
///
/// A test sets ``infoPlist`` and ``user`` before the app creates a session. With a declaration in
/// Info.plist, the app's central managers are powered off until the app has an accessory, and see
/// only its accessories.
public final class PhoneAccessories: Sendable {
    struct State {
        var infoPlist = InfoPlist()
        var user = PickerUser()
        var traps: AccessoryTraps = []
        var isPickerRestricted = false
        var allowsNewAccessories = true
        var allowsActivation = true
        var records: [AccessoryRecord] = []
        var lastNumber = 0
        var sessions: [WeakSession] = []
        var pickerNames: [String]?
    }

    struct WeakSession {
        weak var session: ASAccessorySession?
    }

    let state = Guarded(State())
    /// The queue of the system: pickers and changes of accessories run on it.
    let queue = DispatchQueue(label: "accessories")
    private let picker = Guarded<Picker?>(nil)
    private let host: Guarded<WeakHost>

    private struct WeakHost {
        weak var host: (any AccessoryHost)?
    }

    init(_ host: any AccessoryHost) { self.host = Guarded(WeakHost(host: host)) }

    var phone: (any AccessoryHost)? { host.copy.host }

    // What a test sets.

    /// The app's Info.plist.
    public var infoPlist: InfoPlist {
        get { state.copy.infoPlist }
        set {
            state.withLock { $0.infoPlist = newValue }
            restrict()
        }
    }

    /// The person who holds the phone; a change reaches the picker that is shown.
    public var user: PickerUser {
        get { state.copy.user }
        set {
            state.withLock { $0.user = newValue }
            queue.async { self.shownPicker?.askUser() }
        }
    }

    /// The traps that are switched on.
    public var traps: AccessoryTraps {
        get { state.copy.traps }
        set {
            state.withLock { $0.traps = newValue }
            restrict()
        }
    }

    /// `true` if the app may not show a picker, as in the background.
    public var isPickerRestricted: Bool {
        get { state.copy.isPickerRestricted }
        set { state.withLock { $0.isPickerRestricted = newValue } }
    }

    /// `false` if the person may not add accessories, as on a managed phone.
    public var allowsNewAccessories: Bool {
        get { state.copy.allowsNewAccessories }
        set { state.withLock { $0.allowsNewAccessories = newValue } }
    }

    /// `false` if sessions cannot be activated.
    public var allowsActivation: Bool {
        get { state.copy.allowsActivation }
        set { state.withLock { $0.allowsActivation = newValue } }
    }

    // What a test sees.

    /// The names that the picker shows; `nil` while there is no picker.
    public var pickerNames: [String]? { state.copy.pickerNames }

    /// The accessories of the app.
    public var all: [ASAccessory] { state.copy.records.map(ASAccessory.init) }

    // What a person does outside of the app.

    /// Removes an accessory in the phone's settings.
    public func removeInSettings(_ identifier: UUID) {
        queue.async {
            let records = self.state.copy.records
            let record = records.first { $0.bluetoothIdentifier == identifier }
            if let record { self.remove(record.number) }
        }
    }

    /// Renames an accessory in the phone's settings.
    public func renameInSettings(_ identifier: UUID, to name: String) {
        queue.async {
            let records = self.state.copy.records
            let record = records.first { $0.bluetoothIdentifier == identifier }
            if let record { self.change(record.number) { $0.displayName = name } }
        }
    }

    /// Ends the app: its sessions report nothing more. Accessories stay.
    public func terminateApp() {
        state.withLock { $0.sessions = [] }
        queue.async { self.shownPicker?.disappear() }
    }
}

// The records, changed on the queue.
extension PhoneAccessories {
    /// Info.plist without the entry that a trap ignores.
    var effectivePlist: InfoPlist {
        let (plist, traps) = state.withLock { ($0.infoPlist, $0.traps) }
        var effective = plist
        if traps.contains(.needsKitSupportsKey) { effective.entries[InfoPlist.Key.supports] = nil }
        if traps.contains(.needsSupportsKey) { effective.entries[InfoPlist.Key.kitSupports] = nil }
        return effective
    }

    /// Restricts the app's managers to its accessories.
    func restrict() {
        guard effectivePlist.usesAccessories else {
            phone?.restrict(to: nil)
            return
        }
        let records = state.copy.records.filter { $0.state != .unauthorized }
        phone?.restrict(to: records.compactMap(\.bluetoothIdentifier))
    }

    /// Adds an accessory and returns it with its number.
    func add(_ record: (Int) -> AccessoryRecord) -> AccessoryRecord {
        let added = state.withLock { state in
            state.lastNumber += 1
            let added = record(state.lastNumber)
            state.records.append(added)
            return added
        }
        restrict()
        return added
    }

    /// Adds an accessory, and reports it.
    @discardableResult
    func addReporting(_ record: (Int) -> AccessoryRecord) -> AccessoryRecord {
        let added = add(record)
        report(ASAccessoryEvent(.accessoryAdded, ASAccessory(added)))
        return added
    }

    /// Changes an accessory, and reports it. Returns `false` if it does not exist.
    @discardableResult
    func change(_ number: Int, _ body: (inout AccessoryRecord) -> Void) -> Bool {
        let changed = state.withLock { state -> AccessoryRecord? in
            guard let index = state.records.firstIndex(where: { $0.number == number }) else {
                return nil
            }
            body(&state.records[index])
            return state.records[index]
        }
        guard let changed else { return false }
        restrict()
        report(ASAccessoryEvent(.accessoryChanged, ASAccessory(changed)))
        return true
    }

    /// Removes an accessory with its link, and reports it. Returns `false` if it does not exist.
    @discardableResult
    func remove(_ number: Int) -> Bool {
        let removed = state.withLock { state -> AccessoryRecord? in
            guard let index = state.records.firstIndex(where: { $0.number == number }) else {
                return nil
            }
            return state.records.remove(at: index)
        }
        guard var removed else { return false }
        restrict()
        removed.state = .unauthorized
        report(ASAccessoryEvent(.accessoryRemoved, ASAccessory(removed)))
        return true
    }

    /// Finds an accessory by its number.
    func record(_ number: Int) -> AccessoryRecord? {
        state.copy.records.first { $0.number == number }
    }

    /// Hands an event to all sessions of the app.
    func report(_ event: ASAccessoryEvent) {
        for session in state.copy.sessions.compactMap(\.session) { session.deliver(event) }
    }

    /// Adds a session of the app.
    func add(_ session: ASAccessorySession) {
        state.withLock { state in
            state.sessions.removeAll { $0.session == nil }
            state.sessions.append(WeakSession(session: session))
        }
    }

    /// The picker on the screen.
    var shownPicker: Picker? { picker.copy }

    func show(_ new: Picker) { picker.withLock { $0 = new } }

    func hide(_ old: Picker) {
        picker.withLock { shown in
            if shown === old { shown = nil }
        }
        state.withLock { $0.pickerNames = nil }
    }
}
