/// A command that can destroy data or a ring: it decodes, so that logs can name it.
///
/// Sessions and clients of this package send one only if the caller builds its request, and `halo`
/// only with `--dangerous`. The names of the types and of their initialisers warn of it.
public protocol DangerousCommand: RequestCommand {
    /// The request; only bytes if the layout is not known.
    associatedtype Request = DangerousRequest<Self>
}

/// A ``DangerousCommand`` whose name is known from vendor notes and whose layout is not; here so
/// that logs can name it.
///
///     → op …                           not described: kept as it is
///     ← op …                           not described: kept as it is
public protocol DangerousRawCommand: DangerousCommand, SingleReplyCommand {
    /// The bytes of a reply.
    associatedtype Reply = PlainReply<Self>
}

/// The bytes of a ``DangerousCommand`` whose layout is not known.
public struct DangerousRequest<Owner: DangerousCommand>: RequestPacket {
    /// The bytes after the opcode, without the zeros at the end: up to fourteen.
    public let unclaimed: InlineBytes

    /// Creates a request of up to fourteen bytes; the caller must know their effect on the ring.
    public init(knowinglySending bytes: InlineBytes) throws(ValueError) {
        try ValueError.check("unclaimed", bytes.count, in: 0...Int64(Frame.payloadLength))
        unclaimed = bytes.trimmingZeros
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}

/// Switches the ring off, so that only its charger wakes it again, or restarts it.
///
///     → 08 01                          shut down; some apps call it "reboot", less credibly
///     → 08 05                          reboot: one source's inference
///
/// The ring does not reply; the link drops.
public enum DangerousPowerOff: DangerousCommand, UnansweredCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(
            0x08, "DangerousPowerOff", "power off", .severalSources,
            danger: "may turn the ring off: only its charger wakes it again")
    }

    /// Returns the facts of the command with the danger of an action.
    package static func facts(of action: Reported<Action>) -> CommandFacts {
        let facts = facts
        let danger: FieldName? =
            switch action.known {
            case .shutDown: "turns the ring off: only its charger wakes it again"
            case .reboot: "restarts the ring, by one source, or turns it off"
            case nil: facts.danger
            }
        return CommandFacts(facts.code, facts.name, facts.title, facts.evidence, danger: danger)
    }

    /// A request to switch the ring off.
    public struct Request: RequestPacket {
        public typealias Owner = DangerousPowerOff

        /// Off, or off and on again.
        public var action: Action
        /// The bytes after the fields; zeros so far.
        public let unclaimed: InlineBytes

        /// Creates a request that may leave the ring off until it is on its charger.
        @inlinable @inline(__always)
        public init(knowinglySending action: Action) {
            self.action = action
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            action = try io.code("action", packet?.action, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// Off, or off and on again.
    public enum Action: UInt8, FieldCode {
        /// Off, until it is charged.
        case shutDown = 1
        /// Off and on again: one source's inference.
        case reboot = 5

        public static let labels = FieldLabels<Action>([.reboot: "reboot (one source's inference)"])
    }
}

/// **Dangerous**: erases everything that the ring has stored.
///
///     → FF 66 66                       some sources leave the two bytes out
///
/// No reply is known.
public enum DangerousFactoryReset: DangerousCommand, UnansweredCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(
            0xFF, "DangerousFactoryReset", "factory reset", .severalSources,
            danger: "erases everything that the ring has stored")
    }

    /// A request to erase everything.
    public struct Request: RequestPacket {
        public typealias Owner = DangerousFactoryReset

        /// The two bytes that confirm the command, 0x6666.
        public let confirmation: UInt16
        /// The bytes after the fields; never seen.
        public let unclaimed: InlineBytes

        @usableFromInline static var expected: UInt16 { 0x6666 }

        /// The confirmed request: it erases everything.
        public static let knowinglyErasingEverything = Request(confirmation: expected)

        init(confirmation: UInt16) {
            self.confirmation = confirmation
            unclaimed = InlineBytes()
        }

        /// `true` if the two bytes are the confirmation.
        @inlinable public var isConfirmed: Bool { confirmation == Self.expected }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            let confirmation = try io.uint16(
                "confirmation", packet?.confirmation, .open, isBigEndian: true)
            io.means { confirmation == Self.expected ? "confirmed" : "not confirmed" }
            self.confirmation = confirmation
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }
}

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

/// **Dangerous**: reads the ring's memory; the layout is not described.
///
/// A frame with only C0 EE is a refusal of 40.
public enum DangerousMemoryReadC0: DangerousRawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(
            0xC0, "DangerousMemoryReadC0", "memory read (C0)",
            danger: "reads the ring's memory, with effects that are not known")
    }
}

/// **Dangerous**: reads the ring's memory; the layout is not described.
///
/// A frame with only C1 EE is a refusal of 41.
public enum DangerousMemoryReadC1: DangerousRawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(
            0xC1, "DangerousMemoryReadC1", "memory read (C1)",
            danger: "reads the ring's memory, with effects that are not known")
    }
}

/// **Dangerous**: runs a factory test; the layout is not described.
///
/// A frame with only C9 EE is a refusal of 49.
public enum DangerousFactoryTestC9: DangerousRawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(
            0xC9, "DangerousFactoryTestC9", "factory test (C9)",
            danger: "runs a factory test, with effects that are not known")
    }
}

/// **Dangerous**: runs a factory test; the layout is not described.
///
/// A frame with only CA EE is a refusal of 4A.
public enum DangerousFactoryTestCA: DangerousRawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(
            0xCA, "DangerousFactoryTestCA", "factory test (CA)",
            danger: "runs a factory test, with effects that are not known")
    }
}
