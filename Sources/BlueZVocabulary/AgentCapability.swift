#if os(Linux)
/// What a computer with an agent can show and ask, in the daemon's words.
package enum AgentCapability {
    /// Nothing.
    package static let noInputNoOutput = "NoInputNoOutput"

    /// All that the daemon knows; without a word it takes the one for a keyboard and a display.
    package static let all = [
        "", "DisplayOnly", "DisplayYesNo", "KeyboardOnly", noInputNoOutput, "KeyboardDisplay",
    ]
}
#endif
