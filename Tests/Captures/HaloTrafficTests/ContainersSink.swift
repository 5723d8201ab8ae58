@testable import HaloTraffic

/// Collects the records of a file.
struct ContainersSink: RecordSink, Equatable {
    struct Record: Equatable {
        let kind: RecordKind
        let bytes: [UInt8]
        let position: FilePosition
    }

    struct Note: Equatable {
        let oddity: TrafficOddity
        let position: FilePosition
    }

    var records: [Record] = []
    var notes: [Note] = []
    var error: TrafficError?

    mutating func receive(_ kind: RecordKind, _ bytes: Span<UInt8>, at position: FilePosition) {
        let bytes = bytes.withUnsafeBufferPointer { Array($0) }
        records.append(Record(kind: kind, bytes: bytes, position: position))
    }

    mutating func note(_ oddity: TrafficOddity, at position: FilePosition) {
        notes.append(Note(oddity: oddity, position: position))
    }

    var oddities: [TrafficOddity] { notes.map(\.oddity) }

    /// Reads a file in pieces of a size.
    init(_ file: [UInt8], _ format: TrafficFormat? = nil, inPieces size: Int = 1 << 18) {
        do throws(TrafficError) {
            var parser = try TrafficParser(format)
            var start = 0
            while start < file.count {
                let end = min(start + size, file.count)
                let piece = ContiguousArray(file[start..<end])
                try parser.feed(piece.span, into: &self)
                start = end
            }
            try parser.finish(into: &self)
        } catch {
            self.error = error
        }
    }

    /// Reads a file in two pieces.
    init(_ file: [UInt8], _ format: TrafficFormat, cutAt cut: Int) {
        do throws(TrafficError) {
            var parser = try TrafficParser(format)
            for piece in [ContiguousArray(file[..<cut]), ContiguousArray(file[cut...])] {
                try parser.feed(piece.span, into: &self)
            }
            try parser.finish(into: &self)
        } catch {
            self.error = error
        }
    }
}
