/// A record that is sent to a ring.
public protocol BigDataRequest: BigDataRecord {
    /// Whether it leaves the ring as it is: it may be sent again when no answer came.
    var onlyReads: Bool { get }
    /// Whether a record of the command's answers can be the answer to just this request.
    func isAnswered(by frame: BigDataFrame) -> Bool
}

extension BigDataRequest {
    /// `Command.Request`.
    public static var name: PacketName { PacketName(Owner.name, "Request") }
    /// The id of the command's requests.
    public static var id: UInt8 { Owner.requestID }

    /// What the command says of all its requests.
    public var onlyReads: Bool { Owner.onlyReads }

    /// Most records have answers of one kind.
    public func isAnswered(by frame: BigDataFrame) -> Bool { true }
}
