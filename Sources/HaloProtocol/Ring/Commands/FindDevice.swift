/// Lights the ring's green light for about ten seconds.
///
///     → 50 55 AA
///     ← 50 …                           a reply is not certain: kept as it is
public enum FindDevice: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x50, "FindDevice", "find the device", .severalSources)
    }

    /// An acknowledgement; its bytes are not described.
    public typealias Reply = PlainReply<FindDevice>

    /// A request to light the green light.
    public struct Request: RequestPacket {
        public typealias Owner = FindDevice

        @usableFromInline static var firstMarker: UInt8 { 0x55 }
        @usableFromInline static var secondMarker: UInt8 { 0xAA }

        /// The bytes after the fields; zeros so far.
        public let unclaimed: InlineBytes

        /// Creates a request to light the green light.
        @inlinable @inline(__always)
        public init() {
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            try io.marker("firstMarker", Self.firstMarker, packet)
            try io.marker("secondMarker", Self.secondMarker, packet)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }
}

/// Blinks the ring's green light twice, to identify the ring among others.
///
///     → 10
///     ← 10 …                           some firmware repeats the opcode
///
/// The H59 band vibrates instead; rings have no motor. In vendor notes this is the effect of a
/// successful pairing. One source wrongly has opcode 0F: see ``DangerousOTASwitch``.
public enum BlinkLight: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x10, "BlinkLight", "blink the light", .severalSources)
    }

    /// An acknowledgement; not all firmware sends one.
    public typealias Reply = PlainReply<BlinkLight>

    /// A request to blink the light.
    public typealias Request = PlainRequest<BlinkLight>
}

/// A push that asks the phone to make a sound.
///
///     ← 22 state                       1 on, 2 off
///
/// Vendor notes only.
public enum FindPhone: SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x22, "FindPhone", "find the phone")
    }

    /// A start or an end of the phone's sound.
    public struct Reply: ReplyPacket {
        public typealias Owner = FindPhone

        /// On while the phone is to make a sound.
        public var state: Reported<Toggle>
        /// The bytes after the fields; never seen.
        public let unclaimed: InlineBytes

        /// Creates a push that starts or ends the sound.
        @inlinable @inline(__always)
        public init(isOn: Bool) {
            state = Reported(Toggle(oneOrTwo: isOn))
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            state = try io.reported("state", packet?.state, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }
}
