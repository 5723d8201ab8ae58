/// The name of a packet's type as in Swift code: `Battery.Reply`.
@frozen
public struct PacketName: Hashable, Sendable, CustomStringConvertible {
    /// The command, record or characteristic.
    public let subject: FieldName
    /// The packet of the subject; empty if there is only one.
    public let part: FieldName

    @inlinable @inline(__always)
    public init(_ subject: FieldName, _ part: FieldName = "") {
        self.subject = subject
        self.part = part
    }

    /// The name as text, with a dot between subject and part.
    public var description: String {
        part == "" ? subject.description : "\(subject).\(part)"
    }
}
