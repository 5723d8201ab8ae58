public import HaloProtocol
public import HaloTransport

/// A virtual LED strip with a Triones controller.
///
/// Its light at any moment is ``light(at:)``. It has no memory: it begins with ``init(options:)``
/// each time.
///
/// What is known from notes on the protocol: the packets, that commands have no reply, that a
/// status keeps the last colour while an animation runs, and that white light reads back as white
/// with dark colours. Uncertain, and chosen here: bytes that are no command are ignored; a strip
/// that is off takes colours and animations, and shows them once it is on; the duration of an
/// animation's steps; that the clock does nothing.
public struct VirtualLEDStrip: GATTPeripheral {
    /// The options of the strip.
    package let options: VirtualLEDStripOptions
    /// `true` if the strip is on.
    public private(set) var isOn: Bool
    /// The animation, or ``/HaloProtocol/LEDStripMode/steady``; `nil` for a mode that is not known.
    public var mode: LEDStripMode? { reportedMode.known }
    /// The time per step of the animation; 1 is the fastest.
    public private(set) var speed: UInt8 = 0
    /// The last colour, or white light.
    public private(set) var steadyLight = LEDLight(LEDColour(red: 255))
    /// The last command for the clock; `nil` before.
    public private(set) var clock: LEDStripClock?
    package private(set) var commandCount = 0
    private var animationStart = Moment.origin
    private var reportedMode: Reported<LEDStripMode> = Reported(.steady)

    private var database = GATTDatabase()
    private let statusAttribute: AttributeID

    /// Creates a strip that shines red.
    public init(options: VirtualLEDStripOptions = VirtualLEDStripOptions()) {
        self.options = options
        isOn = options.isOn
        database.add(LEDStripServices.commandService) { service in
            _ = service.add(LEDStripServices.commands, [.write, .writeWithoutResponse])
        }
        statusAttribute = database.add(LEDStripServices.statusService) { service in
            service.add(LEDStripServices.status, .notify)
        }
    }

    /// The services of the strip.
    public var services: [GATTService] { database.services }

    /// The light that the strip gives at a moment.
    public func light(at moment: Moment) -> LEDLight {
        guard isOn else { return .dark }
        guard let animation = mode.flatMap(LEDAnimation.init) else { return steadyLight }
        let elapsed = moment.duration(since: animationStart)
        return LEDLight(animation.colour(after: elapsed, speed: speed))
    }

    /// The status that the strip reports.
    public var status: LEDStripStatus {
        var status = LEDStripStatus(
            power: isOn ? .on : .off, speed: speed, red: steadyLight.colour.red,
            green: steadyLight.colour.green, blue: steadyLight.colour.blue,
            white: steadyLight.white)
        status.mode = reportedMode
        return status
    }

    /// Switches the strip on or off, as with its remote control. No status is sent.
    public mutating func setPower(isOn: Bool) { self.isOn = isOn }

    /// Handles one event, and appends its effects.
    public mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started:
            effects.append(.advertise(advertisement))
        case .read(let attribute, _, let token):
            effects.refuse(database.refusalToRead(attribute) ?? .readNotPermitted, token)
        case .write(let attribute, let value, let token):
            let way: WriteMode = token == nil ? .withoutResponse : .withResponse
            if let refusal = database.refusalToWrite(attribute, way) {
                return effects.refuse(refusal, token)
            }
            effects.accept(token)
            obey(value, at: now, into: &effects)
        case .woken, .changed, .connected, .disconnected, .maximumLength, .subscription,
            .confirmed:
            break
        }
    }

    private var advertisement: PeripheralAdvertisement {
        let services = options.advertisesService ? [LEDStripServices.commandService] : []
        return PeripheralAdvertisement(.connectable(name: options.name, services: services))
    }

    private mutating func obey(
        _ value: [UInt8], at now: Moment, into effects: inout PeripheralEffects
    ) {
        if let command = try? LEDStripCommand.Switch(decoding: value) {
            isOn = command.power == .on
        } else if let command = try? LEDStripCommand.Colour(decoding: value) {
            steadyLight = LEDLight(command)
            (reportedMode, speed) = (Reported(.steady), 0)
        } else if let command = try? LEDStripCommand.Show(decoding: value) {
            (reportedMode, speed) = (command.mode, command.speed)
            animationStart = now
        } else if let command = try? LEDStripClock(decoding: value) {
            clock = command
        } else if (try? LEDStripCommand.StatusRequest(decoding: value)) != nil {
            effects.notify(statusAttribute, status.bytes)
        } else {
            return
        }
        commandCount += 1
    }
}

/// An animation of the controller. The colours follow the names of the modes; the times are chosen.
private struct LEDAnimation {
    private enum Change {
        /// Each colour becomes the next one.
        case fade
        /// Each colour comes from the dark and goes into it.
        case breathe
        /// Each colour flashes.
        case flash
        /// Each colour stays for a step.
        case jump
    }

    private let change: Change
    private let colours: [LEDColour]

    private static let red = LEDColour(red: 255)
    private static let green = LEDColour(green: 255)
    private static let blue = LEDColour(blue: 255)
    private static let yellow = LEDColour(red: 255, green: 255)
    private static let cyan = LEDColour(green: 255, blue: 255)
    private static let purple = LEDColour(red: 255, blue: 255)
    private static let seven = [red, green, blue, yellow, cyan, purple, .white]

    init?(_ mode: LEDStripMode) {
        switch mode {
        case .steady: return nil
        case .sevenColourFade: (change, colours) = (.fade, Self.seven)
        case .redFade: (change, colours) = (.breathe, [Self.red])
        case .greenFade: (change, colours) = (.breathe, [Self.green])
        case .blueFade: (change, colours) = (.breathe, [Self.blue])
        case .yellowFade: (change, colours) = (.breathe, [Self.yellow])
        case .cyanFade: (change, colours) = (.breathe, [Self.cyan])
        case .purpleFade: (change, colours) = (.breathe, [Self.purple])
        case .whiteFade: (change, colours) = (.breathe, [.white])
        case .redGreenFade: (change, colours) = (.fade, [Self.red, Self.green])
        case .redBlueFade: (change, colours) = (.fade, [Self.red, Self.blue])
        case .greenBlueFade: (change, colours) = (.fade, [Self.green, Self.blue])
        case .sevenColourStrobe: (change, colours) = (.flash, Self.seven)
        case .redStrobe: (change, colours) = (.flash, [Self.red])
        case .greenStrobe: (change, colours) = (.flash, [Self.green])
        case .blueStrobe: (change, colours) = (.flash, [Self.blue])
        case .yellowStrobe: (change, colours) = (.flash, [Self.yellow])
        case .cyanStrobe: (change, colours) = (.flash, [Self.cyan])
        case .purpleStrobe: (change, colours) = (.flash, [Self.purple])
        case .whiteStrobe: (change, colours) = (.flash, [.white])
        case .sevenColourJump: (change, colours) = (.jump, Self.seven)
        }
    }

    /// The time of a step for each unit of speed.
    private static let stepUnit = Duration.milliseconds(50)

    func colour(after elapsed: Duration, speed: UInt8) -> LEDColour {
        let step = Self.stepUnit * Int(max(speed, 1))
        let microseconds = max(elapsed.wholeMicroseconds, 0)
        let length = step.wholeMicroseconds
        let place = Int(microseconds / length % Int64(colours.count))
        let part = Int(microseconds % length * 1000 / length)
        let colour = colours[place]
        switch change {
        case .fade:
            return colour.mixed(with: colours[(place + 1) % colours.count], thousandths: part)
        case .breathe: return colour.dimmed(toThousandths: 1000 - abs(2 * part - 1000))
        case .flash: return part < 500 ? colour : .black
        case .jump: return colour
        }
    }
}
