/// A record that is sent to a ring.
public protocol BigDataRequest: BigDataRecord {}

extension BigDataRequest {
    /// `Command.Request`.
    public static var name: PacketName { PacketName(Owner.name, "Request") }
    /// The id of the command's requests.
    public static var id: UInt8 { Owner.requestID }
}
