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
        if let kind = broken(by: line) { return kind }
        count += 1
        switch line {
        case .blank, .comment: return nil
        case .packet: subject = .packet
        case .reading: subject = .reading
        case .error: subject = .error
        case .version, .name, .event, .elapsed: subject = .none
        }
        switch line {
        case .name(let name, let uuid):
            names[name] = uuid
            if !CaptureChannel.isKnown(name) { uuids[uuid] = name }
        case .elapsed(let microseconds): self.microseconds += microseconds
        default: break
        }
        return nil
    }

    mutating func admitPacket(
        _ action: CaptureAction?, _ channel: CaptureChannel
    ) -> CaptureError.Kind? {
        if let kind = broken(by: action, channel) { return kind }
        count += 1
        subject = .packet
        return nil
    }

    /// Returns the error of an action: advertisements have no actions, and descriptors send nothing
    /// by themselves.
    private func broken(
        by action: CaptureAction?, _ channel: CaptureChannel
    ) -> CaptureError.Kind? {
        guard let action else { return nil }
        if channel.isAdvertising { return .wrongAction }
        let isSent = action == .notified || action == .indicated
        return isSent && channel.isDescriptor ? .wrongAction : nil
    }

    /// Returns the error if a line would break a rule here, otherwise `nil`.
    private func broken(by line: CaptureLine) -> CaptureError.Kind? {
        switch line {
        case .version:
            return count == 0 ? nil : .misplacedVersion
        case .name(let name, let uuid):
            return brokenByName(name, uuid)
        case .event(let event, _):
            if let channel = event.channel {
                let isPossible = !channel.isDescriptor || event.canBeOfDescriptor
                return isPossible ? nil : .unknownChannel
            }
            guard let mtu = event.mtu else { return nil }
            return CaptureEvent.mtuRange.contains(mtu) ? nil : .outOfRange
        case .elapsed(let more):
            return more <= Self.maximumMicroseconds - microseconds ? nil : .outOfRange
        case .reading:
            return subject == .none ? .withoutPacket : subject == .error ? .contradiction : nil
        case .error:
            return subject == .none ? .withoutPacket : subject != .packet ? .contradiction : nil
        case .packet(let packet):
            return broken(by: packet.action, packet.channel)
        case .blank, .comment:
            return nil
        }
    }

    private func brokenByName(_ name: CaptureName, _ uuid: BluetoothUUID) -> CaptureError.Kind? {
        if names.count >= Self.maximumNameCount { return .tooManyNames }
        if names[name] != nil || uuids[uuid] != nil { return .declaredTwice }
        if name.looksLikeUUID { return .notDeclarable }
        guard let known = CaptureChannel.known.first(where: { $0.name == name.text }) else {
            return nil
        }
        return known.channel.uuids.contains(uuid) ? nil : .notDeclarable
    }
}
