import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The light and the status of a virtual LED strip.
@Suite(.passesTime) struct VirtualLEDStripTests {
    private static let red = LEDColour(red: 255)

    private static func written(
        _ packets: [any BytePacket], to strip: VirtualLEDStrip = VirtualLEDStrip()
    ) throws -> PeripheralProbe<VirtualLEDStrip> {
        var probe = PeripheralProbe(strip)
        probe.handle(.connected)
        for packet in packets { try write(packet.bytes, &probe) }
        return probe
    }

    private static func write(
        _ bytes: [UInt8], _ probe: inout PeripheralProbe<VirtualLEDStrip>
    ) throws {
        let commands = try #require(
            probe.device.services.first { $0.uuid == LEDStripServices.commandService }?
                .characteristics.first)
        probe.handle(.write(commands.id, bytes, token: nil))
    }

    private static func light(_ probe: PeripheralProbe<VirtualLEDStrip>) -> LEDLight {
        probe.device.light(at: probe.now)
    }

    /// The examples of the notes on the protocol.
    @Test(arguments: [
        ("560000FF00F0AA CC2433", "66152441200000 00FF000699"),
        ("56FF000000F0AA BB271F44", "66152327201FFF0000000699"),
        ("56FF000000F0AA BB341044 CC2433", "661524342010FF0000000699"),
        ("56000000300FAA", "661523412000000000300699"),
        ("56010203300FAA", "661523412000000000300699"),
        ("BB271F44 56FF000000F0AA", "66152341 2000FF0000000699"),
        ("BB500144", "661523502001FF0000000699"),
    ])
    func reportsWhatCommandsHaveSet(commands: String, status: String) throws {
        var probe = try Self.written([])
        for command in commands.split(separator: " ") {
            try Self.write(try HexText.parse(String(command)), &probe)
        }
        #expect(probe.sent.isEmpty)
        try Self.write(LEDStripCommand.StatusRequest().bytes, &probe)
        #expect(probe.sent.map(\.bytes) == [try HexText.parse(status)])
        #expect(probe.sent.first?.uuid == LEDStripServices.status)
    }

    @Test func lightIsWhatTheLampsDo() throws {
        #expect(Self.light(try Self.written([])) == LEDLight(Self.red))
        let off = try Self.written([LEDStripCommand.Switch(.off)])
        #expect(Self.light(off) == .dark)
        let white = try Self.written([LEDStripCommand.Colour(white: 7)])
        #expect(Self.light(white) == LEDLight(white: 7))
        #expect("\(Self.light(white))" == "#000000 white 7")
    }

    static let animations: [(LEDStripMode, [(Int, String)])] = [
        (.redStrobe, [(0, "#FF0000"), (49, "#FF0000"), (50, "#000000"), (100, "#FF0000")]),
        (.redFade, [(0, "#000000"), (25, "#800000"), (50, "#FF0000"), (75, "#800000")]),
        (.redBlueFade, [(0, "#FF0000"), (50, "#800080"), (100, "#0000FF"), (200, "#FF0000")]),
        (.sevenColourJump, [(0, "#FF0000"), (99, "#FF0000"), (100, "#00FF00"), (699, "#FFFFFF")]),
    ]

    /// The colours of the animations, in steps of a second: where a flash is on, and a breath is
    /// deepest.
    static let colours: [(LEDStripMode, [String])] = [
        (.sevenColourFade, seven), (.sevenColourStrobe, seven), (.sevenColourJump, seven),
        (.redFade, ["#FF0000"]), (.redStrobe, ["#FF0000"]),
        (.greenFade, ["#00FF00"]), (.greenStrobe, ["#00FF00"]),
        (.blueFade, ["#0000FF"]), (.blueStrobe, ["#0000FF"]),
        (.yellowFade, ["#FFFF00"]), (.yellowStrobe, ["#FFFF00"]),
        (.cyanFade, ["#00FFFF"]), (.cyanStrobe, ["#00FFFF"]),
        (.purpleFade, ["#FF00FF"]), (.purpleStrobe, ["#FF00FF"]),
        (.whiteFade, ["#FFFFFF"]), (.whiteStrobe, ["#FFFFFF"]),
        (.redGreenFade, ["#FF0000", "#00FF00"]), (.redBlueFade, ["#FF0000", "#0000FF"]),
        (.greenBlueFade, ["#00FF00", "#0000FF"]),
    ]
    private static let seven = [
        "#FF0000", "#00FF00", "#0000FF", "#FFFF00", "#00FFFF", "#FF00FF", "#FFFFFF",
    ]

    @Test func animationsHaveTheColoursOfTheirNames() throws {
        #expect(Set(Self.colours.map(\.0)).union([.steady]) == Set(LEDStripMode.allCases))
        for (mode, colours) in Self.colours {
            let probe = try Self.written([LEDStripCommand.Show(mode, speed: 20)])
            let begun = Self.light(probe) == .dark ? probe.now + .milliseconds(500) : probe.now
            let found = colours.indices.map { index in
                "\(probe.device.light(at: begun + .seconds(index)))"
            }
            #expect(found == colours, "\(mode)")
        }
    }

    @Test(arguments: animations)
    func animationsMove(mode: LEDStripMode, colours: [(Int, String)]) throws {
        var probe = try Self.written([])
        probe.advance(by: .seconds(3))
        try Self.write(LEDStripCommand.Show(mode, speed: 2).bytes, &probe)
        let begun = probe.now
        for (milliseconds, colour) in colours {
            let light = probe.device.light(at: begun + .milliseconds(milliseconds))
            #expect("\(light)" == colour, "after \(milliseconds) ms")
        }
    }

    @Test(arguments: LEDStripMode.allCases)
    func everyAnimationHasALightAtEveryMoment(mode: LEDStripMode) throws {
        for speed in [0, 1, 255] as [UInt8] {
            let probe = try Self.written([LEDStripCommand.Show(mode, speed: speed)])
            for moment in [.origin, probe.now, probe.now + .seconds(1), .distantFuture] {
                let light = probe.device.light(at: moment)
                #expect(light.white == 0)
            }
        }
    }

    @Test func whatIsNoCommandIsIgnored() throws {
        var probe = try Self.written([])
        for bytes in [[], [0xCC], [0xCC, 0x23, 0x34], [0x56, 1, 2], [0xFF]] as [[UInt8]] {
            try Self.write(bytes, &probe)
        }
        #expect(probe.device.commandCount == 0)
        #expect(Self.light(probe) == LEDLight(Self.red))
        #expect(probe.sent.isEmpty)
    }

    @Test func keepsTheClockThatItWasTold() throws {
        let clock = LEDStripClock(CivilDateTime(secondsSince1970: 1_800_000_000))
        #expect(try Self.written([clock]).device.clock == clock)
    }

    @Test func advertisesItsNameAndService() throws {
        for lists in [true, false] {
            var options = VirtualLEDStripOptions()
            options.advertisesService = lists
            let probe = PeripheralProbe(VirtualLEDStrip(options: options))
            let data = try #require(probe.advertisement?.data)
            let recognition = AdvertisedDevice(data).recognition
            #expect(recognition.classification == .family(.ledStrip))
            #expect(recognition.confidence == (lists ? .likely : .possible))
        }
    }
}
