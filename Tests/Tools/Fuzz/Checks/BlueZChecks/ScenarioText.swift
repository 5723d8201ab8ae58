#if os(Linux)
import HaloTransport

@testable import HaloDBus

/// The text of a scenario's effects.
enum ScenarioText {
    static func hex(_ bytes: [UInt8]) -> String {
        bytes.isEmpty ? "-" : bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex == "-" ? 0 : hex.count, by: 2).compactMap { start in
            UInt8(hex.dropFirst(start).prefix(2), radix: 16)
        }
    }

    static func words<Value>(
        _ result: Result<Value, BLEError>, _ value: (Value) -> String
    ) -> String {
        switch result {
        case .success(let success): value(success)
        case .failure(let error): "failed, \(words(error))"
        }
    }

    /// The text of an error, with each detail on its own line.
    static func words(_ error: BLEError) -> String {
        var words = "\(error.kind)"
        if let code = error.attError?.code { words += " \(hex([code]))" }
        if let reason = error.disconnectReason { words += ", \(self.words(reason))" }
        return words + lines(error.details)
    }

    private static func words(_ reason: DisconnectReason) -> String {
        "\(reason.kind)" + lines(reason.details)
    }

    private static func lines(_ details: String?) -> String {
        let parts = details?.replacing("; ", with: "\n    ") ?? ""
        return parts.isEmpty ? "" : "\n    " + parts
    }

    static func words(_ event: LinkEvent) -> String {
        if case .value(_, let bytes) = event { return "value \(hex(bytes))" }
        if case .disconnected(let reason) = event { return "disconnected: \(words(reason))" }
        return "\(event)"
    }

    static func words(_ call: DBusCall) -> String {
        let place = call.path.text.split(separator: "/").last.map(String.init) ?? "/"
        let name = place.hasPrefix("dev_") ? "the device" : place
        return ([call.member, name] + call.arguments.map(words)).joined(separator: " ")
    }

    static func words(_ value: DBusValue) -> String {
        switch value {
        case .string(let text):
            text.hasSuffix("-0000-1000-8000-00805f9b34fb")
                ? String(text.prefix(8).trimmingPrefix("0000"))
                : text.split(separator: ".").last.map(String.init) ?? "-"
        case .boolean(let flag): "\(flag)"
        case .objectPath(let path): path.text
        case .bytes(let bytes): hex(bytes)
        case .variant(let content): words(content)
        case .array(_, let elements): "[" + elements.map(words).joined(separator: " ") + "]"
        case .dictionary(_, _, let entries):
            "{" + entries.map { words($0.key) + ":" + words($0.value) }.joined(separator: " ") + "}"
        default: value.integer.map { "\($0)" } ?? "\(value)"
        }
    }
}
#endif
