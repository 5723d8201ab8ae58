/// **Dangerous** commands of which only the name is known, from vendor notes; here so that logs can
/// name them.
///
///     → op 14 bytes                    not described: kept as it is
///     ← op 14 bytes
///
/// A frame with only an opcode from C0 on and EE is a refusal of the opcode less 80.
package enum DangerousRawCommand {
    /// All of them, one row each, in the order of their opcodes.
    package static let rows: [CommandFacts] = [
        // One source calls the command "blink"; that is BlinkLight, 10.
        CommandFacts(
            0x0F, "DangerousOTASwitch", "switch to firmware update",
            danger: "makes the ring wait for new firmware: it may not recover"),
        CommandFacts(
            0xC0, "DangerousMemoryReadC0", "memory read (C0)",
            danger: "reads the ring's memory, with effects that are not known"),
        CommandFacts(
            0xC1, "DangerousMemoryReadC1", "memory read (C1)",
            danger: "reads the ring's memory, with effects that are not known"),
        CommandFacts(
            0xC9, "DangerousFactoryTestC9", "factory test (C9)",
            danger: "runs a factory test, with effects that are not known"),
        CommandFacts(
            0xCA, "DangerousFactoryTestCA", "factory test (CA)",
            danger: "runs a factory test, with effects that are not known"),
    ]
}
