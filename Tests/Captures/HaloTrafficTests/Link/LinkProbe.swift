import CaptureSupport
import HaloCapture
import HaloProtocol

@testable import HaloTraffic

/// Writes the events of a link decoder, a line each.
struct LinkProbe: ConversationSink {
    var lines: [String] = []
    /// The last role of each connection whose beginning is not recorded, with its basis.
    private(set) var roles: [Int: String] = [:]
    private var rules = ConnectionRules()

    /// The violations of the rules for events.
    var violations: [String] { rules.violations }

    mutating func receive(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int,
        at position: FilePosition
    ) {
        let bytes = value.withUnsafeBufferPointer { spaced(Array($0)) }
        rules.receive(event, on: connection)
        if case .role(let role, let basis) = event {
            roles[connection] = "\(role) \(basis)"
            return
        }
        let words =
            switch event {
            case .advertised(let address, let strength, let isResponse):
                "\(isResponse ? "scan" : "adv") \(address.map(text) ?? "-") "
                    + "\(strength.map(String.init) ?? "-") \(bytes)"
            case .connected(let address, let role):
                "connected \(address.map(text) ?? "-") \(role)"
            case .encrypted(let isReadable): "encrypted \(isReadable)"
            case .disconnected(let reason): "disconnected \(reason.map { HexText.byte($0) } ?? "-")"
            case .value(let direction, _, _): "\(direction == .toDevice ? ">" : "<") \(bytes)"
            case .odd(let oddity): "odd \(TrafficOddity.allCases.firstIndex(of: oddity) ?? -1)"
            default: "unexpected"
            }
        lines.append(connection == noConnection ? words : "\(connection) \(words)")
    }

    private func text(_ address: DeviceAddress) -> String {
        "\(address)\(address.isRandom ? "r" : "p")"
    }
}

/// Emits each packet of the attribute protocol as a value.
struct PacketProbe: AttributeDecoder {
    mutating func receive(
        _ packet: Span<UInt8>, _ direction: Direction,
        into output: inout ConversationOutput<some ConversationSink>
    ) {
        // Past the limit of `emit`: packets of a link may be longer than values.
        output.sink.receive(
            .value(direction, .uart, nil), packet, on: output.connection, at: output.position)
    }

    mutating func end(into output: inout ConversationOutput<some ConversationSink>) {}
}

/// Feeds records to a link decoder.
struct LinkFeed {
    private var decoder: TrafficDecoder<PacketProbe, LinkProbe>

    init(_ roles: KnownRoles = KnownRoles()) {
        decoder = TrafficDecoder(LinkProbe(), roles)
    }

    var probe: LinkProbe {
        get { decoder.sink }
        set { decoder.sink = newValue }
    }
    private var number = 0

    var lines: [String] { probe.lines }

    mutating func receive(_ kind: RecordKind, _ bytes: [UInt8], at microseconds: Int64 = 0) {
        number += 1
        let position = FilePosition(
            number: number, offset: number * 100, microseconds: microseconds)
        let kept = ContiguousArray(bytes)
        decoder.receive(kind, kept.span, at: position)
    }

    /// Feeds a packet with the type of H4.
    mutating func h4(
        _ text: String, _ direction: HCIDirection?, adapter: UInt16 = 0,
        at microseconds: Int64 = 0
    ) {
        h4(bytes(text), direction, adapter: adapter, at: microseconds)
    }

    mutating func h4(
        _ bytes: [UInt8], _ direction: HCIDirection?, adapter: UInt16 = 0,
        at microseconds: Int64 = 0
    ) {
        guard let type = bytes.first.flatMap(HCIPacketType.init) else { return }
        receive(
            .hci(type, direction, adapter: adapter), Array(bytes.dropFirst()), at: microseconds)
    }

    mutating func monitor(_ opcode: UInt16, _ text: String, adapter: UInt16 = 0) {
        receive(.monitor(opcode: opcode, adapter: adapter), bytes(text))
    }

    mutating func finish() { decoder.finish() }
}

func bytes(_ text: String) -> [UInt8] {
    text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
}

/// Packets between a host and its controller. The complete ones were written by bumble 0.0.236.
enum HCISamples {
    /// Handle 0x40: this side is the central of the device C1:22:33:44:55:66 (random).
    static let connected = "04 3E 13 01 00 40 00 00 01 66 55 44 33 22 C1 18 00 00 00 2A 00 05"
    /// Handle 0x41: this side is the peripheral, with the address 4A:00:00:00:00:01.
    static let connectedEnhanced =
        "04 3E 1F 0A 00 41 00 01 00 66 55 44 33 22 11 01 00 00 00 00 4A 00 00 00 00 00 00 18 00 "
        + "00 00 2A 00 05"
    /// Handle 0x42: this side is the central.
    static let connectedEnhanced2 =
        "04 3E 22 29 00 42 00 00 01 66 55 44 33 22 C1 00 00 00 00 00 00 00 00 00 00 00 00 18 00 "
        + "00 00 2A 00 05 FF FF FF"
    static let disconnected = "04 05 04 00 40 00 13"
    static let encrypted = "04 08 04 00 40 00 01"
    static let encryptedWithKeySize = "04 59 05 00 40 00 01 10"
    static let keyRefreshed = "04 30 03 00 40 00"
    static let classicConnected = "04 03 0B 00 0B 00 66 55 44 33 22 11 01 00"
    static let reset = "01 03 0C 00"

    /// Makes an ACL packet with a fragment.
    static func acl(_ handle: UInt16, _ boundary: UInt16, _ fragment: [UInt8]) -> [UInt8] {
        let header = handle | boundary << 12
        let length = fragment.count
        return [
            2, UInt8(header & 0xFF), UInt8(header >> 8), UInt8(length & 0xFF), UInt8(length >> 8),
        ] + fragment
    }

    static func l2cap(_ channel: UInt16, _ payload: [UInt8]) -> [UInt8] {
        [
            UInt8(payload.count & 0xFF), UInt8(payload.count >> 8), UInt8(channel & 0xFF),
            UInt8(channel >> 8),
        ] + payload
    }

    /// Makes a whole attribute protocol packet from a host.
    static func fromHost(_ handle: UInt16, _ payload: [UInt8]) -> [UInt8] {
        acl(handle, 0, l2cap(4, payload))
    }

    /// Makes a whole attribute protocol packet from a controller.
    static func fromController(_ handle: UInt16, _ payload: [UInt8]) -> [UInt8] {
        acl(handle, 2, l2cap(4, payload))
    }
}
