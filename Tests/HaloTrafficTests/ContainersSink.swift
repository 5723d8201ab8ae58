@testable import HaloTraffic

/// Keeps what a file holds.
struct ContainersSink: RecordSink, Equatable {
    struct Record: Equatable {
        let kind: RecordKind
        let bytes: [UInt8]
        let place: RecordPlace
    }

    struct Note: Equatable {
        let oddity: TrafficOddity
        let place: RecordPlace
    }

    var records: [Record] = []
    var notes: [Note] = []
    var error: TrafficError?

    mutating func take(_ kind: RecordKind, _ bytes: Span<UInt8>, at place: RecordPlace) {
        let bytes = bytes.withUnsafeBufferPointer { Array($0) }
        records.append(Record(kind: kind, bytes: bytes, place: place))
    }

    mutating func note(_ oddity: TrafficOddity, at place: RecordPlace) {
        notes.append(Note(oddity: oddity, place: place))
    }

    var oddities: [TrafficOddity] { notes.map(\.oddity) }

    /// What a file holds when it is read in pieces of a size.
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

    /// What a file holds when it is cut in two.
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
