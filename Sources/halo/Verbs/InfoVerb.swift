import HaloDevices
import HaloProtocol
import HaloTransport

/// `halo info`: everything that a device says about itself.
struct InfoVerb: Verb {
    private let request: DeviceRequest
    private let setsClock: Bool

    private static let setClock = Flag(
        "set-clock",
        "sets the ring's clock, as apps do: most rings report their abilities only then")

    static let syntax = VerbSyntax(
        "info", "everything about a device: versions, battery, abilities, settings",
        options: [setClock] + DeviceRequest.options,
        json: """
            one JSON object a line: one of type device (name, address, kind, firmware, hardware, \
            battery, isCharging, information, abilities, location), and, of a ring, one of type \
            setting for each setting
            """,
        difference: "a setting of the ring could not be read",
        """
        Connects to a ring or a strap, and prints what it says about itself. Changes nothing on
        the device, not even its clock, unless --set-clock is given.
        """)

    init(_ arguments: ParsedArguments) throws(ArgumentError) {
        try arguments.refuseWords()
        request = try DeviceRequest(arguments)
        setsClock = arguments.has(Self.setClock)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        ProgramEnding.cancelsTask()
        let access = try await DeviceAccess(request, isShown: false, &console)
        let device = try await access.connect(
            setsClock ? RingOptions() : DeviceRequest.untouched)
        let status: ExitStatus
        do throws(Failure) {
            switch device {
            case .ring(let ring):
                try await show(ring, &console)
                status = try await SettingsPrinter.printAll(
                    of: ring, showsLacking: false, &console)
            case .strap(let strap, let name):
                try await show(strap, name, &console)
                status = .success
            }
        } catch {
            await device.disconnect()
            throw error
        }
        await device.disconnect()
        return status
    }

    private nonisolated(nonsending) func show(
        _ ring: Ring, _ console: inout Console
    ) async throws(Failure) {
        let (battery, information) = try await using { () async throws(DeviceError) in
            (try await ring.battery(), try await ring.deviceInformation())
        }
        let abilities = ring.capabilities.entries
        if console.isJSON {
            console.write(
                type: "device",
                Self.members("ring", ring.name, ring.identity, battery, information) + [
                    ("firmware", .text(ring.firmware.map { "\($0)" })),
                    ("hardware", .text(ring.hardware.map { "\($0)" })),
                    (
                        "abilities",
                        .object(abilities.map { (key: $0.name, value: $0.isSupported.json) })
                    ),
                ])
        } else {
            console.write(console.style.strong(ring.displayName.printable) + "\n")
            var rows = [["address", ring.identity.rawValue]]
            rows.append(["firmware", ring.firmware.map { "\($0)" } ?? "not reported"])
            rows.append(["hardware", ring.hardware.map { "\($0)" } ?? "not reported"])
            rows.append(["battery", "\(battery)"])
            rows += Self.rows(information)
            for (label, value) in [("can", true), ("cannot", false), ("not reported", nil)] {
                let names = abilities.filter { $0.isSupported == value }.map { $0.name }
                let lines = TextLayout.wrapped(names, separator: ", ", width: Self.textWidth)
                for (index, line) in lines.enumerated() {
                    rows.append([index == 0 ? label : "", line])
                }
            }
            Self.write(rows, &console)
            console.write("\n\(console.style.strong("Settings"))\n")
        }
        console.flush()
    }

    private nonisolated(nonsending) func show(
        _ strap: HeartRateSensor, _ name: String, _ console: inout Console
    ) async throws(Failure) {
        let (information, location) = try await using { () async throws(DeviceError) in
            (try await strap.deviceInformation(), try await strap.location())
        }
        var battery: BatteryCharge?
        do throws(DeviceError) {
            battery = try await strap.battery()
        } catch {
            // The battery service is optional.
            guard error.kind == .notSupported else { throw Failure(error) }
        }
        let place = location.map { "\($0)" }
        if console.isJSON {
            return console.write(
                type: "device",
                Self.members("strap", name, strap.identity, battery, information) + [
                    ("location", .text(place))
                ])
        }
        console.write(console.style.strong(name.printable) + "\n")
        var rows = [["address", strap.identity.rawValue]]
        rows.append(["battery", battery.map { "\($0)" } ?? "not reported"])
        rows.append(["worn", place ?? "not reported"])
        Self.write(rows + Self.rows(information), &console)
    }

    private static let textWidth = 60

    private static func write(_ rows: [[String]], _ console: inout Console) {
        for line in TextLayout.lines(of: rows.filter { $0[1] != "" }) {
            console.write("  \(line.printable)\n")
        }
    }

    private static func rows(_ information: DeviceInformation) -> [[String]] {
        information.inWords.map { [$0.name, $0.text] }
    }

    private static func members(
        _ kind: String, _ name: String?, _ identity: PeripheralIdentity,
        _ battery: BatteryCharge?, _ information: DeviceInformation
    ) -> JSONValue.Members {
        [
            ("kind", .string(kind)), ("name", .text(name)), ("address", .string(identity.rawValue)),
            ("battery", battery.map { .number($0.percent) } ?? .null),
            ("isCharging", (battery?.isCharging).json),
            (
                "information",
                .object(information.inWords.map { (key: $0.name, value: .string($0.text)) })
            ),
        ]
    }
}

extension Optional<Bool> {
    /// `true`, `false`, or `null` for what is not known.
    fileprivate var json: JSONValue { map { .boolean($0) } ?? .null }
}

extension Ring {
    /// The name, or the address of a ring without one.
    var displayName: String { name ?? identity.rawValue }
}

extension DeviceInformation {
    /// The values that the device has, with their names.
    fileprivate var inWords: [(name: String, text: String)] {
        let all: [(name: String, text: String?)] = [
            ("manufacturer", manufacturerName?.text),
            ("model", modelNumber?.text), ("serial", serialNumber?.text),
            ("revision", firmwareRevision?.text),
            ("board", hardwareRevision?.text),
            ("software", softwareRevision?.text),
            ("system", systemID.map { HexText.bytes($0.bytes) }),
            ("pnp", pnpID.map { "\($0)" }),
        ]
        return all.compactMap { row in row.text.map { (row.name, $0) } }
    }
}
