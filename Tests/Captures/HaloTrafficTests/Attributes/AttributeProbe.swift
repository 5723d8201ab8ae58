import CaptureSupport
import HaloCapture
import HaloProtocol
import HaloTransport

@testable import HaloTraffic

/// Writes the events of a conversation, a line each.
struct AttributeProbe: ConversationSink, Sendable {
    var lines: [String] = []
    var numbers: [Int] = []
    /// `true` while a packet is decoded that executes prepared writes.
    var isExecuting = false

    mutating func receive(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int,
        at position: FilePosition
    ) {
        let bytes = value.withUnsafeBufferPointer { spaced(Array($0)) }
        lines.append(bytes == "" ? words(event) : "\(words(event)) \(bytes)")
        numbers.append(position.number)
    }

    private func words(_ event: ConversationEvent) -> String {
        switch event {
        case .advertised: "advertised"
        case .connected: "connected"
        case .role: "role"
        case .encrypted: "encrypted"
        case .mtu(let mtu): "mtu \(mtu)"
        case .service(let uuid, let first, let last, let isPrimary):
            "service \(uuid) \(first)-\(last)\(isPrimary ? "" : " secondary")"
        case .characteristic(let uuid, let value, let properties):
            "characteristic \(uuid) \(value) \(HexText.byte(properties.rawValue))"
        case .descriptor(let uuid, let handle): "descriptor \(uuid) \(handle)"
        case .acknowledged(let handle): "acknowledged \(handle)"
        case .refused(let handle, let error): "refused \(handle) \(HexText.byte(error.code))"
        case .readBegun(let handle): "read \(handle)"
        case .transferred(let handle, .read): "answered \(handle)"
        case .transferred(let handle, .notified): "notified \(handle)"
        case .transferred(let handle, .indicated): "indicated \(handle)"
        case .transferred(let handle, .write):
            "written \(handle) \(isExecuting ? "prepared" : "request")"
        case .transferred(let handle, let how): "written \(handle) \(how)"
        case .confirmed(let handle): "confirmed \(handle)"
        case .disconnected: "disconnected"
        case .value: "value"
        case .odd(let oddity): "odd: \(oddity)"
        }
    }
}

/// Feeds packets of the attribute protocol to a decoder: `> 0A 03 00`, `< 0B 64`.
struct AttributeFeed {
    private(set) var decoder = ATTDecoder()
    private var output: ConversationOutput<AttributeProbe> = {
        var output = ConversationOutput(AttributeProbe())
        output.connection = 0
        return output
    }()
    var probe: AttributeProbe {
        get { output.sink }
        set { output.sink = newValue }
    }
    private var number = 0

    mutating func receive(_ direction: Direction, _ packet: [UInt8]) {
        number += 1
        output.position = FilePosition(
            number: number, offset: number * 10, microseconds: Int64(number * 1000))
        probe.isExecuting = packet.first == ATTOpcode.executeWriteRequest.rawValue
        let kept = ContiguousArray(packet)
        decoder.receive(kept.span, direction, into: &output)
    }

    mutating func receive(_ text: String) {
        for line in text.split(separator: "\n") {
            receive(line.first == ">" ? .toDevice : .fromDevice, bytes(String(line.dropFirst())))
        }
    }

    mutating func end() {
        output.position = FilePosition(number: number, offset: 0, microseconds: 0)
        decoder.end(into: &output)
    }

    /// The events of packets, and of the end of the connection.
    static func lines(_ text: String, ending: Bool = true) -> [String] {
        var feed = AttributeFeed()
        feed.receive(text)
        if ending { feed.end() }
        return feed.probe.lines
    }
}
