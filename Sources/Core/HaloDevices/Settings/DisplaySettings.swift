public import HaloProtocol

/// The settings of a ring's screen.
public struct DisplaySettings: Hashable, Sendable, Codable, CustomStringConvertible {
    /// `true` if the screen lights up.
    public var isOn: Bool
    /// The hand that wears the ring; `nil` if the ring reports neither. `nil` is written as the
    /// left hand.
    public var hand: Display.Hand?
    /// The brightness, from 1 to 5.
    public var brightness: Int
    /// The highest brightness that the ring supports; 5 in every capture.
    public var brightnessLimit: Int
    /// `true` if the screen lights up at any time, not only during ``hours``.
    public var isAllDay: Bool
    /// The part of the day in which the screen lights up; `nil` if the ring reports none. `nil` is
    /// written as midnight.
    public var hours: DailyHours?

    package static let brightnesses = Display.Setting.brightnessRange

    /// Creates settings.
    public init(
        isOn: Bool, hand: Display.Hand?, brightness: Int, brightnessLimit: Int = 5,
        isAllDay: Bool = true, hours: DailyHours? = nil
    ) {
        self.isOn = isOn
        self.hand = hand
        self.brightness = brightness
        self.brightnessLimit = brightnessLimit
        self.isAllDay = isAllDay
        self.hours = hours
    }

    /// The settings in words: `on, all day, brightness 3 of 5, left hand`.
    public var description: String {
        let times = isAllDay ? "all day" : hours.map { "\($0)" } ?? "hours not known"
        let hand = hand.map { ", \($0.label) hand" } ?? ""
        let light = "brightness \(brightness) of \(brightnessLimit)"
        return "\(Wording.state(isOn)), \(times), \(light)\(hand)"
    }

    fileprivate init(_ reading: Display.Setting) {
        self.init(
            isOn: reading.enabled.isOn, hand: reading.hand.known,
            brightness: Int(reading.brightness), brightnessLimit: Int(reading.brightnessLimit),
            isAllDay: reading.allDay == .yes, hours: DailyHours(reading.period))
    }
}

extension RingSetting<DisplaySettings> {
    /// The settings of the screen. Reading was captured on an R12; two apps are known to write
    /// them.
    public static var display: RingSetting {
        RingSetting(
            Display.self, blank: Display.Setting(), value: { DisplaySettings($0) }, edit: edit)
    }

    private static func edit(
        _ packet: inout Display.Setting, _ change: SettingChange<DisplaySettings>
    ) throws(DeviceError) {
        if let isOn = change[\.isOn] { packet.enabled = Reported(SwitchState(oneOrTwo: isOn)) }
        if let hand = change[\.hand] { packet.hand = Reported(hand ?? .left) }
        if let brightness = change[\.brightness] {
            packet.brightness = try .checked(
                brightness, "brightness", in: DisplaySettings.brightnesses)
        }
        if let limit = change[\.brightnessLimit] {
            packet.brightnessLimit = try .checked(limit, "brightnessLimit")
        }
        if let isAllDay = change[\.isAllDay] { packet.allDay = Reported(isAllDay ? .yes : .no) }
        if let hours = change[\.hours] {
            packet.period = DailyPeriod(hours ?? DailyHours(from: .midnight, to: .midnight))
        }
    }
}

extension RingSetting<TouchControl> {
    /// The app that is controlled by touch; writing is known from vendor notes only.
    public static var touch: RingSetting {
        surface(.touch) { app, minutes in
            TouchControl(app, sleepsAfter: .minutes(Int(minutes)))
        } edit: { (packet, change) throws(DeviceError) in
            if let app = change[\.app] { packet.app = Reported(app) }
            if let sleepsAfter = change[\.sleepsAfter] {
                packet.parameter = try TouchControl.sleepMinutes.minutes(
                    sleepsAfter, "sleepsAfterMinutes")
            }
        }
    }
}

extension RingSetting<GestureControl> {
    /// The app that is controlled by gestures; writing is known from vendor notes only.
    public static var gesture: RingSetting {
        surface(.gesture) { app, strength in
            GestureControl(app, strength: Int(strength))
        } edit: { (packet, change) throws(DeviceError) in
            if let app = change[\.app] { packet.app = Reported(app) }
            if let strength = change[\.strength] {
                packet.parameter = try .checked(strength, "strength", in: GestureControl.strengths)
            }
        }
    }
}

extension RingSetting {
    fileprivate static func surface(
        _ surface: TouchGesture.Surface,
        value: @escaping @Sendable (TouchGesture.App, UInt8) -> Value,
        edit: @escaping Edit<TouchGesture.Setting>
    ) -> RingSetting {
        RingSetting(
            read: RingRequest(TouchGesture.Request.read(surface)),
            reading: { reply in
                guard let setting = reply.reading?.setting else { return nil }
                return setting.app.known.map { (value($0, setting.parameter), setting) }
            },
            blank: TouchGesture.Setting(.off, parameter: 0), edit: edit,
            write: { RingRequest(TouchGesture.Request.write($0, to: surface)) },
            isWritten: { $0.action == .write })
    }
}
