public import HaloProtocol

/// What a ring does with each opcode, or with each record id, and what that rests on.
public struct RingConductTable: Sendable {
    private var entries: [UInt8: RingFact<RingConduct>] = [:]
    private let otherwise: RingFact<RingConduct>

    /// The same conduct for everything that is not named.
    public init(otherwise conduct: RingConduct, _ basis: FieldName) {
        otherwise = RingFact(conduct, basis)
    }

    /// The conduct for one opcode or record id.
    public subscript(_ code: UInt8) -> RingConduct { fact(code).value ?? .silent }

    /// The conduct for one opcode or record id, with what it rests on in words.
    public func fact(_ code: UInt8) -> RingFact<RingConduct> { entries[code] ?? otherwise }

    /// The same table with another conduct for some codes.
    public func with(
        _ conduct: RingConduct, _ basis: FieldName, for codes: UInt8...
    ) -> RingConductTable {
        var table = self
        for code in codes { table.entries[code] = RingFact(conduct, basis) }
        return table
    }
}
