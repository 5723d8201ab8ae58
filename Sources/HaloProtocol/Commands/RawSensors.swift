/// What the sensors measure, before the ring makes anything of it.
///
///     → A1 action                      2 stop, 3 once, 4 start; some apps start with A1 04 04
///     ← A1 01 optical…                 blood-oxygen channel
///     ← A1 02 optical…                 pulse channel
///     ← A1 03 y z x                    accelerometer
///
///     optical: value, most, least, difference: 2 bytes BE each; then 01 in every capture
///     y, z, x: 2 bytes each. The first byte holds bits 4–11 of a signed number, the low half of
///              the second one bits 0–3; the high half was always 0. 512 is 1 g, the range ±4 g
///
/// Seen on R02 and R06, once a second for each channel; firmware of RT boards was not seen to
/// answer. One document warns that the frames may come from the second service.
public enum RawSensors: ActionCommand, RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0xA1 }
    @inlinable public static var name: FieldName { "RawSensors" }
    @inlinable public static var title: FieldName { "raw sensors" }
    @inlinable public static var evidence: Evidence { .captured }

    /// Starts or ends the stream. Several sources agree on it; no capture shows one.
    public typealias Request = ActionRequest<RawSensors>

    /// What to do with the stream.
    public enum Action: UInt8, FieldCode {
        /// Ends it.
        case stop = 2
        /// Sends each channel once.
        case once = 3
        /// Starts it.
        case start = 4

        public var label: FieldName {
            switch self {
            case .stop: "stop"
            case .once: "once"
            case .start: "start"
            }
        }
    }

    /// One channel's values.
    public struct Reply: ReplyPacket {
        public typealias Owner = RawSensors

        /// The values.
        public let content: Content
        /// What follows; 01 behind optical values, zeros otherwise.
        public let unclaimed: InlineBytes

        /// Values of a channel.
        @inlinable @inline(__always)
        public init(_ content: Content) {
            self.content = content
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            let channel = Reported<Channel>(rawValue: try reader.structure("channel"))
            reader.means { channel.description }
            switch channel.known {
            case .bloodOxygen: content = .bloodOxygen(try Optical(from: &reader))
            case .pulse: content = .pulse(try Optical(from: &reader))
            case .acceleration: content = .acceleration(try Acceleration(from: &reader))
            case nil:
                content = .unknown(Unknown(channel: channel, bytes: try reader.unclaimed()))
            }
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.structure("channel", content.channel.rawValue)
            switch content {
            case .bloodOxygen(let optical), .pulse(let optical): optical.encode(into: &writer)
            case .acceleration(let acceleration): acceleration.encode(into: &writer)
            case .unknown(let unknown): writer.unclaimed(unknown.bytes)
            }
            writer.unclaimed(unclaimed)
        }
    }

    /// The values of one channel.
    public enum Content: Hashable, Sendable {
        /// Light of the blood-oxygen channel.
        case bloodOxygen(Optical)
        /// Light of the pulse channel.
        case pulse(Optical)
        /// Acceleration along three axes.
        case acceleration(Acceleration)
        /// A channel that nobody has described.
        case unknown(Unknown)

        /// Which channel it is.
        @inlinable public var channel: Reported<Channel> {
            switch self {
            case .bloodOxygen: Reported(.bloodOxygen)
            case .pulse: Reported(.pulse)
            case .acceleration: Reported(.acceleration)
            case .unknown(let unknown): unknown.channel
            }
        }
    }

    /// Which sensor is read.
    public enum Channel: UInt8, FieldCode {
        /// Light of the blood-oxygen channel.
        case bloodOxygen = 1
        /// Light of the pulse channel.
        case pulse = 2
        /// The accelerometer.
        case acceleration = 3

        public var label: FieldName {
            switch self {
            case .bloodOxygen: "blood oxygen"
            case .pulse: "pulse"
            case .acceleration: "acceleration"
            }
        }
    }

    /// A channel that nobody has described.
    public struct Unknown: Hashable, Sendable {
        /// Its number.
        public let channel: Reported<Channel>
        /// Its bytes, without the zeros at the end.
        public let bytes: InlineBytes

        @usableFromInline
        init(channel: Reported<Channel>, bytes: InlineBytes) {
            self.channel = channel
            self.bytes = bytes
        }
    }
}

extension RawSensors {
    /// The light that comes back from the skin, in units of the sensor.
    public struct Optical: Hashable, Sendable {
        /// The value now.
        public var value: UInt16
        /// The highest value of late.
        public var most: UInt16
        /// The lowest value of late.
        public var least: UInt16
        /// Most less least on the pulse channel; something else on the other one.
        public var difference: UInt16

        /// Values of an optical channel.
        @inlinable @inline(__always)
        public init(value: UInt16, most: UInt16, least: UInt16, difference: UInt16) {
            self.value = value
            self.most = most
            self.least = least
            self.difference = difference
        }

        @inlinable @inline(__always)
        init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            value = try reader.uint16BigEndian("value")
            most = try reader.uint16BigEndian("most")
            least = try reader.uint16BigEndian("least")
            difference = try reader.uint16BigEndian("difference")
        }

        @inlinable @inline(__always)
        func encode(into writer: inout FrameWriter) {
            writer.uint16BigEndian("value", value)
            writer.uint16BigEndian("most", most)
            writer.uint16BigEndian("least", least)
            writer.uint16BigEndian("difference", difference)
        }
    }
}
