import HaloCapture
import HaloProtocol

/// What `halo import` was asked to do.
struct ImportArguments {
    var path = ""
    var output: String?
    var options = ImportOptions()
    var isJSON = false
    var wantsHelp = false

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var paths: [String] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--out": output = try rest.value(of: argument)
            case "--device": options.device = try Self.device(rest.value(of: argument))
            case "--map": try map(rest.value(of: argument))
            case "--format":
                let name = try rest.value(of: argument)
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
        let path = try UsageError.onlyFile(paths)
        guard path != output else { throw UsageError(reason: "--out names the file itself") }
        self.path = path
    }

    /// `all`, the number of a connection, or an address with colons.
    private static func device(_ text: String) throws(UsageError) -> DeviceSelection {
        if text == "all" { return .all }
        if let number = Int(text), number > 0 { return .connection(number) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }
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
        text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
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
