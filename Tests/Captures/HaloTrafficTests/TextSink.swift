import CaptureSupport
import HaloCapture
import HaloProtocol

@testable import HaloTraffic

/// Collects the output of a text parser.
struct TextSink: RecordSink {
    struct Record: Hashable {
        var kind: RecordKind
        var bytes: [UInt8]
        var microseconds: Int64
    }

    var records: [Record] = []
    var notes: [TrafficOddity] = []
    /// The offset of each note.
    var offsets: [Int] = []
    var error: TrafficError?

    mutating func receive(_ kind: RecordKind, _ bytes: Span<UInt8>, at position: FilePosition) {
        let bytes = bytes.withUnsafeBufferPointer { Array($0) }
        records.append(Record(kind: kind, bytes: bytes, microseconds: position.microseconds))
    }

    mutating func note(_ oddity: TrafficOddity, at position: FilePosition) {
        notes.append(oddity)
        offsets.append(position.offset)
    }

    /// Parses a file in pieces of a length.
    static func read(
        _ file: [UInt8], _ parser: some UnitParser, inPiecesOf length: Int = 1 << 16
    ) -> TextSink {
        var parser = parser
        var feeder = ChunkFeeder()
        var sink = TextSink()
        do throws(TrafficError) {
            var start = 0
            while start < file.count {
                let piece = ContiguousArray(file[start..<min(start + length, file.count)])
                try feeder.feed(piece.span, to: &parser, into: &sink)
                start += length
            }
            try feeder.finish(&parser, into: &sink)
        } catch {
            sink.error = error
        }
        return sink
    }

    /// The values, a line each, in the notation of captures.
    var values: [String] {
        records.map { record in
            let bytes = spaced(record.bytes)
            switch record.kind {
            case .value(let direction, let channel, let action):
                let uuid = channel.uuid(direction)
                let name = channel.knownName ?? uuid.map(Self.name) ?? "?"
                return Self.line(direction, name, action, bytes)
            case .attribute(let direction, let handle, let action):
                return Self.line(direction, HandleText.text(handle), action, bytes)
            case .hci(let type, let direction, _):
                return "\(direction == .toController ? ">" : "<") \(type) \(bytes)"
            case .monitor, .air:
                return "?"
            }
        }
    }

    private static func name(_ uuid: BluetoothUUID) -> String {
        uuid.unnamedHandle == 0 ? "unnamed" : uuid.description
    }

    private static func line(
        _ direction: Direction, _ name: String, _ action: CaptureAction?, _ bytes: String
    ) -> String {
        let words = (action.map { "\($0) " } ?? "") + bytes
        return "\(direction == .toDevice ? ">" : "<") \(name) \(words)"
    }
}
