#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

/// A request of the daemon to an exported object. Its options may be missing or of the wrong type.
struct HostedRequest: Hashable, Sendable {
    let number: UInt64
    let path: DBusObjectPath
    let interface: String
    let member: String
    let arguments: [DBusValue]
    let sender: String?

    var value: [UInt8] { arguments.first?.bytes ?? [] }

    var offset: Int { integer(AttributeOption.offset, 0...Int64(UInt16.max)) ?? 0 }

    var mtu: Int? { integer(AttributeOption.mtu, Self.smallestMTU...Int64(UInt16.max)) }

    var device: DBusObjectPath? { options?[AttributeOption.device]?.objectPath }

    /// `true` for a write without response.
    var isCommand: Bool { options?[AttributeOption.type]?.string == AttributeOption.command }

    /// `true` if the daemon only requests permission for a write.
    var isOnlyAnnounced: Bool { options?[AttributeOption.prepareAuthorize]?.boolean == true }

    private static let smallestMTU: Int64 = 23

    private var options: DBusValue? { arguments.last }

    private func integer(_ name: String, _ range: ClosedRange<Int64>) -> Int? {
        guard let number = options?[name]?.integer, range.contains(number) else { return nil }
        return Int(number)
    }
}
#endif
