/// **Dangerous**: makes the ring wait for new firmware; the ring may not recover.
///
/// One source calls the command "blink"; that is ``BlinkLight``, 10.
public enum DangerousOTASwitch: DangerousRawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(
            0x0F, "DangerousOTASwitch", "switch to firmware update",
            danger: "makes the ring wait for new firmware: it may not recover")
    }
}
