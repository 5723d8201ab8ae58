/// The opcode or record id of a command, its name, and the evidence for its layout.
@frozen
public struct CommandFacts: Sendable {
    /// The opcode of a ``Command``; the record id of the requests of a ``BigDataCommand``.
    public let code: UInt8
    /// The name of the type, as programs write it.
    public let name: FieldName
    /// The name in words: `battery level`.
    public let title: FieldName
    public let evidence: Evidence
    /// `true` if no request changes the ring, so that each may be sent again.
    ///
    /// If a command reads and writes, ``RequestPacket/onlyReads`` differs between its requests.
    public let onlyReads: Bool
    /// The danger of the command in words: `erases everything that the ring has stored`; `nil` for
    /// a command without danger.
    public let danger: FieldName?

    /// Creates the facts of a command; by default the evidence is notes on the vendor's app.
    @inlinable @inline(__always)
    public init(
        _ code: UInt8, _ name: FieldName, _ title: FieldName, _ evidence: Evidence = .vendor,
        onlyReads: Bool = false, danger: FieldName? = nil
    ) {
        self.code = code
        self.name = name
        self.title = title
        self.evidence = evidence
        self.onlyReads = onlyReads
        self.danger = danger
    }
}
