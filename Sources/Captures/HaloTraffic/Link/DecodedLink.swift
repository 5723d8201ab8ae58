import HaloProtocol

struct DecodedLink<Attributes: AttributeDecoder>: Sendable {
    var kind = LinkKind.undetermined
    /// The number of the connection in events, or `noConnection`. Only a decoded low energy link
    /// has one.
    var number = noConnection
    var role: DeviceRole
    /// The evidence for the role, where the log does not have the connection's beginning.
    var evidence: RoleEvidence?
    var isEncrypted = false
    /// `true` once attributes on an undecoded bearer were noted.
    var hasOtherBearer = false
    var packets = ByWay(L2CAPAssembly())
    var attributes = Attributes()
    var radio = RadioState()

    init(_ role: DeviceRole) {
        self.role = role
        if role == .unknown { evidence = RoleEvidence() }
    }

    /// The way to the device, or `nil` until the role is known. In the air, the central counts as
    /// the host.
    @inline(__always) var wayToDevice: HCIDirection? {
        switch role {
        case .remote, .overheard: .toController
        case .local: .toHost
        case .unknown: nil
        }
    }

    /// The direction of a packet of the attribute protocol, or `nil` while the role is undecided.
    @inline(__always)
    mutating func direction(_ packet: Span<UInt8>, _ way: HCIDirection) -> Direction? {
        if evidence != nil { evidence?.count(packet, way) }
        guard let wayToDevice else { return nil }
        return way == wayToDevice ? .toDevice : .fromDevice
    }
}
