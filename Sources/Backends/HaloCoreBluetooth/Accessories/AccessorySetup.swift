#if canImport(AccessorySetupKit) && (os(iOS) || os(Linux)) && !targetEnvironment(macCatalyst)
internal import AccessorySetupKit
internal import Dispatch
internal import Foundation
public import HaloTransport

/// The system's picker for accessories, and the accessories of the app: AccessorySetupKit.
///
///     let setup = AccessorySetup()
///     try await setup.activate()
///     let known = setup.accessories.first
///     let accessory = if let known { known } else { try await setup.pick([.rings(image: image)]) }
///     let ring = try await Ring.connect(to: accessory.identity, over: bluetooth)
///
/// The user is not asked for the permission to use Bluetooth. The app reaches its accessories only,
/// and Bluetooth is off for it as long as it has none.
public final class AccessorySetup: Sendable {
    private enum Phase: Sendable {
        case created
        case activating([Reply<Result<Void, AccessoryError>>])
        case active
        case ended(AccessoryError)
    }

    /// The call that shows the picker.
    ///
    /// The system dismisses the picker and completes the request in any order. The call ends
    ///
    /// - when both have happened;
    /// - a second after the picker was dismissed, or after a failure of the request;
    /// - ten seconds after the request was completed, if no picker was shown;
    /// - at a failure of the request before the picker was shown, or at the end of a migration
    ///   without a picker.
    private struct Picking: Sendable {
        let reply: Reply<Result<Accessory?, AccessoryError>>
        let number: UInt64
        var isShown = false
        var isDismissed = false
        var isComplete = false
        var picked: Accessory?
        var failure: AccessoryError?

        var isOver: Bool { isComplete && (isDismissed || failure != nil && !isShown) }

        var result: Result<Accessory?, AccessoryError> {
            if let picked { return .success(picked) }
            return failure.map { .failure($0) } ?? .success(nil)
        }
    }

    private struct State: Sendable {
        var phase = Phase.created
        var picking: Picking?
        var observers: [AsyncStream<AccessoryEvent>.Continuation] = []
        var last: UInt64 = 0
    }

    static let completionLimit = DispatchTimeInterval.seconds(1)
    static let presentationLimit = DispatchTimeInterval.seconds(10)

    private let session = ASAccessorySession()
    private let state = Guarded(State())
    private let queue = DispatchQueue(label: "HaloCoreBluetooth.accessories")

    /// Creates a session that is not active.
    public init() {}

    deinit {
        session.invalidate()
        for observer in state.withLock(\.observers) { observer.finish() }
    }

    /// The events from now on, of which the last 64 are buffered. Each call begins a sequence of
    /// its own; it ends with its loop.
    public func events() -> AsyncStream<AccessoryEvent> {
        let (events, observer) = AsyncStream.makeStream(
            of: AccessoryEvent.self, bufferingPolicy: .bufferingNewest(64))
        state.withLock { $0.observers.append(observer) }
        return events
    }

    private func report(_ event: AccessoryEvent) {
        state.withLock { state in
            // The observers of loops that have ended are dropped.
            state.observers.removeAll { observer in
                if case .terminated = observer.yield(event) { true } else { false }
            }
        }
    }

    /// Begins the session, and returns when the accessories are known. Further calls wait for the
    /// same; after the end of the session they throw, and only a new ``AccessorySetup`` helps.
    ///
    /// The system ends an app whose `Info.plist` does not declare what it needs:
    /// ``AccessoryDeclaration/propertyList(for:)``.
    public func activate() async throws(AccessoryError) {
        let reply = Reply<Result<Void, AccessoryError>>()
        let isFirst = state.withLock { state in
            switch state.phase {
            case .created:
                state.phase = .activating([reply])
                return true
            case .activating(let waiting): state.phase = .activating(waiting + [reply])
            case .active: reply.send(.success(()))
            case .ended(let error): reply.send(.failure(error))
            }
            return false
        }
        if isFirst { session.activate(on: queue) { [weak self] event in self?.receive(event) } }
        try await reply.value(ifCancelled: .failure(AccessoryError(.cancelled))).get()
    }

    /// The accessories of the app.
    public var accessories: [Accessory] { session.accessories.compactMap { Accessory($0) } }

    /// Shows the picker, and returns the device that the user has chosen, after the picker was
    /// dismissed.
    ///
    /// An app cannot dismiss the picker: if the task is cancelled, the picker stays, and a device
    /// that is chosen then is reported by ``events()``.
    public func pick(_ kinds: [AccessoryKind]) async throws(AccessoryError) -> Accessory {
        let items = kinds.flatMap { kind in
            kind.descriptors.map {
                ASPickerDisplayItem(name: kind.name, productImage: kind.image, descriptor: $0)
            }
        }
        if items.isEmpty { throw AccessoryError(.invalid) }
        guard let accessory = try await show(items) else { throw AccessoryError(.cancelled) }
        return accessory
    }

    /// Makes accessories of devices that the app knew before it used this picker.
    ///
    /// Call it before a transport is used: the system refuses it once an app uses Bluetooth.
    public func migrate(
        _ identities: [PeripheralIdentity], as kind: AccessoryKind
    ) async throws(AccessoryError) {
        guard let descriptor = kind.descriptors.first else { throw AccessoryError(.invalid) }
        let items = identities.compactMap(\.system).map { identifier in
            let item = ASMigrationDisplayItem(
                name: kind.name, productImage: kind.image, descriptor: descriptor)
            item.peripheralIdentifier = identifier
            return item
        }
        if items.isEmpty { return }
        _ = try await show(items)
    }

    /// Removes an accessory from the app, with its bond. Its links end.
    public func remove(_ accessory: Accessory) async throws(AccessoryError) {
        let known = session.accessories.first {
            $0.bluetoothIdentifier == accessory.identity.system
        }
        guard let known else { throw AccessoryError(.notFound) }
        let reply = Reply<AccessoryError?>()
        session.removeAccessory(known) { reply.send($0.map { AccessoryError($0) }) }
        if let error = await reply.value(ifCancelled: AccessoryError(.cancelled)) { throw error }
    }

    private func show(
        _ items: [ASPickerDisplayItem]
    ) async throws(AccessoryError) -> Accessory? {
        let reply = Reply<Result<Accessory?, AccessoryError>>()
        let begun: Result<UInt64, AccessoryError> = state.withLock { state in
            guard case .active = state.phase else { return .failure(AccessoryError(.notActive)) }
            guard state.picking == nil else { return .failure(AccessoryError(.alreadyShown)) }
            state.last += 1
            state.picking = Picking(reply: reply, number: state.last)
            return .success(state.last)
        }
        let number = try begun.get()
        session.showPicker(for: items) { [weak self] error in
            self?.completed(number, error.map { AccessoryError($0) })
        }
        return try await reply.value(ifCancelled: .failure(AccessoryError(.cancelled))).get()
    }

    private func completed(_ number: UInt64, _ error: AccessoryError?) {
        change(number) { picking in
            picking.isComplete = true
            picking.failure = picking.failure ?? error
        }
        if error != nil { change(number, after: Self.completionLimit) { $0.isDismissed = true } }
        change(number, after: Self.presentationLimit) { picking in
            if !picking.isShown { picking.isDismissed = true }
        }
    }

    /// Changes the call that shows the picker, if it is there, and ends it when it is over.
    ///
    /// - Parameter number: The number of the call; `nil` for any.
    private func change(_ number: UInt64? = nil, _ body: (inout Picking) -> Void) {
        let over = state.withLock { state -> Picking? in
            guard var picking = state.picking, number == nil || picking.number == number else {
                return nil
            }
            body(&picking)
            state.picking = picking.isOver ? nil : picking
            return picking.isOver ? picking : nil
        }
        if let over { over.reply.send(over.result) }
    }

    private func change(
        _ number: UInt64?, after delay: DispatchTimeInterval,
        _ body: @escaping @Sendable (inout Picking) -> Void
    ) {
        queue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.change(number, body) }
    }

    private func receive(_ event: ASAccessoryEvent) {
        let accessory = event.accessory.flatMap { Accessory($0) }
        let error = event.error.map { AccessoryError($0) }
        switch event.eventType {
        case .activated: activated(error)
        case .invalidated:
            activated(error ?? AccessoryError(.notActive))
            change { picking in
                picking.failure = picking.failure ?? AccessoryError(.notActive)
                (picking.isComplete, picking.isDismissed) = (true, true)
            }
            report(.invalidated)
        case .migrationComplete:
            change { picking in
                if !picking.isShown { (picking.isComplete, picking.isDismissed) = (true, true) }
            }
            report(.migrated)
        case .accessoryAdded:
            guard let accessory else { return }
            change { $0.picked = accessory }
            report(.added(accessory))
        case .accessoryRemoved: if let accessory { report(.removed(accessory)) }
        case .accessoryChanged: if let accessory { report(.changed(accessory)) }
        case .pickerDidPresent:
            change { $0.isShown = true }
            report(.pickerShown)
        case .pickerDidDismiss:
            report(.pickerDismissed)
            change { picking in
                picking.isDismissed = true
                picking.failure = picking.failure ?? error
            }
            let number = state.withLock { $0.picking?.number }
            if let number { change(number, after: Self.completionLimit) { $0.isComplete = true } }
        case .pickerSetupFailed:
            change { $0.failure = error ?? AccessoryError(.setupFailed) }
        default: break
        }
    }

    /// Ends the waits for the activation, or the session if it is active.
    private func activated(_ error: AccessoryError?) {
        let waiting = state.withLock { state -> [Reply<Result<Void, AccessoryError>>] in
            let before = state.phase
            if case .ended = before { return [] }
            state.phase = error.map { .ended($0) } ?? .active
            if case .activating(let waiting) = before { return waiting }
            return []
        }
        for reply in waiting { reply.send(error.map { .failure($0) } ?? .success(())) }
    }
}

extension AccessoryError {
    init(_ error: any Error) {
        let details = SystemError(error).details
        let code = (error as NSError).domain == ASErrorDomain ? (error as NSError).code : nil
        let kind: Kind =
            switch code.flatMap({ ASError.Code(rawValue: $0) }) {
            case .userCancelled: .cancelled
            case .activationFailed, .invalidated: .notActive
            case .pickerAlreadyActive: .alreadyShown
            case .pickerRestricted: .notAllowedNow
            case .discoveryTimeout: .notFound
            case .userRestricted: .restricted
            case .invalidRequest, .extensionNotFound: .invalid
            case .connectionFailed: .setupFailed
            default: .system
            }
        self.init(kind, details: details)
    }
}
#endif
