/// Commands of which only the name is known; their bytes are passed through.
///
///     → op 14 bytes                    not described: kept as it is
///     ← op 14 bytes
///
/// Names come from notes on the vendor's app, unless a row says otherwise. A reply, or one with
/// the same opcode, is not certain either.
public enum RawCommand {
    /// All of them, one row each, in the order of their opcodes.
    public static let rows: [CommandFacts] = [
        // "Intelligence" or "delay" in vendor notes.
        CommandFacts(0x09, "IntelligenceSetting", "intelligence setting"),
        // Two notices of a call; their difference is not described.
        CommandFacts(0x0B, "CallNotice0B", "call notice (0B)"),
        CommandFacts(0x11, "CallNotice11", "call notice (11)"),
        // For rings that have a screen.
        CommandFacts(0x12, "DisplayClock", "display clock"),
        // Sport on a wrist band.
        CommandFacts(0x13, "BandSport", "band sport"),
        manualBloodPressure,
        personalisation,
        // For rings that have a screen, such as those with R11CR boards.
        CommandFacts(0x18, "DisplayText", "display text"),
        // Probably for the screen.
        CommandFacts(0x1A, "Weather", "weather"),
        // Display has a brightness as well.
        CommandFacts(0x1B, "ScreenBrightness", "screen brightness"),
        // The music that plays on the phone; the difference of the two is not described.
        CommandFacts(0x1C, "Music1C", "music (1C)"),
        CommandFacts(0x1D, "Music1D", "music (1D)"),
        // Probably the time for which the screen stays lit.
        CommandFacts(0x1F, "DisplayTime", "display time"),
        CommandFacts(0x23, "AlarmRead", "alarms, read", onlyReads: true),
        CommandFacts(0x24, "AlarmWrite", "alarms, write"),
        // The reminder to move. By analogy with the alarms, 25 is the read and 26 the write. Times
        // are two decimal digits each, at an unknown position.
        CommandFacts(0x25, "SedentaryReminderRead", "sedentary reminder, read", onlyReads: true),
        CommandFacts(0x26, "SedentaryReminderWrite", "sedentary reminder, write"),
        // By the same analogy, 27 is the read and 28 the write.
        drinkReminderRead,
        CommandFacts(0x28, "DrinkReminderWrite", "drink reminder, write"),
        // Probably of the screen: "orientation" and "style" in vendor notes.
        CommandFacts(0x29, "ScreenOrientation", "orientation"),
        CommandFacts(0x2A, "DisplayStyle", "style"),
        menstruation,
        // Probably a list of blocked callers.
        CommandFacts(0x2D, "Blacklist", "blacklist"),
        // Data that help a satellite receiver to find its position (AGPS).
        CommandFacts(0x30, "AssistedPositioning", "assisted positioning"),
        // Probably a picture of the wearer; according to one source, the H59 refuses it (B2 EE).
        CommandFacts(0x32, "Avatar", "avatar"),
        // Six commands for signals of the heart or the skin. Vendor notes have "pathway" and "ECG,
        // PPG", and do not assign the opcodes.
        CommandFacts(0x6B, "UndescribedSignal6B", "undescribed signal (6B)"),
        CommandFacts(0x6C, "UndescribedSignal6C", "undescribed signal (6C)"),
        CommandFacts(0x6D, "UndescribedSignal6D", "undescribed signal (6D)"),
        CommandFacts(0x6E, "UndescribedSignal6E", "undescribed signal (6E)"),
        CommandFacts(0x6F, "UndescribedSignal6F", "undescribed signal (6F)"),
        CommandFacts(0x70, "UndescribedSignal70", "undescribed signal (70)"),
        // The text of a message, probably for the screen. How text longer than a frame is cut is
        // not described.
        CommandFacts(0x72, "PushMessage", "push message"),
        // The phone's position (GPS), for a ring that records a track.
        CommandFacts(0x74, "PhonePositioning", "phone positioning"),
        versionNumbers,
    ]

    /// Returns the row of an opcode; `nil` for a command with a type of its own, a dangerous one,
    /// or an unknown one.
    public static func row(opcode: UInt8) -> CommandFacts? {
        rows.first { $0.code == opcode }
    }

    // The rows to which virtual rings and replays refer.

    /// Blood pressures that were measured by hand.
    ///
    ///     ← 14 entries…                    time 4 bytes LE, diastolic, systolic; FF FF FF FF ends
    ///
    /// No band or ring replied to a request. The number of frames of a reply is not known.
    package static let manualBloodPressure = CommandFacts(
        0x14, "ManualBloodPressure", "manual blood pressures", onlyReads: true)

    /// "Personalisation" in vendor notes; an R03 refuses it (97 EE).
    package static let personalisation = CommandFacts(
        0x17, "Personalisation", "personalisation")

    /// The reminder to drink; an R03 refuses it (A7 EE).
    package static let drinkReminderRead = CommandFacts(
        0x27, "DrinkReminderRead", "drink reminder, read", onlyReads: true)

    /// The wearer's cycle, as the app knows it.
    ///
    ///     → 2B 02 …                        02 00 06 1C 38 33 00 02 02 10 23 from the vendor's app
    ///     ← 2B 00 …
    ///
    /// One exchange with an R12 was captured. The meaning of its bytes is not known; 02 probably
    /// writes, as in other commands.
    package static let menstruation = CommandFacts(
        0x2B, "Menstruation", "menstruation", .captured)

    /// The versions of hardware and firmware, which the device information service has as well.
    ///
    /// A frame with only 93 EE is a refusal of 13.
    package static let versionNumbers = CommandFacts(
        0x93, "VersionNumbers", "version numbers", onlyReads: true)
}

extension FrameForm {
    /// Creates the form of a packet of which only the name is known: its bytes are `unclaimed`.
    init(raw facts: CommandFacts, _ role: FieldName) {
        let name = PacketName(facts.name, role)
        self.name = name
        check = { frame throws(PacketError) in
            guard frame.opcode != facts.code else { return }
            try PacketError.throwWrongOpcode(name, expected: facts.code, found: frame.opcode)
        }
        reencode = { frame throws(PacketError) in
            var sink = IgnoringSink()
            return try Self.reencode(frame, facts.code, name, &sink)
        }
        #if !hasFeature(Embedded)
        opcode = facts.code
        record = { frame, recorder throws(PacketError) in
            try Self.reencode(frame, facts.code, name, &recorder)
        }
        #endif
    }

    private static func reencode<Sink: FieldSink>(
        _ frame: Frame, _ opcode: UInt8, _ name: PacketName, _ sink: inout Sink
    ) throws(PacketError) -> Frame {
        guard frame.opcode == opcode else {
            try PacketError.throwWrongOpcode(name, expected: opcode, found: frame.opcode)
        }
        var reader = FrameReader(frame, sink: sink)
        var writer = FrameWriter(opcode: opcode)
        defer { sink = reader.sink }
        _ = try writer.unclaimed(try reader.unclaimed(nil))
        return writer.frame
    }
}
