/// Decides at which end of a connection the device is, where the log begins after the connection.
///
/// The device is the peripheral. Some packets are sent by one role only, and decide at once:
///
/// ```
/// peripheral:  L2CAP request for other connection parameters, security request, pairing response
/// central:     pairing request; the command of its host to encrypt
/// ```
///
/// Else the packets of the attribute protocol decide, as a device mostly is the server: its
/// notifications and the app's writes count more than reads, and reads more than discovery, which
/// both sides do. An exchange of the maximum transfer unit, which either side may begin, counts
/// for neither. An adapter that scans or connects is weak evidence of an app's host, and one that
/// advertises of a device.
///
/// Until the decision, the packets are held, up to a limit that decides by majority.
struct RoleEvidence: Sendable {
    struct Held: Sendable {
        var way: HCIDirection
        var position: FilePosition
        var bytes: ContiguousArray<UInt8>
    }

    static let mostPackets = 64
    /// The lead in points that decides: six notifications or writes without a contradiction.
    private static let decisiveLead = 24

    private var remotePoints = 0
    private var localPoints = 0
    /// The numbers of packets that speak for a device at either end.
    private var remoteCount = 0
    private var localCount = 0
    private var certain: DeviceRole?
    var held: ContiguousArray<Held> = []

    mutating func count(_ packet: Span<UInt8>, _ way: HCIDirection) {
        guard let opcode = packet.byte(at: 0).flatMap(ATTOpcode.init), opcode.roleWeight > 0 else {
            return
        }
        if opcode.isFromServer == (way == .toHost) {
            remotePoints += opcode.roleWeight
            remoteCount += 1
        } else {
            localPoints += opcode.roleWeight
            localCount += 1
        }
    }

    mutating func hint(_ role: DeviceRole) {
        if role == .local { localPoints += 1 } else { remotePoints += 1 }
    }

    /// Notes a packet that only one role sends. The first one counts.
    mutating func note(certain role: DeviceRole) {
        certain = certain ?? role
    }

    mutating func hold(_ packet: Span<UInt8>, _ way: HCIDirection, at position: FilePosition) {
        let bytes = packet.withUnsafeBufferPointer { ContiguousArray($0) }
        held.append(Held(way: way, position: position, bytes: bytes))
    }

    /// `true` if the evidence decides, or no further packet can be held.
    var isDecisive: Bool {
        certain != nil || abs(remotePoints - localPoints) >= Self.decisiveLead
            || held.count >= Self.mostPackets
    }

    /// The likelier role; without evidence, the recorder's host is the app's.
    var role: DeviceRole {
        certain ?? (localPoints > remotePoints ? .local : .remote)
    }

    func basis(of role: DeviceRole) -> RoleBasis {
        if certain == role { return .certain }
        if remoteCount + localCount == 0 { return .assumed }
        return role == .local
            ? .likely(supporting: localCount, contradicting: remoteCount)
            : .likely(supporting: remoteCount, contradicting: localCount)
    }
}

extension ATTOpcode {
    /// The weight of a packet as evidence that its sender is the server or the client; 0 for
    /// packets that both sides of a connection send alike.
    fileprivate var roleWeight: Int {
        switch rawValue {
        case 0x04...0x09, 0x10, 0x11: 1
        case 0x0A...0x0F, 0x20, 0x21: 2
        case 0x12, 0x13, 0x16...0x19, 0x1B, 0x1D, 0x1E, 0x23, 0x52, 0xD2: 4
        default: 0
        }
    }
}
