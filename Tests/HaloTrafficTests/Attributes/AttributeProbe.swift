import HaloCapture
import HaloProtocol
import HaloTransport

@testable import HaloTraffic

/// Writes down what is told of a conversation, a line each.
struct AttributeProbe: ConversationSink, Sendable {
    var lines: [String] = []
    var places: [Int] = []

    mutating func take(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int, at place: RecordPlace
    ) {
        let bytes = value.withUnsafeBufferPointer { spaced(Array($0)) }
        lines.append(bytes == "" ? Self.words(event) : "\(Self.words(event)) \(bytes)")
        places.append(place.number)
    }

    static func words(_ event: ConversationEvent) -> String {
        switch event {
        case .advertised: "advertised"
        case .connected: "connected"
        case .encrypted: "encrypted"
        case .mtu(let mtu): "mtu \(mtu)"
        case .service(let uuid, let first, let last, let isPrimary):
            "service \(uuid) \(first)-\(last)\(isPrimary ? "" : " secondary")"
        case .characteristic(let uuid, let value, let properties):
            "characteristic \(uuid) \(value) \(HexText.byte(properties.rawValue))"
        case .descriptor(let uuid, let handle): "descriptor \(uuid) \(handle)"
        case .written(let handle, let how): "written \(handle) \(how)"
        case .acknowledged(let handle): "acknowledged \(handle)"
        case .refused(let handle, let error): "refused \(handle) \(HexText.byte(error.code))"
        case .readBegun(let handle): "read \(handle)"
        case .readAnswered(let handle): "answered \(handle)"
        case .notified(let handle): "notified \(handle)"
        case .indicated(let handle): "indicated \(handle)"
        case .confirmed(let handle): "confirmed \(handle)"
        case .disconnected: "disconnected"
        case .value: "value"
        case .odd(let oddity): "odd: \(oddity)"
        }
    }
}

/// Feeds packets of the attribute protocol to a follower: `> 0A 03 00`, `< 0B 64`.
struct AttributeFeed {
    var follower = ATTFollower()
    var probe = AttributeProbe()
    private var number = 0

    mutating func take(_ direction: Direction, _ packet: [UInt8]) {
        number += 1
        let place = RecordPlace(
            number: number, offset: number * 10, microseconds: Int64(number * 1000))
        let kept = ContiguousArray(packet)
        follower.take(kept.span, direction, on: 0, at: place, into: &probe)
    }

    mutating func take(_ text: String) {
        for line in text.split(separator: "\n") {
            take(line.first == ">" ? .toDevice : .fromDevice, bytes(String(line.dropFirst())))
        }
    }

    mutating func end() {
        let place = RecordPlace(number: number, offset: 0, microseconds: 0)
        follower.end(on: 0, at: place, into: &probe)
    }

    /// What is told of packets, and when the connection ends.
    static func lines(_ text: String, ending: Bool = true) -> [String] {
        var feed = AttributeFeed()
        feed.take(text)
        if ending { feed.end() }
        return feed.probe.lines
    }
}
