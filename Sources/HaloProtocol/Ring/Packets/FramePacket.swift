/// The content of one 16-byte frame: a request to a ring, or one frame of its reply.
public protocol FramePacket: Hashable, Sendable {
    /// The name of the type, as programs write it.
    static var name: PacketName { get }

    /// The first byte of the frame.
    static var opcode: UInt8 { get }

    /// The layout of the payload: each field once, in its place. See ``FieldIO``.
    @inlinable
    init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError)
}

extension FramePacket {
    /// Decodes the packet from a frame of its command.
    @inlinable @inline(__always)
    public init(decoding frame: Frame) throws(PacketError) {
        var sink = IgnoringSink()
        try self.init(decoding: frame, sink: &sink)
    }

    /// Decodes the packet from a frame of its command, and passes each field to a sink.
    @inlinable @inline(__always)
    public init<Sink: FieldSink>(decoding frame: Frame, sink: inout Sink) throws(PacketError) {
        guard frame.opcode == Self.opcode else {
            try PacketError.throwWrongOpcode(Self.name, expected: Self.opcode, found: frame.opcode)
        }
        var reader = FrameReader(frame, sink: sink)
        defer { sink = reader.sink }
        do throws(PacketError) {
            try self.init(&reader, nil)
            guard reader.remaining == 0 else {
                try PacketError.throwTrailingBytes(at: reader.offset, count: reader.remaining)
            }
        } catch {
            try PacketError.throwNamed(Self.name, error)
        }
    }

    /// The packet as sixteen bytes with their checksum, ready to write.
    @inlinable @inline(__always)
    public var frame: Frame {
        var writer = FrameWriter(opcode: Self.opcode)
        do throws(PacketError) {
            _ = try Self(&writer, self)
        } catch {
            assertionFailure("a writer does not throw")
        }
        return writer.frame
    }
}

/// A packet that is sent to a ring.
public protocol RequestPacket: FramePacket {
    /// The command of the packet.
    associatedtype Owner: Command
    /// `true` if the request does not change the ring, so that it may be sent again after a
    /// timeout.
    var onlyReads: Bool { get }
    /// Returns `true` if a frame of the command's opcode can belong to the reply to exactly this
    /// request.
    ///
    /// A reading is no reply to a write, and a log of another day is no reply.
    func isAnswered(by frame: Frame) -> Bool
}

extension RequestPacket {
    /// The name of the packet: `Command.Request`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Request") }
    /// The command's opcode.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { Owner.opcode }

    /// The command's ``CommandFacts/onlyReads``.
    @inlinable public var onlyReads: Bool { Owner.onlyReads }

    /// Returns `true`, as most commands have replies of one kind.
    @inlinable public func isAnswered(by frame: Frame) -> Bool { true }
}

/// A packet that is a ring's whole reply, or that a ring pushes.
public protocol ReplyPacket: FramePacket {
    /// The command of the packet.
    associatedtype Owner: Command
    /// Returns `true` if a frame of this command means "no data".
    static func isNoData(_ frame: Frame) -> Bool
}

extension ReplyPacket {
    /// The name of the packet: `Command.Reply`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Reply") }

    /// The command's opcode.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { Owner.opcode }

    /// Returns `false`, as most commands have no such reply.
    @inlinable @inline(__always)
    public static func isNoData(_ frame: Frame) -> Bool { false }

    /// Decodes a frame as the reply to this command: a value, a refusal, or "no data".
    ///
    /// If the opcode has bit 7 set, a frame can be another command's refusal. Such a frame is no
    /// reply to this command.
    @inlinable @inline(__always)
    public static func answer(_ frame: Frame) throws(PacketError) -> Answer<Self> {
        if frame.opcode == opcode, opcode & Refusal.bit == 0 || frame.refusedOpcode == nil {
            if isNoData(frame) { return .noData }
            return .value(try Self(decoding: frame))
        }
        if frame.refusedOpcode == opcode { return .refused }
        let found = frame.opcode == opcode ? opcode & ~Refusal.bit : frame.opcode
        try PacketError.throwWrongOpcode(name, expected: opcode, found: found)
    }
}

/// A packet that is one frame of a reply of many frames.
public protocol PartPacket: FramePacket {
    /// The command of the packet.
    associatedtype Owner: Command
}

extension PartPacket {
    /// The name of the packet: `Command.Part`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Part") }
    /// The command's opcode.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { Owner.opcode }
}

/// A reply of many frames. Its description is the text that fixtures and captures show.
public protocol ManyFrameReply: Hashable, Sendable, CustomStringConvertible {
    /// The frames that a ring sends for the reply.
    var frames: [Frame] { get }
}

/// Joins the frames of one reply.
///
/// An error keeps the frames received so far: the missing frames can follow.
public protocol ReplyAssembly: Sendable {
    /// The whole reply.
    associatedtype Reply: ManyFrameReply

    /// Creates an assembly without frames.
    init()

    /// Receives one frame; returns the reply when it was the last frame needed, else `nil`.
    mutating func receive(_ frame: Frame) throws(PacketError) -> Answer<Reply>?

    /// The incomplete reply, or `nil` if the frames so far make none.
    var partial: Reply? { get }

    /// Returns `true` if a frame of the command is the first one of a reply.
    static func begins(_ frame: Frame) -> Bool

    /// `true` if frames of two replies to the same request may be joined.
    ///
    /// If `false`, received frames are dropped when the request is sent again, so that no reply is
    /// a mixture of two.
    static var joinsAnswers: Bool { get }

    /// Prepares for a repeated request.
    ///
    /// Later frames may belong to another reply, whose first frame may be lost.
    mutating func beginAgain()
}

extension ReplyAssembly {
    /// `nil`: an incomplete reply has no value.
    public var partial: Reply? { nil }

    /// `true`: most assemblies detect a difference between two replies.
    public static var joinsAnswers: Bool { true }

    /// Drops all frames if those of two replies may not be joined.
    public mutating func beginAgain() {
        if !Self.joinsAnswers { self = Self() }
    }
}

/// A packet's type as a value: its name, and closures that decode and encode.
public struct FrameForm: Sendable {
    /// The name of the type.
    public let name: PacketName

    /// Decodes a frame and encodes the packet again.
    package let reencode: @Sendable (Frame) throws(PacketError) -> Frame

    #if !hasFeature(Embedded)
    /// Decodes a frame, records the fields, and encodes the packet again.
    package let record: @Sendable (Frame, inout FieldRecorder) throws(PacketError) -> Frame
    #endif

    /// Creates the form of a packet type, from the catalogue or your own.
    public init<Packet: FramePacket>(_ type: Packet.Type) {
        name = Packet.name
        reencode = { frame throws(PacketError) in try Packet(decoding: frame).frame }
        #if !hasFeature(Embedded)
        record = { frame, recorder throws(PacketError) in
            try Packet(decoding: frame, sink: &recorder).frame
        }
        #endif
    }
}

/// The type of a ``ReplyAssembly`` as a value.
package struct FrameJoiner: Sendable {
    /// A whole reply of any type.
    package struct Joined: Hashable, Sendable {
        /// The text that fixtures and captures show.
        package let reading: String
        /// The frames that the reply encodes as.
        package let frames: [Frame]

        init(_ reply: some ManyFrameReply) {
            reading = reply.description
            frames = reply.frames
        }

        /// Compares the frames.
        package static func == (left: Joined, right: Joined) -> Bool {
            left.frames == right.frames
        }

        /// Hashes the frames.
        package func hash(into hasher: inout Hasher) {
            hasher.combine(frames)
        }
    }

    /// Joins frames until one completes the reply; `used` is the number of frames up to it.
    ///
    /// Errors on the way are collected; they do not end the assembly.
    package let join:
        @Sendable (ArraySlice<Frame>) -> (
            answer: Answer<Joined>?, used: Int, faults: [PacketError]
        )

    #if !hasFeature(Embedded)
    /// Returns an assembly that begins with a frame; `nil` if no reply begins with it.
    package let assembly: @Sendable (Frame) -> (any ReplyAssembly)?
    #endif

    init<Assembly: ReplyAssembly>(_ type: Assembly.Type) {
        #if !hasFeature(Embedded)
        assembly = { Assembly.begins($0) ? Assembly() : nil }
        #endif
        join = { frames in
            var assembly = Assembly()
            var faults: [PacketError] = []
            for (index, frame) in frames.enumerated() {
                do throws(PacketError) {
                    guard let answer = try assembly.receive(frame) else { continue }
                    return (answer.map { Joined($0) }, index + 1, faults)
                } catch {
                    faults.append(error)
                }
            }
            return (nil, frames.count, faults)
        }
    }
}

#if !hasFeature(Embedded)
/// The frames of one command from a device, received one after another.
///
/// A reply begins with the last frame that can begin one, and has no frame too many and none that
/// its assembly refuses. So a stray frame costs at most the reply in whose middle it stands. An
/// assembly has a bounded size, and each frame is joined once.
package struct ReplyReader: Sendable {
    private var assembly: (any ReplyAssembly)?
    private var count = 0

    /// Creates a reader that has received no frame.
    package init() {}

    /// Receives the next frame; returns the reply whose last frame it is, else `nil`.
    package mutating func receive(_ frame: Frame, _ joiner: FrameJoiner) -> FrameJoiner.Joined? {
        if let begun = joiner.assembly(frame) { (assembly, count) = (begun, 0) }
        count += 1
        do throws(PacketError) {
            guard let answer = try assembly?.join(frame) else { return nil }
            assembly = nil
            guard let reply = answer.value, reply.frames.count == count else { return nil }
            return reply
        } catch {
            assembly = nil
            return nil
        }
    }
}

extension ReplyAssembly {
    fileprivate mutating func join(
        _ frame: Frame
    ) throws(PacketError) -> Answer<FrameJoiner.Joined>? {
        try receive(frame)?.map { FrameJoiner.Joined($0) }
    }
}
#endif
