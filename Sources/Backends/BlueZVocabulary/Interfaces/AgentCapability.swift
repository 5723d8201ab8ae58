#if os(Linux)
/// Input and output capabilities of an agent, in the daemon's words.
package enum AgentCapability {
    package static let noInputNoOutput = "NoInputNoOutput"

    /// All capabilities that the daemon knows; the empty one means `KeyboardDisplay`.
    package static let all = [
        "", "DisplayOnly", "DisplayYesNo", "KeyboardOnly", noInputNoOutput, "KeyboardDisplay",
    ]
}
#endif
