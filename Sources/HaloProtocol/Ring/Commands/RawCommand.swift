/// A command of which only the name is known; its bytes are passed through.
///
///     → op 14 bytes                    not described: kept as it is
///     ← op 14 bytes
///
/// Names come from notes on the vendor's app, unless a command says otherwise. A reply, or one with
/// the same opcode, is not certain either. The table at the end of this file lists the commands.
public protocol RawCommand: RequestCommand, SingleReplyCommand {
    /// The bytes that are sent.
    associatedtype Request = PlainRequest<Self>
    /// The bytes that a ring sends.
    associatedtype Reply = PlainReply<Self>
}

/// A setting that vendor notes call "intelligence" or "delay".
public enum IntelligenceSetting: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x09, "IntelligenceSetting", "intelligence setting")
    }
}

/// A notice of a call; ``CallNotice11`` is another one.
public enum CallNotice0B: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x0B, "CallNotice0B", "call notice (0B)")
    }
}

/// A notice of a call; ``CallNotice0B`` is another one.
public enum CallNotice11: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x11, "CallNotice11", "call notice (11)")
    }
}

/// The clock on the screen of rings that have one.
public enum DisplayClock: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x12, "DisplayClock", "display clock")
    }
}

/// Sport on a wrist band.
public enum BandSport: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x13, "BandSport", "band sport")
    }
}

/// Blood pressures that were measured by hand.
///
///     → 14
///     ← 14 entries…                    time 4 bytes LE, diastolic, systolic; FF FF FF FF ends
///
/// Vendor notes only; no band or ring replied to a request. The number of frames of a reply is not
/// known, so the bytes are kept as they are.
public enum ManualBloodPressure: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x14, "ManualBloodPressure", "manual blood pressures", onlyReads: true)
    }
}

/// "Personalisation" in vendor notes; an R03 refuses it (97 EE).
public enum Personalisation: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x17, "Personalisation", "personalisation")
    }
}

/// Text for the screen of rings that have one, such as those with R11CR boards.
public enum DisplayText: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x18, "DisplayText", "display text")
    }
}

/// The weather, probably for the screen.
public enum Weather: RawCommand {
    @inlinable public static var facts: CommandFacts { CommandFacts(0x1A, "Weather", "weather") }
}

/// The brightness of the screen; see ``Display`` as well.
public enum ScreenBrightness: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x1B, "ScreenBrightness", "screen brightness")
    }
}

/// The music that plays on the phone. The difference to ``Music1D`` is not described.
public enum Music1C: RawCommand {
    @inlinable public static var facts: CommandFacts { CommandFacts(0x1C, "Music1C", "music (1C)") }
}

/// The music that plays on the phone. The difference to ``Music1C`` is not described.
public enum Music1D: RawCommand {
    @inlinable public static var facts: CommandFacts { CommandFacts(0x1D, "Music1D", "music (1D)") }
}

/// The time for which the screen stays lit, probably: "display time" in vendor notes.
public enum DisplayTime: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x1F, "DisplayTime", "display time")
    }
}

/// Reads the alarms; ``AlarmWrite`` sets them.
public enum AlarmRead: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x23, "AlarmRead", "alarms, read", onlyReads: true)
    }
}

/// Sets the alarms; ``AlarmRead`` reads them.
public enum AlarmWrite: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x24, "AlarmWrite", "alarms, write")
    }
}

/// Reads the reminder to move. Vendor notes only: times are two decimal digits each, at an unknown
/// position.
///
/// By analogy with the alarms, 23 and 24, 25 is the read and 26 the write.
public enum SedentaryReminderRead: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x25, "SedentaryReminderRead", "sedentary reminder, read", onlyReads: true)
    }
}

/// Sets the reminder to move. Vendor notes only: times are two decimal digits each, at an unknown
/// position.
///
/// By analogy with the alarms, 23 and 24, 25 is the read and 26 the write.
public enum SedentaryReminderWrite: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x26, "SedentaryReminderWrite", "sedentary reminder, write")
    }
}

/// Reads the reminder to drink. Vendor notes only; an R03 refuses it (A7 EE).
///
/// By analogy with the alarms, 23 and 24, 27 is the read and 28 the write.
public enum DrinkReminderRead: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x27, "DrinkReminderRead", "drink reminder, read", onlyReads: true)
    }
}

/// Sets the reminder to drink. Vendor notes only.
///
/// By analogy with the alarms, 23 and 24, 27 is the read and 28 the write.
public enum DrinkReminderWrite: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x28, "DrinkReminderWrite", "drink reminder, write")
    }
}

/// The orientation of the screen, probably: "orientation" in vendor notes.
public enum ScreenOrientation: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x29, "ScreenOrientation", "orientation")
    }
}

/// The style of the screen, probably: "style" in vendor notes.
public enum DisplayStyle: RawCommand {
    @inlinable public static var facts: CommandFacts { CommandFacts(0x2A, "DisplayStyle", "style") }
}

/// The wearer's cycle, as the app knows it.
///
///     → 2B 02 …                        02 00 06 1C 38 33 00 02 02 10 23 from the vendor's app
///     ← 2B 00 …
///
/// One exchange with an R12 was captured. The meaning of its bytes is not known; 02 probably
/// writes, as in other commands.
public enum Menstruation: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x2B, "Menstruation", "menstruation", .captured)
    }

    /// An acknowledgement.
    public typealias Reply = PlainReply<Menstruation>
}

/// A list of blocked callers, probably: "blacklist" in vendor notes.
public enum Blacklist: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x2D, "Blacklist", "blacklist")
    }
}

/// Data that help a satellite receiver to find its position (AGPS).
public enum AssistedPositioning: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x30, "AssistedPositioning", "assisted positioning")
    }
}

/// A picture of the wearer, probably: "avatar" in vendor notes; the H59 refuses it (B2 EE).
public enum Avatar: RawCommand {
    @inlinable public static var facts: CommandFacts { CommandFacts(0x32, "Avatar", "avatar") }
}

/// One of six commands, 6B to 70, for signals of the heart or the skin.
///
/// Vendor notes have "pathway" and "ECG, PPG", and do not assign the opcodes.
public enum UndescribedSignal6B: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x6B, "UndescribedSignal6B", "undescribed signal (6B)")
    }
}

/// Another command for signals of the heart or the skin: see ``UndescribedSignal6B``.
public enum UndescribedSignal6C: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x6C, "UndescribedSignal6C", "undescribed signal (6C)")
    }
}

/// Another command for signals of the heart or the skin: see ``UndescribedSignal6B``.
public enum UndescribedSignal6D: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x6D, "UndescribedSignal6D", "undescribed signal (6D)")
    }
}

/// Another command for signals of the heart or the skin: see ``UndescribedSignal6B``.
public enum UndescribedSignal6E: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x6E, "UndescribedSignal6E", "undescribed signal (6E)")
    }
}

/// Another command for signals of the heart or the skin: see ``UndescribedSignal6B``.
public enum UndescribedSignal6F: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x6F, "UndescribedSignal6F", "undescribed signal (6F)")
    }
}

/// Another command for signals of the heart or the skin: see ``UndescribedSignal6B``.
public enum UndescribedSignal70: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x70, "UndescribedSignal70", "undescribed signal (70)")
    }
}

/// The text of a message, probably for the screen. Vendor notes only; they do not describe how text
/// longer than a frame is cut.
public enum PushMessage: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x72, "PushMessage", "push message")
    }
}

/// The phone's position (GPS), for a ring that records a track.
public enum PhonePositioning: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x74, "PhonePositioning", "phone positioning")
    }
}

/// The versions of hardware and firmware, which the device information service has as well.
///
/// A frame with only 93 EE is a refusal of 13.
public enum VersionNumbers: RawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x93, "VersionNumbers", "version numbers", onlyReads: true)
    }
}
