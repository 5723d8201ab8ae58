import HaloProtocol
import HaloTraffic

/// `halo import`: reports the content of a file of Bluetooth traffic, and makes a capture of it.
struct ImportVerb: Verb {
    private let path: String
    private var output: String?
    private var options = ImportOptions()
    private var isJSON = false

    static let name = "import"
    static let summary = "reports the content of a file of traffic, and makes a capture of it"

    static let synopsis = """
        halo import FILE [--out FILE.halo] [--device ADDRESS|N|all] [--map HANDLE=UUID …]
                           [--role app|device] [--format FORMAT] [--entry NAME]
                           [--advertisements] [--json]
        """

    static let details = """
        Reads the recording of a phone, a computer or a sniffer. Prints its devices, the times of
        their connections, their attributes and how the type of each is known, the number of
        packets of each type, and irregularities.

          --out FILE.halo   writes the conversation as a capture; packets are not counted then,
                            but 'halo decode FILE.halo' prints them
          --device WHICH    the device: its address, the number of a connection, or 'all'; if left
                            out, the only device, or else the only ring
          --map HANDLE=UUID the type of an attribute, as 0x25=2a37 or 0x10=uart-write. Names:
                            uart-write, uart-notify, bigdata-write, bigdata-notify. Can be
                            repeated; takes several with commas between
          --role WHICH      the side of the recorder, for connections that began before the log:
                            'app' or 'device'; decided by their packets if left out
          --format FORMAT   the format of the file; detected if left out. One of:
                            \(TrafficFormat.all.map(\.name).joined(separator: " "))
          --entry NAME      the log in a ZIP archive; found if left out, unless there are several
          --advertisements  keeps advertisements of the device before its connection
          --json            one JSON object a line; its member 'what' is one of: file, connection,
                            attribute, packets, finding, heard, error

        Exit status: 0 if the file was read to its end and has a conversation; 1 if not; 2 for
        wrong usage.
        """

    init(_ arguments: inout ArgumentReader) throws(ArgumentError) {
        while let option = try arguments.next() {
            switch option {
            case "--out": output = try arguments.value(of: option)
            case "--device": options.device = try Self.device(arguments.value(of: option))
            case "--map": try Self.map(arguments.repeatedValue(of: option), &options.handles)
            case "--role":
                options.role = try arguments.value(of: option, from: ["app", "device"]) {
                    ["app": DeviceRole.remote, "device": .local][$0]
                }
            case "--format":
                let names = TrafficFormat.all.map(\.name)
                options.format = try arguments.value(
                    of: option, from: names, TrafficFormat.init(name:))
            case "--entry": options.entry = try arguments.value(of: option)
            case "--advertisements": options.keepsAdvertisements = true
            case "--json": isJSON = true
            default: throw .unknown(option)
            }
        }
        path = try arguments.file()
        if let output { try ArgumentReader.check(output, differsFrom: path) }
    }

    func run(_ console: inout Console) -> ExitStatus {
        ImportRun(path: path, output: output, options: options, isJSON: isJSON).run(&console)
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
        _ text: String, _ handles: inout [UInt16: BluetoothUUID]
    ) throws(ArgumentError) {
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let handle = handle(parts[0]), handle > 0,
                let uuid = uuid(parts[1])
            else {
                throw .wrongUsage("--map takes HANDLE=UUID, as 0x25=2a37, not '\(pair)'")
            }
            guard handles.updateValue(uuid, forKey: handle) == nil else {
                throw .wrongUsage("--map can be given only once for the handle \(parts[0])")
            }
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
