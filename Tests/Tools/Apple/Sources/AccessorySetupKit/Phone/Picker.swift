import Foundation

/// One picker on the screen, from its appearance to its end. All its functions run on the queue of
/// the phone's accessories.
///
/// 1. The picker appears, and scans.
/// 2. Each device that fits an item is shown. With the option for it, the app is told of the device
///    instead, and decides what is shown.
/// 3. The person chooses. Then the set-up reports its steps: pairing, bridging, the name. An item
///    that wants it waits for the app's authorisation first.
/// 4. The accessory is added, then the picker disappears, then the completion is called.
final class Picker: @unchecked Sendable {
    /// An accessory on the screen.
    private struct Candidate {
        let identifier: UUID
        let item: ASPickerDisplayItem
    }

    private enum Phase {
        case searching
        /// The app decides about the accessory with this number.
        case confirming(Int, Candidate)
        case ended
    }

    private let world: PhoneAccessories
    private let phone: any AccessoryHost
    private weak var session: ASAccessorySession?
    private let items: [ASPickerDisplayItem]
    private let settings: ASPickerDisplaySettings
    private var completion: (@Sendable (ASError?) -> Void)?
    private var phase = Phase.searching
    private var found: [UUID: Sighting] = [:]
    private var discovered: [UUID: ASDiscoveredAccessory] = [:]
    private var shown: [Candidate] = []
    private var stopScan: (@Sendable () -> Void)?
    private var stopTimer: (@Sendable () -> Void)?

    init(
        _ session: ASAccessorySession, on phone: any AccessoryHost, of world: PhoneAccessories,
        items: [ASPickerDisplayItem], completion: @escaping @Sendable (ASError?) -> Void
    ) {
        self.session = session
        self.phone = phone
        self.world = world
        self.items = items
        self.completion = completion
        settings = session.pickerDisplaySettings ?? .default
    }

    private var migrations: [ASMigrationDisplayItem] {
        items.compactMap { $0 as? ASMigrationDisplayItem }
    }

    private var kinds: [ASPickerDisplayItem] { items.filter { !($0 is ASMigrationDisplayItem) } }

    private var appFilters: Bool { settings.options.contains(.filterDiscoveryResults) }

    /// Presents the picker.
    func appear() {
        world.show(self)
        tell(.pickerDidPresent)
        if world.traps.contains(.completesWhenPresented) { complete(nil) }
        showNames()
        guard !kinds.isEmpty else {
            askUserAboutMigration()
            return
        }
        stopScan = phone.startPicking { [weak self] sighting in
            guard let self else { return }
            world.queue.async { self.receive(sighting) }
        }
        let timeout = settings.discoveryTimeout.rawValue
        if timeout.isFinite {
            stopTimer = phone.after(seconds: timeout) { [weak self] in
                guard let self else { return }
                world.queue.async { self.searchTimedOut() }
            }
        }
        askUser()
    }

    private func receive(_ sighting: Sighting) {
        guard case .searching = phase else { return }
        var merged = found[sighting.identifier] ?? sighting
        merged.merge(sighting)
        found[sighting.identifier] = merged
        guard !isKnown(sighting.identifier), let item = item(for: merged) else { return }
        if appFilters {
            discover(merged, item)
        } else {
            show([Candidate(identifier: merged.identifier, item: item)])
        }
    }

    /// Finds the item of a device. What Info.plist does not list finds nothing: without the trap,
    /// such a picker does not appear.
    private func item(for sighting: Sighting) -> ASPickerDisplayItem? {
        let plist = world.effectivePlist
        return kinds.first { item in
            let conditions = item.descriptor.snapshot
            return conditions.missing(in: plist).isEmpty && conditions.match(sighting)
        }
    }

    /// `true` for a device that is shown or an accessory already.
    private func isKnown(_ identifier: UUID) -> Bool {
        shown.contains { $0.identifier == identifier }
            || world.state.copy.records.contains { $0.bluetoothIdentifier == identifier }
    }

    private func show(_ candidates: [Candidate]) {
        let limit = world.traps.contains(.showsOnlyThree) ? 3 : Int.max
        shown += candidates.prefix(max(0, limit - shown.count))
        showNames()
        askUser()
    }

    private func showNames() {
        let names = shown.map(\.item.name)
        world.state.withLock { $0.pickerNames = names }
    }

    private func discover(_ sighting: Sighting, _ item: ASPickerDisplayItem) {
        guard discovered[sighting.identifier] == nil else { return }
        let record = AccessoryRecord(
            number: -1, state: .unauthorized, bluetoothIdentifier: sighting.identifier,
            displayName: item.name, descriptor: item.descriptor)
        let accessory = ASDiscoveredAccessory(
            record, advertisement: sighting.advertisement, rssi: sighting.rssi)
        discovered[sighting.identifier] = accessory
        tell(.accessoryDiscovered, accessory)
    }

    /// Shows the accessories that the app has let through.
    func update(_ items: [ASDiscoveredDisplayItem]) -> ASError? {
        guard case .searching = phase, appFilters else { return ASError(.invalidRequest) }
        let candidates = items.compactMap { item -> Candidate? in
            guard let identifier = item.accessory.bluetoothIdentifier, !isKnown(identifier),
                discovered[identifier] != nil
            else { return nil }
            return Candidate(identifier: identifier, item: item)
        }
        show(candidates)
        return nil
    }

    /// Ends the search at the app's wish.
    func finishDiscovery() -> ASError? {
        guard case .searching = phase, appFilters else { return ASError(.invalidRequest) }
        searchTimedOut()
        return nil
    }

    /// Ends the search. An empty picker shows its error, and the person closes it.
    private func searchTimedOut() {
        guard case .searching = phase else { return }
        endSearch()
        if shown.isEmpty { disappear(ASError(.discoveryTimeout)) }
    }

    private func endSearch() {
        stopScan?()
        stopTimer?()
        stopScan = nil
        stopTimer = nil
    }
}

// The person and the set-up.
extension Picker {
    /// Lets the person tap, if there is something to tap on.
    func askUser() {
        guard case .searching = phase, !kinds.isEmpty else {
            if case .searching = phase { askUserAboutMigration() }
            return
        }
        switch world.user.choice {
        case .choose(let index):
            if shown.indices.contains(index) { setUp(shown[index]) }
        case .chooseNamed(let name):
            if let candidate = shown.first(where: { found[$0.identifier]?.name == name }) {
                setUp(candidate)
            }
        case .failPairing(let index):
            if shown.indices.contains(index) { failPairing(shown[index]) }
        case .cancel: disappear(ASError(.userCancelled))
        case .wait: break
        }
    }

    /// A picker with nothing but migration items is a page with one button.
    private func askUserAboutMigration() {
        switch world.user.choice {
        case .choose, .chooseNamed:
            migrate()
            disappear()
        case .failPairing, .cancel: disappear(ASError(.userCancelled))
        case .wait: break
        }
    }

    /// Makes accessories of the devices of before.
    func migrate() {
        for item in migrations {
            _ = world.add { number in
                AccessoryRecord(
                    number: number, bluetoothIdentifier: item.peripheralIdentifier,
                    displayName: item.name, ssid: item.hotspotSSID, descriptor: item.descriptor,
                    wifiAwarePairedDeviceID: item.wifiAwarePairedDeviceID)
            }
        }
        tell(.migrationComplete)
    }

    private func newRecord(
        _ candidate: Candidate, _ state: ASAccessory.AccessoryState
    ) -> (Int) -> AccessoryRecord {
        { number in
            AccessoryRecord(
                number: number, state: state, bluetoothIdentifier: candidate.identifier,
                displayName: candidate.item.name, descriptor: candidate.item.descriptor)
        }
    }

    private func setUp(_ candidate: Candidate) {
        endSearch()
        if let sighting = found[candidate.identifier] { phone.remember(sighting) }
        if candidate.item.setupOptions.contains(.confirmAuthorization) {
            let added = world.add(newRecord(candidate, .awaitingAuthorization))
            phase = .confirming(added.number, candidate)
            world.report(ASAccessoryEvent(.accessoryAdded, ASAccessory(added)))
        } else {
            tellSteps(of: candidate)
            let name = typedName(for: candidate)
            let record = newRecord(candidate, .authorized)
            world.addReporting { number in
                var record = record(number)
                record.displayName = name
                return record
            }
            finish()
        }
    }

    private func finish() {
        if !migrations.isEmpty { migrate() }
        disappear()
    }

    private func tellSteps(of candidate: Candidate) {
        let supported = candidate.item.descriptor.supportedOptions
        if supported.contains(.bluetoothPairingLE) { tell(.pickerSetupPairing) }
        if supported.contains(.bluetoothTransportBridging) { tell(.pickerSetupBridging) }
    }

    /// Asks for a name, if the item wants it.
    private func typedName(for candidate: Candidate) -> String {
        guard candidate.item.setupOptions.contains(.rename) else { return candidate.item.name }
        tell(.pickerSetupRename)
        return world.user.newName ?? candidate.item.name
    }

    private func failPairing(_ candidate: Candidate) {
        endSearch()
        if let sighting = found[candidate.identifier] { phone.remember(sighting) }
        tell(.pickerSetupPairing)
        if world.traps.contains(.staysAfterFailedPairing) {
            world.addReporting(newRecord(candidate, .authorized))
        }
        let error = ASError(.connectionFailed)
        tell(.pickerSetupFailed, error: error)
        disappear(error)
    }

    /// Goes on after the app's authorisation. Returns `false` if the picker does not wait for it.
    func authorize(_ number: Int, _ settings: ASAccessorySettings) -> Bool {
        guard case .confirming(number, let candidate) = phase else { return false }
        tellSteps(of: candidate)
        let name = typedName(for: candidate)
        world.change(number) { record in
            record.state = .authorized
            record.displayName = name
            record.ssid = settings.ssid ?? record.ssid
            record.bridgingIdentifier = settings.bluetoothTransportBridgingIdentifier
        }
        finish()
        return true
    }

    /// Ends the set-up at the app's wish. Returns `false` if the picker does not wait for it.
    func refuse(_ number: Int) -> Bool {
        guard case .confirming(number, _) = phase else { return false }
        world.remove(number)
        let error = ASError(.connectionFailed)
        tell(.pickerSetupFailed, error: error)
        disappear(error)
        return true
    }

    /// Takes the picker from the screen.
    func disappear(_ error: ASError? = nil) {
        if case .ended = phase { return }
        if case .confirming(let number, _) = phase, world.record(number)?.state != .authorized {
            world.remove(number)
        }
        phase = .ended
        endSearch()
        world.hide(self)
        if world.traps.contains(.completesBeforeDismissal) { complete(error) }
        if !world.traps.contains(.neverDismisses) { tell(.pickerDidDismiss) }
        complete(error)
    }

    /// `true` for the picker of a session.
    func belongs(to session: ASAccessorySession) -> Bool { self.session === session }

    private func complete(_ error: ASError?) {
        if world.traps.contains(.neverCompletes) { return }
        completion?(error)
        completion = nil
    }

    private func tell(
        _ type: ASAccessoryEventType, _ accessory: ASAccessory? = nil, error: ASError? = nil
    ) {
        session?.deliver(ASAccessoryEvent(type, accessory, error: error))
    }
}
