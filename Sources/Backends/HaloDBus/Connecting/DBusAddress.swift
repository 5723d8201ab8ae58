#if os(Linux)
internal import HaloProtocol
internal import HaloTransport

/// The address of a bus: one element of an address list.
package struct DBusAddress: Hashable, Sendable, CustomStringConvertible {
    /// The transport: `unix`, `tcp` …
    package let transport: String
    package let values: [String: String]

    package init(_ transport: String, _ values: [String: String]) {
        self.transport = transport
        self.values = values
    }

    /// The socket; `nil` if the transport is not `unix`, or not exactly one place is given.
    package var socket: Socket? {
        // A place that only a bus uses, to listen at.
        guard transport == "unix", values["runtime"] == nil else { return nil }
        switch (values["path"], values["abstract"]) {
        case (let path?, nil) where !path.isEmpty: return .path(path)
        case (nil, let name?) where !name.isEmpty: return .abstract(name)
        default: return nil
        }
    }

    /// The required identifier of the bus (`guid`); `nil` accepts any.
    package var busID: String? { values["guid"] }

    package init(_ socket: Socket, busID: String? = nil) {
        var values: [String: String]
        switch socket {
        case .path(let path): values = ["path": path]
        case .abstract(let name): values = ["abstract": name]
        }
        values["guid"] = busID
        self.init("unix", values)
    }

    package enum Socket: Hashable, Sendable {
        case path(String)
        /// A name in Linux's abstract namespace.
        case abstract(String)

        package var path: String? { if case .path(let path) = self { path } else { nil } }

        /// The name for `sockaddr_un`; `nil` for a path with NUL.
        var bytes: [UInt8]? {
            switch self {
            case .path(let path): path.utf8.contains(0) ? nil : Array(path.utf8)
            case .abstract(let name): Array(name.utf8)
            }
        }
    }

    /// Parses an address list, `unix:path=/run/dbus/system_bus_socket;…`.
    package static func list(_ text: String) throws(DBusWireError) -> [DBusAddress] {
        var addresses: [DBusAddress] = []
        var offset = 0
        for part in text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        {
            if !part.isEmpty { addresses.append(try DBusAddress(Array(part), at: offset)) }
            offset += part.count + 1
        }
        guard !addresses.isEmpty else { throw DBusWireError(.empty, at: 0) }
        return addresses
    }

    private init(_ characters: [UInt8], at offset: Int) throws(DBusWireError) {
        guard let colon = characters.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
            throw DBusWireError(.noTransport, at: offset)
        }
        var values: [String: String] = [:]
        var start = colon + 1
        let pairs = characters[start...].split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        for pair in pairs where pairs.count > 1 || !pair.isEmpty {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), equals > pair.startIndex
            else { throw DBusWireError(.noValue, at: offset + start) }
            let key = String(decoding: pair[..<equals], as: UTF8.self)
            let value = try Self.unescaped(pair[(equals + 1)...], at: offset)
            guard values.updateValue(value, forKey: key) == nil else {
                throw DBusWireError(.twice, at: offset + start)
            }
            start += pair.count + 1
        }
        self.init(String(decoding: characters[..<colon], as: UTF8.self), values)
    }

    private static func unescaped(
        _ characters: ArraySlice<UInt8>, at offset: Int
    ) throws(DBusWireError) -> String {
        var bytes: [UInt8] = []
        var rest = characters
        while let character = rest.popFirst() {
            let place = offset + rest.startIndex - 1
            if character == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(HexText.value(ofDigit:)),
                    let low = rest.popFirst().flatMap(HexText.value(ofDigit:)),
                    high << 4 | low != 0
                else { throw DBusWireError(.wrongEscape, at: place) }
                bytes.append(high << 4 | low)
            } else {
                guard isPlain(character) else {
                    throw DBusWireError(.unescaped, at: place)
                }
                bytes.append(character)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DBusWireError(.wrongEscape, at: offset + characters.startIndex)
        }
        return text
    }

    /// `true` for a character that needs no escape in a value.
    private static func isPlain(_ character: UInt8) -> Bool {
        DBusName.isWordCharacter(character) || "-/.\\*".utf8.contains(character)
    }

    package var description: String {
        let pairs = values.sortedByKey.map { "\($0.key)=\(Self.escaped($0.value))" }
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
