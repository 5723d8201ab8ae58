import HaloCapture
import HaloProtocol
import HaloTraffic

/// What `halo import` was asked to do.
struct ImportArguments {
    var path = ""
    var output: String?
    var options = ImportOptions()
    var isJSON = false
    var wantsHelp = false

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var given = GivenOptions()
        var paths: [String] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--out": output = try given.value(of: argument, &rest)
            case "--device": options.device = try Self.device(given.value(of: argument, &rest))
            case "--map": try map(rest.value(of: argument))
            case "--format":
                let name = try given.value(of: argument, &rest)
                guard let format = TrafficFormat(name: name) else {
                    throw UsageError(reason: "'\(name)' is no format")
                }
                options.format = format
            case "--advertisements": options.keepsAdvertisements = true
            case "--json": isJSON = true
            case "--help", "-h": wantsHelp = true
            case "--":
                paths += rest
                rest = []
            case _ where argument.hasPrefix("--"):
                throw .unknown(argument)
            default: paths.append(argument)
            }
        }
        if wantsHelp { return }
        guard let path = paths.first else { throw UsageError(reason: "a file is missing") }
        guard paths.count == 1 else { throw UsageError(reason: "one file at a time") }
        if let output { try FileIdentity.check(output, isNot: path) }
        self.path = path
    }

    /// `all`, the number of a connection, or an address with colons.
    private static func device(_ text: String) throws(UsageError) -> DeviceSelection {
        if text == "all" { return .all }
        if let number = number(text[...], radix: 10, Int.self), number > 0 {
            return .connection(number)
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let bytes = parts.compactMap {
            $0.utf8.count == 2 ? number($0, radix: 16, UInt8.self) : nil
        }
        guard parts.count == 6, bytes.count == 6 else {
            throw UsageError(reason: "'\(text)' is no address, no number and not 'all'")
        }
        return .address(bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// `0x25=2a37`, or several of these with commas between.
    private mutating func map(_ text: String) throws(UsageError) {
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let handle = Self.handle(parts[0]), handle > 0,
                let uuid = Self.uuid(parts[1])
            else {
                throw UsageError(reason: "--map needs HANDLE=UUID, as in 0x25=2a37, not '\(pair)'")
            }
            guard options.handles.updateValue(uuid, forKey: handle) == nil else {
                throw UsageError(reason: "--map names the handle \(parts[0]) twice")
            }
        }
    }

    /// In hexadecimal behind `0x`, else in decimal.
    private static func handle(_ text: Substring) -> UInt16? {
        text.hasPrefix("0x")
            ? number(text.dropFirst(2), radix: 16, UInt16.self)
            : number(text, radix: 10, UInt16.self)
    }

    /// A number of digits alone, without a sign.
    private static func number<Number: FixedWidthInteger>(
        _ text: Substring, radix: Int, _ type: Number.Type
    ) -> Number? {
        text.first == "+" || text.first == "-" ? nil : Number(text, radix: radix)
    }

    /// A number, or the name of a channel with the way that it goes.
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
