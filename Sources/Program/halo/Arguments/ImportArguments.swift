import HaloProtocol
import HaloTraffic

/// The options about the import of traffic, which all verbs that read a conversation have.
struct ImportArguments {
    private let device: Option<DeviceSelection>

    private static let map = Option(
        "map", .text("HANDLE=UUID"),
        """
        the type of an attribute, as 0x25=2a37 or 0x10=uart-write. Names: uart-write, uart-notify, \
        bigdata-write, bigdata-notify. For values that a log does not name: write=UUID and \
        notify=UUID. Can be repeated; commas separate several
        """, isRepeatable: true, parse: \.text)

    private static let role = Option<DeviceRole>.choice(
        "role", "WHICH", from: ["app", "device"],
        """
        the recorder's side, for connections that began before the log: 'app' or 'device'; \
        by default, their packets decide
        """
    ) { ["app": .remote, "device": .local][$0] }

    private static let format = Option<TrafficFormat>.choice(
        "format", "FORMAT", from: TrafficFormat.allCases.map(\.name),
        """
        the format of the file; detected by default. One of: \
        \(TrafficFormat.allCases.map(\.name).joined(separator: " "))
        """, TrafficFormat.init(rawValue:))

    private static let entry = Option.text(
        "entry", "NAME",
        "the log in a ZIP archive; needed only if there are several")

    static let fileHelp = """
        FILE may be a pipe, or - for standard input: the bytes are copied to a temporary file \
        without a name, in TMPDIR or /tmp, at most 1 GiB.
        """

    /// The options, with the devices that are imported without `--device`.
    init(withoutDevice devices: String) {
        device = Option(
            "device", .text("WHICH"),
            """
            the device: its address, the number of a connection, or 'all'; by default, \
            \(devices)
            """
        ) { (argument) throws(Failure) in try Self.device(argument.text) }
    }

    var all: [any VerbOption] { [device, Self.map, Self.role, Self.format, Self.entry] }

    /// Returns the options of the import, with a selection of devices that `--device` replaces.
    func options(
        _ arguments: ParsedArguments, device other: DeviceSelection
    ) throws(Failure) -> ImportOptions {
        var options = ImportOptions()
        options.device = try arguments.value(of: device) ?? other
        for text in try arguments.values(of: Self.map) { try Self.map(text, &options) }
        options.role = try arguments.value(of: Self.role) ?? options.role
        options.format = try arguments.value(of: Self.format)
        options.entry = try arguments.value(of: Self.entry)
        return options
    }

    private static func device(_ text: String) throws(Failure) -> DeviceSelection {
        if text == "all" { return .all }
        if let number = number(text[...], radix: 10, Int.self), number > 0 {
            return .connection(number)
        }
        guard text.wholeMatch(of: /([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}/) != nil,
            let address = UInt64(text.filter { $0 != ":" }, radix: 16)
        else {
            throw .wrongUsage(
                "--device takes an address, the number of a connection or 'all', not '\(text)'")
        }
        return .address(address)
    }

    /// Adds `0x25=2a37`, or several of these with commas between.
    private static func map(
        _ text: String, _ options: inout ImportOptions
    ) throws(Failure) {
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2,
                let uuid = uuids[parts[1]] ?? (try? BluetoothUUID(parsing: parts[1]))
            else { throw wrongMap(pair) }
            let old: BluetoothUUID?
            if let direction = directions[parts[0]] {
                old = options.unnamed.updateValue(uuid, forKey: direction)
            } else if let handle = handle(parts[0]), handle > 0 {
                old = options.handles.updateValue(uuid, forKey: handle)
            } else {
                throw wrongMap(pair)
            }
            guard old == nil else {
                throw .wrongUsage("--map can be given only once for \(parts[0])")
            }
        }
    }

    private static func wrongMap(_ pair: Substring) -> Failure {
        .wrongUsage("--map takes HANDLE=UUID, as 0x25=2a37, or write=UUID, not '\(pair)'")
    }

    /// The directions of values that a log does not name.
    private static let directions: [Substring: Direction] = [
        "write": .toDevice, "notify": .fromDevice,
    ]

    private static let uuids: [Substring: BluetoothUUID] = [
        "uart-write": RingServices.uartWrite, "uart-notify": RingServices.uartNotify,
        "bigdata-write": RingServices.bigDataWrite, "bigdata-notify": RingServices.bigDataNotify,
    ]

    /// A handle, in hexadecimal after `0x`, else in decimal.
    private static func handle(_ text: Substring) -> UInt16? {
        text.hasPrefix("0x")
            ? number(text.dropFirst(2), radix: 16, UInt16.self)
            : number(text, radix: 10, UInt16.self)
    }

    /// A number without a sign.
    private static func number<Number: FixedWidthInteger>(
        _ text: Substring, radix: Int, _ type: Number.Type
    ) -> Number? {
        text.first == "+" || text.first == "-" ? nil : Number(text, radix: radix)
    }
}
