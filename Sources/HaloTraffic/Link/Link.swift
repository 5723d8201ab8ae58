import HaloProtocol

/// One connection: what is known of it, and the packets that are not whole yet.
struct Link<Attributes: AttributeFollower>: Sendable {
    /// Under which the records name it.
    let key: LinkKey
    var kind: LinkKind
    /// Its number for those who are told; only a followed low energy link has one.
    var number = noConnection
    /// Which end the recorder sat at.
    var role: DeviceRole
    /// Which way leads to the device; in the air, the central takes the host's part.
    var wayToDevice: HCIDirection?
    var isEncrypted = false
    /// Whether it was said that attributes go where nobody follows them.
    var hasOtherBearer = false
    /// What goes to the controller.
    var outward = L2CAPAssembly()
    /// What goes to the host.
    var inward = L2CAPAssembly()
    /// Attributes on the fixed channel.
    var attributes = Attributes()
    /// Attributes on channels of their own.
    var bearers = BearerTable<Attributes>()
    /// What only a link in the air has.
    var radio = RadioState()

    init(_ key: LinkKey, _ kind: LinkKind, _ role: DeviceRole) {
        self.key = key
        self.kind = kind
        self.role = role
        wayToDevice =
            switch role {
            case .remote, .overheard: .toController
            case .local: .toHost
            case .unknown: nil
            }
    }

    /// There are bearers now: their packets are kept until they are whole.
    mutating func followsDynamicChannels() {
        outward.followsDynamic = !bearers.bearers.isEmpty
        inward.followsDynamic = !bearers.bearers.isEmpty
    }

    /// The direction of a packet of the attribute protocol.
    ///
    /// Where nobody has said who is who, the first packet whose opcode only one side can send
    /// decides, for good; until then the host is taken for the app's. A device that begins by
    /// asking for the app's own attributes is mistaken for the app.
    @inline(__always)
    mutating func direction(_ packet: Span<UInt8>, _ way: HCIDirection) -> Direction {
        if let wayToDevice { return way == wayToDevice ? .toDevice : .fromDevice }
        guard let opcode = packet.byte(at: 0).flatMap(ATTOpcode.init) else {
            return way == .toController ? .toDevice : .fromDevice
        }
        wayToDevice = opcode.isFromServer ? way.opposite : way
        return opcode.isFromServer ? .fromDevice : .toDevice
    }
}

extension HCIDirection {
    /// The other way.
    var opposite: HCIDirection {
        switch self {
        case .toController: .toHost
        case .toHost: .toController
        }
    }
}

/// Under which the records of a file name a connection while it stands.
struct LinkKey: Hashable, Sendable {
    private let value: UInt64

    /// A connection of an adapter.
    @inline(__always) init(adapter: UInt16, handle: UInt16) {
        value = UInt64(adapter) << 16 | UInt64(handle)
    }

    /// A connection in the air.
    init(accessAddress: UInt32) {
        value = 1 << 32 | UInt64(accessAddress)
    }

    /// Whether it is a connection of that adapter.
    func belongs(to adapter: UInt16) -> Bool { value >> 16 == UInt64(adapter) }
}

/// What kind of connection it is.
enum LinkKind: Hashable, Sendable {
    /// It stood when the recording began, and nothing on it told yet.
    case undetermined
    /// Low energy: it is followed.
    case lowEnergy
    /// Classic (BR/EDR): it is not followed.
    case classic
    /// Low energy, and one more than are followed.
    case unfollowed
}
