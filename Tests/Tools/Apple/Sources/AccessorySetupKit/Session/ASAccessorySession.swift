import CoreBluetooth
public import Foundation

/// A connection of the app to the accessories of the phone that was current at its creation.
///
/// Events are delivered on the queue of ``activate(on:eventHandler:)``, the first one with
/// ``ASAccessoryEventType/activated``. Completions are called on the same queue, after the events
/// of their request.
public final class ASAccessorySession: NSObject, @unchecked Sendable {
    private enum Phase {
        case created
        case activating
        case activated
        case invalidated
    }

    private struct State {
        var phase = Phase.created
        var queue: DispatchQueue?
        var handler: ((ASAccessoryEvent) -> Void)?
        var accessories: [ASAccessory] = []
        var settings: ASPickerDisplaySettings?
    }

    private let state = Guarded(State())
    private let phone: Phone
    private let world: PhoneAccessories

    /// Creates a session of the current phone.
    public override init() {
        phone = Phone.inForce
        world = phone.accessories
    }

    /// The accessories of the app, as of the latest event.
    public var accessories: [ASAccessory] { state.copy.accessories }

    /// The settings of the pickers, copied when set.
    public var pickerDisplaySettings: ASPickerDisplaySettings? {
        get { state.copy.settings?.duplicate }
        set { state.withLock { $0.settings = newValue?.duplicate } }
    }

    /// Begins the session. Without a declaration in Info.plist, the program ends.
    public func activate(
        on queue: DispatchQueue, eventHandler: @escaping (ASAccessoryEvent) -> Void
    ) {
        guard world.effectivePlist.usesAccessories else {
            phone.crash("Info.plist has no entry \(InfoPlist.Key.kitSupports)")
            return
        }
        let isFirst = state.withLock { state in
            guard state.phase == .created else { return false }
            state.phase = .activating
            state.queue = queue
            state.handler = eventHandler
            return true
        }
        guard isFirst else { return }
        world.queue.async { [weak self] in self?.finishActivation() }
    }

    private func finishActivation() {
        guard world.allowsActivation else {
            let isActivated = world.traps.contains(.failedActivationIsActivated)
            let type: ASAccessoryEventType = isActivated ? .activated : .invalidated
            deliver(ASAccessoryEvent(type, error: ASError(.activationFailed)))
            state.withLock { $0.phase = .invalidated }
            return
        }
        let isActive = state.withLock { state in
            guard state.phase == .activating else { return false }
            state.phase = .activated
            return true
        }
        guard isActive else { return }
        world.add(self)
        deliver(ASAccessoryEvent(.activated))
    }

    /// Ends the session: after ``ASAccessoryEventType/invalidated`` there are no events.
    public func invalidate() {
        deliver(ASAccessoryEvent(.invalidated))
        state.withLock { $0.phase = .invalidated }
        world.queue.async { [self] in
            guard let picker = world.shownPicker, picker.belongs(to: self) else { return }
            picker.disappear(ASError(.invalidated))
        }
    }

    /// Calls the handler on its queue. The list of accessories changes immediately before.
    func deliver(_ event: ASAccessoryEvent) {
        let (phase, queue) = state.withLock { ($0.phase, $0.queue) }
        guard phase != .invalidated, let queue else { return }
        let accessories = world.all
        queue.async { [self] in
            let handler = state.withLock { state in
                if state.phase == .activated { state.accessories = accessories }
                defer { if event.eventType == .invalidated { state.handler = nil } }
                return state.handler
            }
            handler?(event)
        }
    }

    /// Runs a request on the system's queue, and calls the completion on the session's.
    func request(
        _ completion: @escaping @Sendable ((any Error)?) -> Void,
        _ body: @escaping @Sendable (PhoneAccessories) -> ASError?
    ) {
        world.queue.async { [self] in
            complete(completion, unusable ?? body(world))
        }
    }

    private func complete(
        _ completion: @escaping @Sendable ((any Error)?) -> Void, _ error: ASError?
    ) {
        (state.copy.queue ?? .global()).async { completion(error) }
    }

    /// The error of requests in the current phase; a session that is not active yet has no error of
    /// its own in the documentation.
    private var unusable: ASError? {
        switch state.copy.phase {
        case .activated: nil
        case .invalidated: ASError(.invalidated)
        case .created, .activating: ASError(.invalidRequest)
        }
    }

    /// Shows a picker for kinds of accessories. The completion is called when it has disappeared.
    public func showPicker(
        for displayItems: [ASPickerDisplayItem],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        world.queue.async { [self] in
            if let error = unusable ?? refusal(of: displayItems) {
                complete(completionHandler, error)
                return
            }
            if world.traps.contains(.neverAppears) { return complete(completionHandler, nil) }
            let picker = Picker(self, on: phone, of: world, items: displayItems) { [self] error in
                complete(completionHandler, error)
            }
            if world.traps.contains(.migratesWithoutPicker) {
                picker.migrate()
            } else {
                picker.appear()
            }
        }
    }

    /// Shows a picker for the app's extension for discovery, which this phone never has.
    public func showPicker(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        request(completionHandler) { _ in ASError(.extensionNotFound) }
    }

    /// The reason not to show a picker.
    private func refusal(of items: [ASPickerDisplayItem]) -> ASError? {
        guard world.shownPicker == nil else { return ASError(.pickerAlreadyActive) }
        guard !world.isPickerRestricted else { return ASError(.pickerRestricted) }
        guard world.allowsNewAccessories else { return ASError(.userRestricted) }
        let kinds = items.filter { !($0 is ASMigrationDisplayItem) }
        let all = items.map { $0.descriptor.snapshot }
        if all.contains(where: { $0.ssid != nil && $0.ssidPrefix != nil }) {
            phone.crash("A descriptor has both ssid and ssidPrefix")
            return ASError(.invalidRequest)
        }
        guard !items.isEmpty, kinds.allSatisfy({ $0.descriptor.snapshot.isValid }) else {
            return ASError(.invalidRequest)
        }
        if kinds.count < items.count, phone.hasCentralManager { return ASError(.invalidRequest) }
        guard !world.traps.contains(.mismatchFindsNothing) else { return nil }
        let missing = kinds.flatMap {
            $0.descriptor.snapshot.missing(in: world.effectivePlist)
        }
        guard !missing.isEmpty else { return nil }
        phone.crash("Info.plist does not list \(missing.joined(separator: ", "))")
        return ASError(.invalidRequest)
    }
}

// Changes of accessories.
extension ASAccessorySession {
    /// Finishes the authorisation of an accessory that awaits it.
    public func finishAuthorization(
        for accessory: ASAccessory, settings: ASAccessorySettings,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        request(completionHandler) { world in
            let isDone = world.shownPicker?.authorize(accessory.record.number, settings)
            return isDone == true ? nil : ASError(.invalidRequest)
        }
    }

    /// Refuses an accessory that awaits its authorisation.
    public func failAuthorization(
        for accessory: ASAccessory,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        request(completionHandler) { world in
            let isDone = world.shownPicker?.refuse(accessory.record.number)
            return isDone == true ? nil : ASError(.invalidRequest)
        }
    }

    /// Removes an accessory from the app, with its bond.
    public func removeAccessory(
        _ accessory: ASAccessory, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        request(completionHandler) { world in
            world.remove(accessory.record.number) ? nil : ASError(.invalidRequest)
        }
    }

    /// Lets the person rename an accessory.
    public func renameAccessory(
        _ accessory: ASAccessory, options renameOptions: ASAccessory.RenameOptions = [],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        request(completionHandler) { world in
            let number = accessory.record.number
            guard world.record(number) != nil else { return ASError(.invalidRequest) }
            guard let name = world.user.newName else { return ASError(.userCancelled) }
            world.change(number) { record in
                record.displayName = name
                if renameOptions.contains(.ssid) { record.ssid = name }
            }
            return nil
        }
    }

    /// Replaces the descriptor of an accessory, if the person agrees.
    public func updateAuthorization(
        for accessory: ASAccessory, descriptor: ASDiscoveryDescriptor,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        request(completionHandler) { world in
            guard descriptor.snapshot.isValid else { return ASError(.invalidRequest) }
            guard world.user.choice != .cancel else { return ASError(.userCancelled) }
            let isDone = world.change(accessory.record.number) { $0.descriptor = descriptor }
            return isDone ? nil : ASError(.invalidRequest)
        }
    }

    /// Shows accessories that the app has let through its filter.
    public func updatePicker(
        showing displayItems: [ASDiscoveredDisplayItem],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        request(completionHandler) { [self] world in
            guard let picker = world.shownPicker, picker.belongs(to: self) else {
                return ASError(.invalidRequest)
            }
            return picker.update(displayItems)
        }
    }

    /// Ends the discovery of a picker whose accessories the app filters.
    public func finishPickerDiscovery(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        request(completionHandler) { [self] world in
            guard let picker = world.shownPicker, picker.belongs(to: self) else {
                return ASError(.invalidRequest)
            }
            return picker.finishDiscovery()
        }
    }
}
