#if os(Linux)
internal import BlueZVocabulary

/// How a device is paired with.
public struct BlueZPairing: Hashable, Sendable {
    /// What this computer can show and ask.
    public struct Capability: Hashable, Sendable {
        /// The daemon's word for it.
        let word: String

        /// Nothing: what rings and straps expect.
        public static let noInputNoOutput = Capability(word: AgentCapability.noInputNoOutput)
    }

    /// What this computer can show and ask.
    public var capability: Capability

    /// Pairing without questions.
    public init(_ capability: Capability = .noInputNoOutput) {
        self.capability = capability
    }
}

extension BlueZPairing.Capability: CustomStringConvertible {
    /// The daemon's word for it.
    public var description: String { word }
}
#endif
