/// Sets the switches that ``NotificationSwitches`` reads; the layout is not described.
package enum SetNotificationSwitches: RequestCommand, SingleReplyCommand {
    @inlinable package static var facts: CommandFacts {
        CommandFacts(0x60, "SetNotificationSwitches", "notification switches, write")
    }
}
