import HaloProtocol
import HaloTraffic

/// The options about the import of traffic, which all verbs that read a conversation have.
struct ImportArguments {
    private(set) var options = ImportOptions()

    /// The options in a synopsis.
    static let synopsis = """
        [--device ADDRESS|N|all] [--map HANDLE=UUID …]
                           [--role app|device] [--format FORMAT] [--entry NAME]
        """

    /// The help text, with the devices that are imported without `--device`.
    static func details(withoutDevice devices: String) -> String {
        """
        --device WHICH    the device: its address, the number of a connection, or 'all'; if left
                            out, \(devices)
          --map HANDLE=UUID the type of an attribute, as 0x25=2a37 or 0x10=uart-write. Names:
                            uart-write, uart-notify, bigdata-write, bigdata-notify. Of values
                            that a log does not name: write=UUID and notify=UUID. Can be
                            repeated; takes several with commas between
          --role WHICH      the side of the recorder, for connections that began before the log:
                            'app' or 'device'; decided by their packets if left out
          --format FORMAT   the format of the file; detected if left out. One of:
                            \(formats)
          --entry NAME      the log in a ZIP archive; found if left out, unless there are several
        """
    }

    /// The names of the formats, on lines that continue the help text.
    private static var formats: String {
        let indent = String(repeating: " ", count: 20)
        return TextLayout.wrapped(TrafficFormat.all.map(\.name), separator: " ", width: 72)
            .joined(separator: "\n\(indent)")
    }

    /// Creates the options for a selection of devices, which `--device` replaces.
    init(device: DeviceSelection) {
        options.device = device
    }

    /// Reads an option with its value; returns `false` if it is another one.
    mutating func read(
        _ option: String, _ arguments: inout ArgumentReader
    ) throws(ArgumentError) -> Bool {
        switch option {
        case "--device": options.device = try Self.device(arguments.value(of: option))
        case "--map": try Self.map(arguments.repeatedValue(of: option), &options)
        case "--entry": options.entry = try arguments.value(of: option)
        case "--role":
            options.role = try arguments.value(of: option, from: ["app", "device"]) {
                ["app": DeviceRole.remote, "device": .local][$0]
            }
        case "--format":
            let names = TrafficFormat.all.map(\.name)
            options.format = try arguments.value(of: option, from: names, TrafficFormat.init(name:))
        default: return false
        }
        return true
    }

    private static func device(_ text: String) throws(ArgumentError) -> DeviceSelection {
        if text == "all" { return .all }
        if let number = number(text[...], radix: 10, Int.self), number > 0 {
            return .connection(number)
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let bytes = parts.compactMap {
            $0.utf8.count == 2 ? number($0, radix: 16, UInt8.self) : nil
        }
        guard parts.count == 6, bytes.count == 6 else {
            throw .wrongUsage(
                "--device takes an address, the number of a connection or 'all', not '\(text)'")
        }
        return .address(bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Adds `0x25=2a37`, or several of these with commas between.
    private static func map(
        _ text: String, _ options: inout ImportOptions
    ) throws(ArgumentError) {
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let uuid = uuid(parts[1]) else { throw wrongMap(pair) }
            let old: BluetoothUUID?
            if let direction = direction(parts[0]) {
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

    private static func wrongMap(_ pair: Substring) -> ArgumentError {
        .wrongUsage("--map takes HANDLE=UUID, as 0x25=2a37, or write=UUID, not '\(pair)'")
    }

    /// The direction of values that a log does not name.
    private static func direction(_ text: Substring) -> Direction? {
        switch text {
        case "write": .toDevice
        case "notify": .fromDevice
        default: nil
        }
    }

    /// A handle, in hexadecimal behind `0x`, else in decimal.
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

    /// A UUID, or the name of a ring's characteristic.
    private static func uuid(_ text: Substring) -> BluetoothUUID? {
        switch text {
        case "uart-write": RingServices.uartWrite
        case "uart-notify": RingServices.uartNotify
        case "bigdata-write": RingServices.bigDataWrite
        case "bigdata-notify": RingServices.bigDataNotify
        default: try? BluetoothUUID(parsing: text)
        }
    }
}
