package import HaloProtocol

/// The risk of a recorded write to a device.
package enum RequestRisk: Hashable, Sendable {
    /// A packet of the catalogue without danger.
    case known
    /// An unknown packet: it cannot be decoded, or its characteristic is not known.
    case unknown
    /// A packet that can destroy data or the device: factory reset, power off, firmware updates,
    /// and all others whose names begin with `Dangerous`.
    case dangerous

    package init(of bytes: [UInt8], writtenTo channel: CaptureChannel) {
        let isDangerous = Self.danger(of: bytes, writtenTo: channel) != nil
        let explanation = channel.packetKind.map {
            Explanation(of: bytes, as: $0, direction: .toDevice)
        }
        self = isDangerous ? .dangerous : explanation?.status == .decoded ? .known : .unknown
    }

    /// Returns the facts of a dangerous command, whatever the checksum of its packet: a device need
    /// not check it; `nil` for a packet without danger.
    package static func danger(
        of bytes: [UInt8], writtenTo channel: CaptureChannel
    ) -> CommandFacts? {
        let facts: CommandFacts? =
            switch channel {
            case .uart where bytes.count > 1 && bytes[0] == DangerousPowerOff.opcode:
                DangerousPowerOff.facts(of: Reported(rawValue: bytes[1]))
            case .uart: bytes.first.flatMap { CommandCatalog.entry(opcode: $0)?.facts }
            case .bigData where bytes.count > 1:
                BigDataCatalog.entry(id: bytes[1], .toDevice)?.facts
            default: nil
            }
        return facts?.danger == nil ? nil : facts
    }
}
