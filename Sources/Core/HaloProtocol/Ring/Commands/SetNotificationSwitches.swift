/// Sets the switches that ``NotificationSwitches`` reads; the layout is not described.
public enum SetNotificationSwitches: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x60, "SetNotificationSwitches", "notification switches, write")
    }
}
