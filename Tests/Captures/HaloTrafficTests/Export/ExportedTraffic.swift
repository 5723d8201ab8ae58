import HaloCapture
import HaloProtocol
import Testing

@testable import HaloTraffic

/// The content of an exported file, read and reassembled by the parsers.
struct ExportedTraffic: RecordSink {
    /// A packet of the attribute protocol.
    struct Attribute: Hashable {
        let direction: Direction
        let connection: UInt16
        let bytes: [UInt8]
        let time: Int64

        var opcode: ATTOpcode? { bytes.first.flatMap { ATTOpcode(rawValue: $0) } }

        /// The handle in the packet.
        var handle: UInt16? {
            switch opcode {
            case .readRequest, .readBlobRequest, .writeRequest, .writeCommand, .notification,
                .indication, .prepareWriteRequest, .prepareWriteResponse:
                UInt16(bytes[1]) | UInt16(bytes[2]) << 8
            case .errorResponse:
                UInt16(bytes[2]) | UInt16(bytes[3]) << 8
            default:
                nil
            }
        }

        /// `true` for a packet of the discovery that the exporter adds: no line of the capture has
        /// it.
        var isDiscovery: Bool {
            switch opcode {
            case .readByGroupTypeRequest, .readByGroupTypeResponse, .readByTypeRequest,
                .readByTypeResponse, .findInformationRequest, .findInformationResponse:
                true
            case .errorResponse:
                bytes[4] == 0x0A  // There is no further attribute.
            default:
                false
            }
        }
    }

    private(set) var attributes: [Attribute] = []
    private(set) var events: [[UInt8]] = []
    private(set) var times: [Int64] = []
    private(set) var fragmentCount = 0

    private var open: [UInt16: [UInt8]] = [:]

    init(_ bytes: [UInt8], _ format: ExportFormat) throws {
        var parser = try TrafficParser()
        var sink = ExportedTraffic()
        try parser.feed(ContiguousArray(bytes).span, into: &sink)
        try parser.finish(into: &sink)
        #expect(parser.format == TrafficFormat(rawValue: format.rawValue))
        self = sink
    }

    private init() {}

    mutating func note(_ oddity: TrafficOddity, at position: FilePosition) {
        Issue.record("\(oddity) at \(position)")
    }

    mutating func receive(_ kind: RecordKind, _ bytes: Span<UInt8>, at position: FilePosition) {
        let packet = bytes.indices.map { bytes[$0] }
        times.append(position.microseconds)
        switch kind {
        case .hci(.event, .toHost, _):
            #expect(Int(packet[1]) == packet.count - 2)
            events.append(packet)
        case .hci(.acl, let way, _):
            fragmentCount += 1
            let handle = UInt16(packet[0]) | UInt16(packet[1] & 0x0F) << 8
            let boundary = packet[1] >> 4
            #expect(Int(packet[2]) | Int(packet[3]) << 8 == packet.count - 4)
            #expect(packet.count <= 4 + ExportAir.longestData)
            let direction: Direction = way == .toController ? .toDevice : .fromDevice
            if boundary == 1 {
                open[handle]? += packet.dropFirst(4)
            } else {
                #expect(boundary == (direction == .toDevice ? 0 : 2))
                #expect(open[handle] == nil)
                open[handle] = Array(packet.dropFirst(4))
            }
            guard let frame = open[handle], frame.count >= 4 else { return }
            guard frame.count == 4 + Int(frame[0]) + Int(frame[1]) << 8 else { return }
            #expect(Array(frame[2..<4]) == [4, 0])
            attributes.append(
                Attribute(
                    direction: direction, connection: handle, bytes: Array(frame[4...]),
                    time: position.microseconds))
            open[handle] = nil
        default:
            Issue.record("\(kind)")
        }
    }
}

extension Capture {
    /// Exports the capture, and reads the export.
    func traffic(_ format: ExportFormat = .btsnoop) throws -> ExportedTraffic {
        try ExportedTraffic(exported(as: format), format)
    }
}
