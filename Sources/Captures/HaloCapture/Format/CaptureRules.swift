import HaloProtocol

/// The rules for the order of lines.
struct CaptureRules: Hashable, Sendable {
    /// The number of lines so far.
    private(set) var count = 0
    private(set) var names: [CaptureName: BluetoothUUID] = [:]
    private var uuids: [BluetoothUUID: CaptureName] = [:]
    private var microseconds: UInt64 = 0
    private var subject = Subject.none

    /// The maximum length of a capture: some 31 years.
    static let maximumMicroseconds: UInt64 = 1_000_000_000_000_000

    /// The maximum number of names: as many as a device can have attributes.
    static let maximumNameCount = 65_535

    /// The line that a reading or an error would follow.
    private enum Subject: Hashable {
        case none, packet, reading, error
    }

    func name(of uuid: BluetoothUUID) -> CaptureName? { uuids[uuid] }

    /// Admits a line. If the line breaks a rule, returns the error, and the state does not change.
    mutating func admit(_ line: CaptureLine) -> CaptureError.Kind? {
        var next = Subject.none
        switch line {
        case .blank, .comment: next = subject
        case .version:
            if count > 0 { return .misplacedVersion }
        case .name(let name, let uuid):
            if let kind = declare(name, uuid) { return kind }
        case .event(.connected(let mtu?), _), .event(.mtu(let mtu), _):
            guard CaptureEvent.mtuRange.contains(mtu) else { return .outOfRange }
        case .event(.subscribed(let channel), _), .event(.unsubscribed(let channel), _),
            .event(.confirmed(let channel), _):
            // A descriptor is only read and written.
            if channel.isDescriptor { return .unknownChannel }
        case .event: break
        case .elapsed(let more):
            guard more <= Self.maximumMicroseconds - microseconds else { return .outOfRange }
            microseconds += more
        case .reading:
            if subject == .none { return .withoutPacket }
            if subject == .error { return .contradiction }
            next = .reading
        case .error:
            if subject == .none { return .withoutPacket }
            if subject != .packet { return .contradiction }
            next = .error
        case .packet(let packet): return admitPacket(packet.action, packet.channel)
        }
        count += 1
        subject = next
        return nil
    }

    /// Admits a packet: advertisements have no actions, and descriptors send nothing by themselves.
    mutating func admitPacket(
        _ action: CaptureAction?, _ channel: CaptureChannel
    ) -> CaptureError.Kind? {
        let isSent = action == .notified || action == .indicated
        if action != nil && channel.isAdvertising || isSent && channel.isDescriptor {
            return .wrongAction
        }
        count += 1
        subject = .packet
        return nil
    }

    private mutating func declare(
        _ name: CaptureName, _ uuid: BluetoothUUID
    ) -> CaptureError.Kind? {
        if names.count >= Self.maximumNameCount { return .tooManyNames }
        if names[name] != nil || uuids[uuid] != nil { return .declaredTwice }
        if name.looksLikeUUID { return .notDeclarable }
        let known = CaptureChannel.known.first { $0.name == name.text }
        if let known, !known.channel.uuids.contains(uuid) { return .notDeclarable }
        names[name] = uuid
        if known == nil { uuids[uuid] = name }
        return nil
    }
}
