import HaloProtocol

/// What a recorded write could do to a device.
public enum RequestRisk: Hashable, Sendable {
    /// A packet of the catalogue that destroys nothing.
    case known
    /// Nobody knows what it does: it cannot be read, or its characteristic is not known.
    case unknown
    /// It can destroy data or the device: factory reset, power off, firmware updates, and all
    /// else that this package calls dangerous.
    case dangerous

    /// What a value could do that is written to a channel.
    public init(of bytes: [UInt8], writtenTo channel: CaptureChannel) {
        if Self.isDangerous(bytes, channel) {
            self = .dangerous
            return
        }
        guard let kind = channel.packetKind else {
            self = .unknown
            return
        }
        let explanation = Explanation(of: bytes, as: kind, direction: .toDevice)
        self = explanation.status == .decoded ? .known : .unknown
    }

    /// Judged by the code alone: a device need not look at checksums.
    private static func isDangerous(_ bytes: [UInt8], _ channel: CaptureChannel) -> Bool {
        switch channel {
        case .uart:
            guard let opcode = bytes.first else { return false }
            return isDangerous(CommandCatalog.entry(opcode: opcode)?.name)
        case .bigData:
            guard bytes.count > 1 else { return false }
            return isDangerous(BigDataCatalog.entry(id: bytes[1], .toDevice)?.name)
        default: return false
        }
    }

    private static func isDangerous(_ name: FieldName?) -> Bool {
        name?.description.hasPrefix("Dangerous") ?? false
    }
}

/// Judges writes one after another: what follows the beginning of a record is a part of it.
struct RiskFollower {
    private var pieces = BigDataFrame.Pieces()
    /// Of the record whose pieces come.
    private var begun = RequestRisk.unknown

    mutating func risk(of bytes: [UInt8], writtenTo channel: CaptureChannel) -> RequestRisk {
        guard channel == .bigData else { return RequestRisk(of: bytes, writtenTo: channel) }
        if pieces.goesOn(bytes) { return begun }
        let risk = RequestRisk(of: bytes, writtenTo: channel)
        guard pieces.missingCount > 0 else { return risk }
        // The beginning of a record cannot be decoded yet: its id says what it is.
        let isKnown = BigDataCatalog.entry(id: bytes[1], .toDevice) != nil
        begun = risk == .dangerous ? risk : isKnown ? .known : .unknown
        return begun
    }
}
