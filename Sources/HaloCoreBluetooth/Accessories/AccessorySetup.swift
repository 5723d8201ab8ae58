#if canImport(AccessorySetupKit) && !os(macOS)
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
@available(iOS 18, *)
public final class AccessorySetup: Sendable {
    private enum Phase: Sendable {
        case created
        case activating([@Sendable (Result<Void, AccessoryError>) -> Void])
        case active
        case ended(AccessoryError)
    }

    /// The call that shows the picker.
    ///
    /// It ends when the picker is gone and the system has completed the request, which come in any
    /// order; at an error before the picker is shown; and a second after the picker is gone.
    private struct Picking: Sendable {
        let finish: @Sendable (Result<Accessory?, AccessoryError>) -> Void
        let isMigration: Bool
        var isShown = false
        var isGone = false
        var isComplete = false
        var picked: Accessory?
        var failure: AccessoryError?

        var isOver: Bool {
            if isGone { return isComplete }
            return isComplete && !isShown && (isMigration || failure != nil)
        }

        var result: Result<Accessory?, AccessoryError> {
            if let picked { return .success(picked) }
            return failure.map { .failure($0) } ?? .success(nil)
        }
    }

    private struct State: Sendable {
        var phase = Phase.created
        var picking: Picking?
    }

    private static let completionLimit = DispatchTimeInterval.seconds(1)

    /// The events, from the creation on. The last 64 are buffered.
    public let events: AsyncStream<AccessoryEvent>

    private let session = ASAccessorySession()
    private let state = Guarded(State())
    private let report: AsyncStream<AccessoryEvent>.Continuation
    private let queue = DispatchQueue(label: "HaloCoreBluetooth.accessories")

    /// Creates a session that is not active.
    public init() {
        (events, report) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    deinit {
        session.invalidate()
        report.finish()
    }

    /// Begins the session, and returns when the accessories are known.
    ///
    /// The system ends an app whose `Info.plist` does not declare what it needs:
    /// ``AccessoryDeclaration/propertyList(for:)``.
    public func activate() async throws(AccessoryError) {
        let result: Result<Void, AccessoryError> = await withCheckedContinuation { continuation in
            let resume: @Sendable (Result<Void, AccessoryError>) -> Void = {
                continuation.resume(returning: $0)
            }
            let (isFirst, known) = state.withLock {
                state -> (Bool, Result<Void, AccessoryError>?) in
                switch state.phase {
                case .created:
                    state.phase = .activating([resume])
                    return (true, nil)
                case .activating(let waiting):
                    state.phase = .activating(waiting + [resume])
                    return (false, nil)
                case .active: return (false, .success(()))
                case .ended(let error): return (false, .failure(error))
                }
            }
            if let known { resume(known) }
            guard isFirst else { return }
            session.activate(on: queue) { [weak self] event in self?.handle(event) }
        }
        try result.get()
    }

    /// The accessories of the app.
    public var accessories: [Accessory] { session.accessories.compactMap { Accessory($0) } }

    /// Shows the picker, and returns the device that the user has chosen, after the picker is gone.
    public func pick(_ kinds: [AccessoryKind]) async throws(AccessoryError) -> Accessory {
        let items = kinds.flatMap { kind in
            kind.descriptors.map {
                ASPickerDisplayItem(name: kind.name, productImage: kind.image, descriptor: $0)
            }
        }
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
        _ = try await show(items, isMigration: true)
    }

    /// Removes an accessory from the app, with its bond. Its links end.
    public func remove(_ accessory: Accessory) async throws(AccessoryError) {
        let known = session.accessories.first {
            $0.bluetoothIdentifier == accessory.identity.system
        }
        guard let known else { throw AccessoryError(.notFound) }
        let error: (any Error)? = await withCheckedContinuation { continuation in
            session.removeAccessory(known) { continuation.resume(returning: $0) }
        }
        if let error { throw AccessoryError(error) }
    }

    private func show(
        _ items: [ASPickerDisplayItem], isMigration: Bool = false
    ) async throws(AccessoryError) -> Accessory? {
        let result: Result<Accessory?, AccessoryError> = await withCheckedContinuation {
            continuation in
            let refusal: AccessoryError? = state.withLock { state in
                guard case .active = state.phase else { return AccessoryError(.notActive) }
                guard state.picking == nil else { return AccessoryError(.alreadyShown) }
                state.picking = Picking(
                    finish: { continuation.resume(returning: $0) }, isMigration: isMigration)
                return nil
            }
            if let refusal { return continuation.resume(returning: .failure(refusal)) }
            session.showPicker(for: items) { [weak self] error in
                self?.change { picking in
                    picking.isComplete = true
                    picking.failure = picking.failure ?? error.map { AccessoryError($0) }
                }
            }
        }
        return try result.get()
    }

    /// Changes the call that shows the picker, if there is one, and ends it when it is over.
    private func change(_ body: (inout Picking) -> Void) {
        let over = state.withLock { state -> Picking? in
            guard var picking = state.picking else { return nil }
            body(&picking)
            state.picking = picking.isOver ? nil : picking
            return picking.isOver ? picking : nil
        }
        if let over { over.finish(over.result) }
    }

    private func handle(_ event: ASAccessoryEvent) {
        let accessory = event.accessory.flatMap { Accessory($0) }
        let error = event.error.map { AccessoryError($0) }
        switch event.eventType {
        case .activated: activated(error)
        case .invalidated:
            activated(error ?? AccessoryError(.notActive))
            change { picking in
                picking.failure = picking.failure ?? AccessoryError(.notActive)
                (picking.isComplete, picking.isGone) = (true, true)
            }
            report.yield(.invalidated)
        case .migrationComplete: report.yield(.migrated)
        case .accessoryAdded:
            guard let accessory else { return }
            change { $0.picked = accessory }
            report.yield(.added(accessory))
        case .accessoryRemoved: if let accessory { report.yield(.removed(accessory)) }
        case .accessoryChanged: if let accessory { report.yield(.changed(accessory)) }
        case .pickerDidPresent:
            change { $0.isShown = true }
            report.yield(.pickerShown)
        case .pickerDidDismiss:
            report.yield(.pickerGone)
            change { picking in
                picking.isGone = true
                picking.failure = picking.failure ?? error
            }
            queue.asyncAfter(deadline: .now() + Self.completionLimit) { [weak self] in
                self?.change { if $0.isGone { $0.isComplete = true } }
            }
        case .pickerSetupFailed:
            change { $0.failure = error ?? AccessoryError(.setupFailed) }
        default: break
        }
    }

    /// Ends the waits for the activation, or the session if it is active.
    private func activated(_ error: AccessoryError?) {
        let waiting = state.withLock {
            state -> [@Sendable (Result<Void, AccessoryError>) -> Void] in
            let before = state.phase
            if case .ended = before { return [] }
            state.phase = error.map { .ended($0) } ?? .active
            if case .activating(let waiting) = before { return waiting }
            return []
        }
        for finish in waiting { finish(error.map { .failure($0) } ?? .success(())) }
    }
}

@available(iOS 18, *)
extension AccessoryError {
    /// Converts an error of the system.
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
