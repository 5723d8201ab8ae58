import HaloProtocol

/// What a line may follow: the rules that concern more than one line.
struct CaptureRules: Hashable, Sendable {
    /// How many lines there were.
    private(set) var count = 0
    /// The names declared so far.
    private(set) var names: [CaptureName: BluetoothUUID] = [:]
    private var uuids: [BluetoothUUID: CaptureName] = [:]
    private var microseconds: UInt64 = 0
    private var subject = Subject.none
    /// The version that the first line names.
    private(set) var version: CaptureVersion?

    /// All offsets of a capture together, some 31 years.
    static let maximumMicroseconds: UInt64 = 1_000_000_000_000_000

    /// As many names as a device can have attributes: what a reader keeps has an end.
    static let maximumNameCount = 65_535

    /// What a reading or an error would be said of.
    private enum Subject: Hashable {
        case none, packet, reading, error
    }

    /// The declared name of a characteristic.
    func name(of uuid: BluetoothUUID) -> CaptureName? { uuids[uuid] }

    /// Takes a line in, or says which rule it breaks; then nothing has changed.
    mutating func admit(_ line: CaptureLine) -> CaptureError.Kind? {
        if let kind = broken(by: line) { return kind }
        count += 1
        switch line {
        case .blank, .comment:
            break
        case .packet:
            subject = .packet
        case .reading:
            subject = .reading
        case .error:
            subject = .error
        case .name(let name, let uuid):
            subject = .none
            names[name] = uuid
            if !CaptureChannel.isKnown(name) { uuids[uuid] = name }
        case .elapsed(let microseconds):
            subject = .none
            self.microseconds += microseconds
        case .version(let version):
            subject = .none
            self.version = version
        case .event:
            subject = .none
        }
        return nil
    }

    /// Takes in a packet, or says that it says what it cannot.
    mutating func admitPacket(
        _ action: CaptureAction?, _ channel: CaptureChannel
    ) -> CaptureError.Kind? {
        if let kind = broken(by: action, channel) { return kind }
        count += 1
        subject = .packet
        return nil
    }

    /// What version 1 cannot say, and nobody of an advertisement.
    private func broken(
        by action: CaptureAction?, _ channel: CaptureChannel
    ) -> CaptureError.Kind? {
        action != nil && (version == .one || channel.uuids.isEmpty) ? .wrongAction : nil
    }

    /// Takes in passed time, or says that it is too much.
    mutating func admitElapsed(_ more: UInt64) -> CaptureError.Kind? {
        guard more <= Self.maximumMicroseconds - microseconds else { return .outOfRange }
        count += 1
        subject = .none
        microseconds += more
        return nil
    }

    /// The rule that a line would break here.
    func broken(by line: CaptureLine) -> CaptureError.Kind? {
        switch line {
        case .version:
            return count == 0 ? nil : .misplacedVersion
        case .name(let name, let uuid):
            return brokenByName(name, uuid)
        case .event(let event, _):
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
