/// Raw values of the ring's sensors.
///
///     → A1 action                      2 stop, 3 once, 4 start; some apps start with A1 04 04
///     → A1 00                          stop, with a reply; A1 01: start (one source, R08)
///     ← A1 01 optical…                 blood-oxygen channel
///     ← A1 02 optical…                 pulse channel
///     ← A1 03 y z x                    accelerometer
///     ← A1 04 four numbers             not described: 2 bytes BE each (one source, R08)
///     ← A1 05 number                   not described: 2 bytes BE (one source, R08)
///     ← A1 FF                          the reply to A1 00 (one source, R08)
///
///     optical: value, maximum, minimum, difference: 2 bytes BE each; then 01 on an R02
///     y, z, x: 2 bytes BE each, signed. On an R02 twelve bits: the first byte holds bits 4–11, the
///              low half of the second one bits 0–3, its high half is 0; 512 is 1 g, the range
///              ±4 g. On an R08 sixteen bits, 8192 is 1 g (one source: 83 readings, 8196 at rest;
///              another says so of an R12). The order of the axes is known of the R02 alone
///
/// Several sources agree on the requests; no capture shows one. The channels were captured on R02,
/// once a second each. One source each has them from R06, from R09 (board RY09) at the same rate,
/// from RT02R and RT02CR, with a channel 05, and from R08. A stop may be ignored: an R08 sent
/// values after both stops, an RT02R needed a second one, and one left its light on. One document
/// warns that the frames may come from the second service.
public enum RawSensors: ActionCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0xA1, "RawSensors", "raw sensors", .captured)
    }

    /// Start, stop, or send once.
    public enum Action: UInt8, FieldCode {
        /// Stops; the ring replies with ``Content/stopped`` (one source, R08).
        case stopWithReply = 0
        /// Starts (one source, R08).
        case startBasic = 1
        case stop = 2
        /// Sends each channel once.
        case once = 3
        case start = 4

        public static let labels = FieldLabels<Action>([
            .stopWithReply: "stop, with a reply", .startBasic: "start (01)",
        ])
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
            case .undescribed4:
                content = .undescribed4(try FourNumbers(&io, packet?.content.numbers))
            case .undescribed5:
                content = .undescribed5(
                    try io.uint16("number", packet?.content.number, .measured, isBigEndian: true))
            case .stopped: content = .stopped
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
        /// Numbers without a description, of an R08.
        case undescribed4(FourNumbers)
        /// A number without a description, of an R08. It was 0x0146 in all frames: 32.6 °C if it is
        /// a temperature in tenths.
        case undescribed5(UInt16)
        /// The reply to ``Action/stopWithReply``.
        case stopped
        case unknown(Reported<Channel>)

        /// The channel of the values.
        @inlinable public var channel: Reported<Channel> {
            switch self {
            case .bloodOxygen: Reported(.bloodOxygen)
            case .pulse: Reported(.pulse)
            case .acceleration: Reported(.acceleration)
            case .undescribed4: Reported(.undescribed4)
            case .undescribed5: Reported(.undescribed5)
            case .stopped: Reported(.stopped)
            case .unknown(let channel): channel
            }
        }

        @usableFromInline var optical: Optical? {
            switch self {
            case .bloodOxygen(let optical), .pulse(let optical): optical
            case .acceleration, .undescribed4, .undescribed5, .stopped, .unknown: nil
            }
        }

        @usableFromInline var acceleration: Acceleration? {
            if case .acceleration(let acceleration) = self { acceleration } else { nil }
        }

        @usableFromInline var numbers: FourNumbers? {
            if case .undescribed4(let numbers) = self { numbers } else { nil }
        }

        @usableFromInline var number: UInt16? {
            if case .undescribed5(let number) = self { number } else { nil }
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
        /// Four numbers of unknown meaning: 0 to 10 thrice, then 0x0FFF, on an R08.
        case undescribed4 = 4
        /// A number of unknown meaning.
        case undescribed5 = 5
        /// No channel: the values have been stopped.
        case stopped = 0xFF

        public static let labels = FieldLabels<Channel>([
            .undescribed4: "not described (4)", .undescribed5: "not described (5)",
        ])
    }

    /// The numbers of channel 4, whose meaning is unknown.
    public struct FourNumbers: Hashable, Sendable {
        public let first, second, third, fourth: UInt16

        package init(first: UInt16 = 0, second: UInt16 = 0, third: UInt16 = 0, fourth: UInt16) {
            (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
        }

        @inlinable @inline(__always)
        init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            first = try io.uint16("first", packet?.first, .measured, isBigEndian: true)
            second = try io.uint16("second", packet?.second, .measured, isBigEndian: true)
            third = try io.uint16("third", packet?.third, .measured, isBigEndian: true)
            fourth = try io.uint16("fourth", packet?.fourth, .measured, isBigEndian: true)
        }
    }

    /// The light that comes back from the skin, in units of the sensor.
    public struct Optical: Hashable, Sendable {
        public var value: UInt16
        /// The maximum of an earlier measurement: the value may be above it.
        public var maximum: UInt16
        /// The minimum of an earlier measurement: the value may be below it.
        public var minimum: UInt16
        /// Maximum minus minimum, on the pulse channel and, by one source, on the blood-oxygen
        /// channel of an R08; an R02's blood-oxygen channel has another number.
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
