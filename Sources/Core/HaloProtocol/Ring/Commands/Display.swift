/// The time and the brightness of the screen, and raise-to-wake of older bands.
///
///     → 05 03                                    reads
///     → 05 04 setting…                           writes; two independent apps do
///     ← 05 03 setting…
///     ← 05 04 …                                  the reply to a write is not known: kept as it is
///     → 05 01, → 05 02 …                         raise-to-wake of older bands, read and write
///     ← 05 01 …, ← 05 02 …                       its layout is not known: kept as it is
///
///      2  enabled  1 on, 2 off
///      3  hand     1 left, 2 right
///      4  brightness, brightnessLimit    limit 5 on an R12
///      6  allDay   1 no, 2 yes
///      7  period   start hour, start minute, end hour, end minute; plain numbers
///
/// Only the reading was captured, on an R12.
public enum Display: SettingCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x05, "Display", "display and raise-to-wake", .captured)
    }

    /// The time and the brightness of the screen.
    public struct Setting: FrameFields {
        /// The switch of the setting: 1 on, 2 off.
        public var enabled: Reported<SwitchState>
        public var hand: Reported<Hand>
        /// The brightness, from 1.
        public var brightness: UInt8
        /// The highest brightness; 5 so far.
        public var brightnessLimit: UInt8
        public var allDay: Reported<AllDay>
        /// The hours in which the screen lights up, unless ``allDay`` is ``AllDay/yes``.
        public var period: DailyPeriod

        /// The range of ``brightness`` in every capture.
        package static var brightnessRange: ClosedRange<UInt8> { 1...5 }

        public init(
            isOn: Bool, hand: Hand, brightness: UInt8, brightnessLimit: UInt8 = 5,
            allDay: AllDay, period: DailyPeriod
        ) throws(ValueError) {
            try ValueError.check("brightness", brightness, in: Self.brightnessRange)
            enabled = Reported(SwitchState(oneOrTwo: isOn))
            self.hand = Reported(hand)
            self.brightness = brightness
            self.brightnessLimit = brightnessLimit
            self.allDay = Reported(allDay)
            self.period = period
        }

        /// Creates a setting of zeros, for a caller that sets each field.
        package init() {
            enabled = Reported(rawValue: 0)
            hand = Reported(rawValue: 0)
            brightness = 0
            brightnessLimit = 0
            allDay = Reported(rawValue: 0)
            period = DailyPeriod(from: .midnight, to: .midnight)
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            enabled = try io.reported("enabled", packet?.enabled, .open)
            hand = try io.reported("hand", packet?.hand, .open)
            brightness = try io.uint8("brightness", packet?.brightness, .open)
            brightnessLimit = try io.uint8("brightnessLimit", packet?.brightnessLimit, .open)
            allDay = try io.reported("allDay", packet?.allDay, .open)
            period = try DailyPeriod(&io, packet?.period)
        }
    }

    /// The hand on which a ring is worn.
    public enum Hand: UInt8, FieldCode {
        case left = 1
        case right = 2
    }

    /// The choice between all day and the period only. Unlike elsewhere, 2 is yes.
    public enum AllDay: UInt8, FieldCode {
        case no = 1
        case yes = 2
    }

    /// A read or a write of one of the two settings.
    public enum Action: UInt8, SettingCode {
        /// Requests the raise-to-wake of an older band: its layout is not known.
        case readRaiseToWake = 1
        /// Replaces the raise-to-wake of an older band: its layout is not known.
        case writeRaiseToWake = 2
        case read = 3
        case write = 4

        public var onlyReads: Bool { self == .read || self == .readRaiseToWake }

        public static let labels = FieldLabels<Action>([
            .readRaiseToWake: "read raise-to-wake", .writeRaiseToWake: "write raise-to-wake",
        ])
    }
}

extension SettingRequest where Owner == Display {
    /// The request for the raise-to-wake of an older band.
    public static var readRaiseToWake: SettingRequest { SettingRequest(.readRaiseToWake) }

    /// The request that replaces the raise-to-wake of an older band, with zeros.
    public static var writeRaiseToWake: SettingRequest { SettingRequest(.writeRaiseToWake) }
}
