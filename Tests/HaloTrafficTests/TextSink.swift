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
            guard case .value(let direction, let channel, let action) = record.kind else {
                return "?"
            }
            let name = channel.knownName ?? channel.uuid(direction)?.description ?? "?"
            let words = (action.map { "\($0) " } ?? "") + spaced(record.bytes)
            return "\(direction == .toDevice ? ">" : "<") \(name) \(words)"
        }
    }
}
