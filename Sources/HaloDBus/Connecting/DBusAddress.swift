/// Where a bus can be reached: one of the ways that an address list names.
public struct DBusAddress: Hashable, Sendable {
    /// How a connection is made: `unix`, `tcp` …
    public let transport: String
    /// What it needs to know, by its keys.
    public let values: [String: String]

    /// An address of one's own.
    public init(_ transport: String, _ values: [String: String]) {
        self.transport = transport
        self.values = values
    }

    /// Where the socket is, if this is one that can be connected to here.
    public var socket: Socket? {
        guard transport == "unix" else { return nil }
        if let path = values["path"] { return .path(path) }
        if let name = values["abstract"] { return .abstract(name) }
        if let directory = values["runtime"], directory == "yes" { return .runtime }
        return nil
    }

    /// A socket of Unix.
    public enum Socket: Hashable, Sendable {
        /// A file.
        case path(String)
        /// A name that is no file; Linux has these.
        case abstract(String)
        /// `bus` in the folder that `XDG_RUNTIME_DIR` names.
        case runtime
    }

    /// The addresses that a list names, `unix:path=/run/dbus/system_bus_socket;…`, in order.
    public static func list(_ text: String) throws(DBusAddressError) -> [DBusAddress] {
        var addresses: [DBusAddress] = []
        var offset = 0
        for part in text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        {
            if !part.isEmpty { addresses.append(try DBusAddress(Array(part), at: offset)) }
            offset += part.count + 1
        }
        guard !addresses.isEmpty else { throw DBusAddressError(.empty, at: 0) }
        return addresses
    }

    private init(_ characters: [UInt8], at offset: Int) throws(DBusAddressError) {
        guard let colon = characters.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
            throw DBusAddressError(.noTransport, at: offset)
        }
        var values: [String: String] = [:]
        var start = colon + 1
        let pairs = characters[start...].split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        for pair in pairs where pairs.count > 1 || !pair.isEmpty {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), equals > pair.startIndex
            else { throw DBusAddressError(.noValue, at: offset + start) }
            let key = String(decoding: pair[..<equals], as: UTF8.self)
            let value = try Self.unescaped(pair[(equals + 1)...], at: offset)
            guard values.updateValue(value, forKey: key) == nil else {
                throw DBusAddressError(.twice, at: offset + start)
            }
            start += pair.count + 1
        }
        self.init(String(decoding: characters[..<colon], as: UTF8.self), values)
    }

    private static func unescaped(
        _ characters: ArraySlice<UInt8>, at offset: Int
    ) throws(DBusAddressError) -> String {
        var bytes: [UInt8] = []
        var rest = characters
        while let character = rest.popFirst() {
            let place = offset + rest.startIndex - 1
            if character == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(digit),
                    let low = rest.popFirst().flatMap(digit), high << 4 | low != 0
                else { throw DBusAddressError(.wrongEscape, at: place) }
                bytes.append(high << 4 | low)
            } else {
                guard isPlain(character) else {
                    throw DBusAddressError(.unescaped, at: place)
                }
                bytes.append(character)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DBusAddressError(.wrongEscape, at: offset + characters.startIndex)
        }
        return text
    }

    /// Whether a character may stand as it is in a value.
    private static func isPlain(_ character: UInt8) -> Bool {
        DBusName.isWordCharacter(character) || "-/.\\*".utf8.contains(character)
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension DBusAddress: CustomStringConvertible {
    /// The address as it stands in a list.
    public var description: String {
        let pairs = values.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.escaped($0.value))" }
        return "\(transport):\(pairs.joined(separator: ","))"
    }

    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var bytes: [UInt8] = []
        for character in text.utf8 {
            if isPlain(character) {
                bytes.append(character)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(character >> 4)])
                bytes.append(digits[Int(character & 0x0F)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
