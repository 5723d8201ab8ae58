import HaloCapture
import TestSupport
import Testing

@testable import HaloTraffic

/// A parser of units: a byte with a length, and as many bytes. After `FF`, two bytes have the
/// number of bytes to skip.
private struct ToyParser: UnitParser {
    /// `true` to request one more byte at a time, instead of all the bytes that are needed.
    var isModest = false

    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep {
        if bytes[0] == 0xFF {
            guard bytes.count >= 3 else { return .needs(3) }
            return .skips(3 + Int(bytes.uint16(at: 1, .big)))
        }
        let end = 1 + Int(bytes[0])
        guard bytes.count >= end else { return .needs(isModest ? bytes.count + 1 : end) }
        let position = FilePosition(number: 0, offset: offset, microseconds: 0)
        sink.receive(.monitor(opcode: 0, adapter: 0), bytes.extracting(1..<end), at: position)
        return .read(end)
    }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        if !rest.isEmpty { throw TrafficError(.truncated, at: offset, found: rest.count) }
    }
}

/// A parser with invalid replies: reading has to end all the same.
private struct OddParser: UnitParser {
    let step: UnitStep

    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep { step }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {}
}

@Suite(.computes) struct ContainersFeederTests {
    private struct Outcome: Equatable {
        var units: [[UInt8]] = []
        var offsets: [Int] = []
        var error: TrafficError?
    }

    private func feed(
        _ pieces: [ArraySlice<UInt8>], _ parser: some UnitParser
    ) -> Outcome {
        var parser = parser
        var feeder = ChunkFeeder()
        var sink = ContainersSink([])
        var outcome = Outcome()
        do throws(TrafficError) {
            for piece in pieces {
                try feeder.feed(ContiguousArray(piece).span, to: &parser, into: &sink)
            }
            try feeder.finish(&parser, into: &sink)
        } catch {
            outcome.error = error
        }
        outcome.units = sink.records.map(\.bytes)
        outcome.offsets = sink.records.map(\.position.offset)
        return outcome
    }

    private static let units: [[UInt8]] = [
        [1, 7], [0], [5, 1, 2, 3, 4, 5], [0xFF, 0, 9] + [UInt8](repeating: 3, count: 9), [0], [0],
        [0xFF, 0, 0], [30] + [UInt8](10..<40), [2, 8, 9], [0xFF, 0, 1, 1], [1, 1],
    ]
    private static let file = units.flatMap { $0 }
    private static let expected = units.filter { $0[0] != 0xFF }.map { Array($0.dropFirst()) }
    private static let offsets: [Int] = {
        var offsets: [Int] = []
        var offset = 0
        for unit in units {
            if unit[0] != 0xFF { offsets.append(offset) }
            offset += unit.count
        }
        return offsets
    }()

    @Test(arguments: [false, true])
    func isTheSameHoweverItIsCut(isModest: Bool) {
        let file = Self.file
        let parser = ToyParser(isModest: isModest)
        let whole = Outcome(units: Self.expected, offsets: Self.offsets)
        #expect(feed([file[...]], parser) == whole)
        for first in 0...file.count {
            for second in first...file.count {
                let pieces = [file[..<first], file[first..<second], file[second...]]
                #expect(feed(pieces, parser) == whole, "cut at \(first) and \(second)")
            }
        }
        for size in 1...file.count {
            let pieces = stride(from: 0, to: file.count, by: size).map {
                file[$0..<min($0 + size, file.count)]
            }
            #expect(feed(pieces, parser) == whole, "pieces of \(size)")
        }
    }

    @Test(arguments: [false, true])
    func aCutFileGivesTheUnitsBefore(isModest: Bool) {
        let ends = zip(Self.offsets, Self.expected).map { $0 + 1 + $1.count }
        var starts: Set<Int> = [0]
        for unit in Self.units { starts.insert((starts.max() ?? 0) + unit.count) }
        for count in 0...Self.file.count {
            for size in [1, 3, 1000] {
                let file = Self.file.prefix(count)
                let pieces = stride(from: 0, to: count, by: size).map {
                    file[$0..<min($0 + size, count)]
                }
                let outcome = feed(pieces, ToyParser(isModest: isModest))
                #expect(outcome.units.count == ends.filter { $0 <= count }.count)
                #expect((outcome.error == nil) == starts.contains(count), "\(count)")
                if let error = outcome.error {
                    #expect(error.kind == .truncated && error.offset <= count)
                }
            }
        }
    }

    @Test(arguments: [
        UnitStep.read(0), .read(-1), .read(.max), .skips(0), .skips(-9), .skips(.max), .needs(0),
        .needs(-1), .needs(.min),
    ])
    func endsForAnyStepOfAParser(_ step: UnitStep) {
        let file = [UInt8](repeating: 0, count: 100)
        for size in [1, 7, 100] {
            let pieces = stride(from: 0, to: 100, by: size).map { file[$0..<min($0 + size, 100)] }
            let outcome = feed(pieces, OddParser(step: step))
            #expect((outcome.error?.kind == .truncated) == (step == .skips(.max)))
        }
    }

    @Test func aUnitHasALimit() {
        let file = [UInt8](repeating: 0, count: 10)
        let longest = ChunkFeeder.longestUnit
        #expect(feed([file[...]], OddParser(step: .needs(longest))).error == nil)
        #expect(
            feed([file[...]], OddParser(step: .needs(longest + 1))).error
                == TrafficError(.recordTooLong, at: 0, found: longest + 1))
        let long = [UInt8](repeating: 0, count: longest + 100)
        for size in [1 << 12, longest, longest + 100] {
            let pieces = stride(from: 0, to: long.count, by: size).map {
                long[$0..<min($0 + size, long.count)]
            }
            #expect(feed(pieces, OddParser(step: .needs(0))).error?.kind == .recordTooLong)
        }
    }
}
