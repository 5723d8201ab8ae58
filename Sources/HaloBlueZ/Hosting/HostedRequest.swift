#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol

/// What the daemon asks of an object, with what it says beside it: any of that may be missing, or
/// of another type than it should be.
struct HostedRequest: Hashable, Sendable {
    /// The shell's number for it.
    let number: UInt64
    let path: DBusObjectPath
    let interface: String
    let member: String
    let arguments: [DBusValue]
    let sender: String?

    /// What is written.
    var value: [UInt8] { arguments.first?.bytes ?? [] }

    /// Where in the value it begins.
    var offset: Int { integer(AttributeOption.offset, 0...Int64(UInt16.max)) ?? 0 }

    /// The longest packet of the link.
    var mtu: Int? { integer(AttributeOption.mtu, Self.smallestMTU...Int64(UInt16.max)) }

    /// Who asks.
    var device: DBusObjectPath? { options?[AttributeOption.device]?.objectPath }

    /// Whether nobody waits for an answer.
    var isCommand: Bool { options?[AttributeOption.type]?.string == AttributeOption.command }

    /// Whether nothing is written yet.
    var isOnlyAnnounced: Bool { options?[AttributeOption.prepareAuthorize]?.boolean == true }

    private static let smallestMTU: Int64 = 23

    private var options: DBusValue? { arguments.last }

    private func integer(_ name: String, _ range: ClosedRange<Int64>) -> Int? {
        guard let number = options?[name]?.integer, range.contains(number) else { return nil }
        return Int(number)
    }
}
#endif
