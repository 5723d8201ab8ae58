#if os(Linux)
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

    /// Where the socket is, if this is one that can be connected to here: exactly one place.
    public var socket: Socket? {
        guard transport == "unix" else { return nil }
        switch (values["path"], values["abstract"], values["runtime"]) {
        case (let path?, nil, nil) where !path.isEmpty: return .path(path)
        case (nil, let name?, nil) where !name.isEmpty: return .abstract(name)
        case (nil, nil, "yes"): return .runtime
        default: return nil
        }
    }

    /// What the bus there has to call itself, if the address says so.
    public var busID: String? { values["guid"] }

    /// An address of a socket of Unix.
    public init(_ socket: Socket) {
        switch socket {
        case .path(let path): self.init("unix", ["path": path])
        case .abstract(let name): self.init("unix", ["abstract": name])
        case .runtime: self.init("unix", ["runtime": "yes"])
        }
    }

    /// A socket of Unix.
    public enum Socket: Hashable, Sendable {
        /// A file.
        case path(String)
        /// A name that is no file; Linux has these.
        case abstract(String)
        /// `bus` in the folder that `XDG_RUNTIME_DIR` names.
        case runtime

        /// The place, after what the environment says has been put in.
        func resolved(_ environment: (String) -> String?) -> Socket? {
            guard case .runtime = self else { return self }
            guard let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else {
                return nil
            }
            return .path("\(folder)/bus")
        }

        var isFile: Bool {
            if case .path = self { true } else { false }
        }

        /// The name as the system wants it; a file's has no zero byte.
        var bytes: [UInt8]? {
            switch self {
            case .path(let path): path.utf8.contains(0) ? nil : Array(path.utf8)
            case .abstract(let name): Array(name.utf8)
            case .runtime: nil
            }
        }
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
                guard let high = rest.popFirst().flatMap(AuthenticationLine.digit),
                    let low = rest.popFirst().flatMap(AuthenticationLine.digit),
                    high << 4 | low != 0
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
}

extension DBusAddress: CustomStringConvertible {
    /// The address as it stands in a list.
    public var description: String {
        let pairs = values.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.escaped($0.value))" }
        return "\(transport):\(pairs.joined(separator: ","))"
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { escaped, character in
            escaped +=
                isPlain(character)
                ? String(decoding: CollectionOfOne(character), as: UTF8.self)
                : "%" + AuthenticationLine.hexadecimal([character])
        }
    }
}
#endif
