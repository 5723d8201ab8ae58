/// The name of a packet's type, as it is written in a program: `Battery.Reply`.
@frozen
public struct PacketName: Hashable, Sendable {
    /// The command, record or characteristic.
    public let subject: FieldName
    /// Which of its packets; empty where there is only one.
    public let part: FieldName

    /// The name of one of several packets of a subject.
    @inlinable @inline(__always)
    public init(_ subject: FieldName, _ part: FieldName = "") {
        self.subject = subject
        self.part = part
    }
}

extension PacketName: CustomStringConvertible {
    /// Subject and part with a dot between.
    public var description: String {
        part == "" ? subject.description : "\(subject).\(part)"
    }
}
