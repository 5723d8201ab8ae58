#if os(Linux)
internal import BlueZVocabulary

/// The way to pair with a device.
public struct BlueZPairing: Hashable, Sendable {
    /// The input and output capability of this computer.
    public struct Capability: Hashable, Sendable {
        /// The daemon's word for the capability.
        let word: String

        /// No input and no output: the capability that rings and straps expect.
        public static let noInputNoOutput = Capability(word: AgentCapability.noInputNoOutput)
    }

    /// The input and output capability of this computer.
    public var capability: Capability

    /// Creates options for pairing, by default without interaction.
    public init(_ capability: Capability = .noInputNoOutput) { self.capability = capability }
}

extension BlueZPairing.Capability: CustomStringConvertible {
    /// The daemon's word for the capability.
    public var description: String { word }
}
#endif
