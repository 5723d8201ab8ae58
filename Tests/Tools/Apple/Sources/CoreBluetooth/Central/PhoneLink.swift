internal import Foundation
internal import HaloProtocol
internal import HaloTransport

/// A device that the phone has met, and the one link to it that all apps of the phone share. It
/// belongs to the queue of its ``PhoneSystem``.
final class PhoneLink: @unchecked Sendable {
    /// One manager that connects or is connected.
    struct Owner {
        let attempt: UInt64
        var isConnected = false
    }

    enum Phase {
        case idle
        /// The radio tries to connect.
        case opening(UInt64, BLECancellable?)
        /// The radio refused for now; the next attempt is scheduled.
        case waiting(UInt64, BLECancellable)
        case open(UInt64, any LinkDriver)
        /// The last owner has left; the radio still has to end the link.
        case closing(UInt64)
    }

    let identity: PeripheralIdentity
    var identifier: UUID
    var owners: [UInt64: Owner] = [:]
    /// `true` while the system itself wants the link.
    var isHeld = false
    var phase = Phase.idle

    var firstName: String?
    var advertisedName: String?
    /// The name of the GAP service.
    var ownName: String?
    var advertisedServices: [BluetoothUUID] = []

    /// The services found on this link.
    var table: [GATTService]?
    /// The services found on the first link.
    var firstTable: [GATTService]?
    var isDiscovering = false
    /// Functions that wait for ``table``.
    var waitingForTable: [@Sendable ([GATTService]) -> Void] = []
    var wasEmptyOnce = false
    var subscribers: [AttributeID: Set<UInt64>] = [:]
    /// Confirmations of subscriptions that are held back until a value has come.
    var heldConfirmations: [AttributeID: @Sendable () -> Void] = [:]
    /// The ends of cancelled links that are held back until the next link is open.
    var heldDisconnects: [PeripheralReference] = []

    init(_ identity: PeripheralIdentity, _ identifier: UUID) {
        self.identity = identity
        self.identifier = identifier
    }

    var isWanted: Bool { isHeld || !owners.isEmpty }

    /// The driver of the open link.
    var driver: (any LinkDriver)? {
        if case .open(_, let driver) = phase { driver } else { nil }
    }

    /// The number of the open link.
    var openNumber: UInt64? {
        if case .open(let number, _) = phase { number } else { nil }
    }

    var packetLength: Int {
        driver?.maximumWriteLength(for: .withoutResponse) ?? CBPeripheral.smallestPacket
    }

    /// Notes an advertised name.
    func heard(_ name: String?) {
        guard let name else { return }
        firstName = firstName ?? name
        advertisedName = name
    }

    /// The name that apps see.
    func name(_ traps: Set<Trap>) -> String? {
        traps.contains(.staleName)
            ? firstName ?? ownName ?? advertisedName : ownName ?? advertisedName
    }

    /// Forgets what belongs to the last link.
    func forget() {
        table = nil
        isDiscovering = false
        waitingForTable = []
        subscribers = [:]
        heldConfirmations = [:]
    }

    func reference(of manager: UInt64) -> PeripheralReference? {
        owners[manager].map {
            PeripheralReference(manager: manager, identifier: identifier, attempt: $0.attempt)
        }
    }

    /// The links of connected managers.
    var connectedReferences: [PeripheralReference] {
        owners.keys.sorted().filter { owners[$0]?.isConnected == true }
            .compactMap { reference(of: $0) }
    }
}
