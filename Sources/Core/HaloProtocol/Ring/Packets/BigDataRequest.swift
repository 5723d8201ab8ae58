/// A record that is sent to a ring.
public protocol BigDataRequest: BigDataRecord {
    /// `true` if the request does not change the ring, so that it may be sent again after a
    /// timeout.
    var onlyReads: Bool { get }
    /// Returns `true` if a record of the command can be the reply to exactly this request.
    func isAnswered(by frame: BigDataFrame) -> Bool
}

extension BigDataRequest {
    /// The name of the packet: `Command.Request`.
    public static var name: PacketName { PacketName(Owner.name, "Request") }
    /// The id of the command's requests.
    public static var id: UInt8 { Owner.requestID }

    /// The command's ``CommandFacts/onlyReads``.
    public var onlyReads: Bool { Owner.onlyReads }

    /// Returns `true`, as most commands have replies of one kind.
    public func isAnswered(by frame: BigDataFrame) -> Bool { true }
}
