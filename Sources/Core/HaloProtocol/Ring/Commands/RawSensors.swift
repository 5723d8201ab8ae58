/// Raw values of the ring's sensors.
///
///     → A1 action                      2 stop, 3 once, 4 start; some apps start with A1 04 04
///     ← A1 01 optical…                 blood-oxygen channel
///     ← A1 02 optical…                 pulse channel
///     ← A1 03 y z x                    accelerometer
///
///     optical: value, maximum, minimum, difference: 2 bytes BE each; then 01 in every capture
///     y, z, x: 2 bytes each. The first byte holds bits 4–11 of a signed number, the low half of
///              the second one bits 0–3; the high half was always 0. 512 is 1 g, the range ±4 g
///
/// Several sources agree on the requests; no capture shows one. The channels were captured on R02,
/// once a second each. One source each has them from R06, from R09 (board RY09) at the same rate,
/// and from RT02R and RT02CR, with a channel 05 of unknown content; there a second stop may be
/// needed. One document warns that the frames may come from the second service.
public enum RawSensors: ActionCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0xA1, "RawSensors", "raw sensors", .captured)
    }

    /// Start, stop, or send once.
    public enum Action: UInt8, FieldCode {
        case stop = 2
        /// Sends each channel once.
        case once = 3
        case start = 4
    }

    /// The values of one channel.
    public struct Reply: ReplyPacket {
        public typealias Owner = RawSensors

        public let content: Content
        /// The bytes after the fields: 01 after optical values, all bytes of an unknown channel,
        /// and zeros so far in other frames.
        public let unclaimed: InlineBytes

        package init(_ content: Content) {
            self.content = content
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            let channel = try io.reportedSelector("channel", packet?.content.channel)
            switch channel.known {
            case .bloodOxygen: content = .bloodOxygen(try Optical(&io, packet?.content.optical))
            case .pulse: content = .pulse(try Optical(&io, packet?.content.optical))
            case .acceleration:
                content = .acceleration(try Acceleration(&io, packet?.content.acceleration))
            case nil: content = .unknown(channel)
            }
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// The values of one channel.
    public enum Content: Hashable, Sendable {
        case bloodOxygen(Optical)
        case pulse(Optical)
        case acceleration(Acceleration)
        case unknown(Reported<Channel>)

        /// The channel of the values.
        @inlinable public var channel: Reported<Channel> {
            switch self {
            case .bloodOxygen: Reported(.bloodOxygen)
            case .pulse: Reported(.pulse)
            case .acceleration: Reported(.acceleration)
            case .unknown(let channel): channel
            }
        }

        @usableFromInline var optical: Optical? {
            switch self {
            case .bloodOxygen(let optical), .pulse(let optical): optical
            case .acceleration, .unknown: nil
            }
        }

        @usableFromInline var acceleration: Acceleration? {
            if case .acceleration(let acceleration) = self { acceleration } else { nil }
        }
    }

    /// A sensor's channel.
    public enum Channel: UInt8, FieldCode {
        /// Light of the blood-oxygen channel.
        case bloodOxygen = 1
        /// Light of the pulse channel.
        case pulse = 2
        /// The accelerometer.
        case acceleration = 3
    }

    /// The light that comes back from the skin, in units of the sensor.
    public struct Optical: Hashable, Sendable {
        public var value: UInt16
        /// The recent maximum.
        public var maximum: UInt16
        /// The recent minimum.
        public var minimum: UInt16
        /// Maximum minus minimum on the pulse channel; of unknown meaning on the blood-oxygen
        /// channel.
        public var difference: UInt16

        package init(value: UInt16, maximum: UInt16, minimum: UInt16, difference: UInt16) {
            self.value = value
            self.maximum = maximum
            self.minimum = minimum
            self.difference = difference
        }

        @inlinable @inline(__always)
        init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            value = try io.uint16("value", packet?.value, .light(.value), isBigEndian: true)
            maximum = try io.uint16("maximum", packet?.maximum, .light(.maximum), isBigEndian: true)
            minimum = try io.uint16("minimum", packet?.minimum, .light(.minimum), isBigEndian: true)
            difference = try io.uint16(
                "difference", packet?.difference, .light(.difference), isBigEndian: true)
        }
    }
}
