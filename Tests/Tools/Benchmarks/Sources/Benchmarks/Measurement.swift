import Instruments
import PeersO2
import Subjects

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The result of measuring a row.
struct Measurement {
    /// The nanoseconds of one operation in the best pass.
    let subject: Double
    /// The nanoseconds of one operation of the fastest peer, in its best pass.
    let peer: Double
    /// The allocations of one operation.
    let allocations: Double
    /// The allocations of one operation of the first peer.
    let peerAllocations: Double

    var ratio: Double { subject / peer }
}

/// Runs operations over their inputs.
final class Bench {
    private static let passNanoseconds = 1e6
    private static let rounds = 40

    private let row: Row
    private let output: UnsafeMutableRawBufferPointer

    init(_ row: Row) {
        self.row = row
        output = .allocate(
            byteCount: Row.outputLength, alignment: 16)
    }

    deinit { output.deallocate() }

    /// Checks that the counter sees one allocation where there is exactly one, in either language,
    /// and none where there is none. Returns the fault, or `nil`.
    static func fault() -> String? {
        let inputs = Inputs(count: 16) { $0.bytes(64) }
        let expected: [(Operation, Double)] = [
            (allocateOnce, 1), (peer_allocate_once_o2, 1), (peer_nothing_o2, 0),
        ]
        for (operation, count) in expected {
            let bench = Bench(Row(name: "", inputs: inputs, subject: operation, peers: []))
            let found = bench.allocations(operation)
            if found != count { return "allocations are miscounted: \(found), not \(count)" }
        }
        return nil
    }

    /// Measures up to three times, until the limits are met: other programs run here too.
    func measureUntilWithinLimits() -> Measurement {
        var measurement = measure()
        for _ in 0..<2 where !row.limits.missed(by: measurement).isEmpty {
            let again = measure()
            if !(measurement.ratio <= again.ratio) { measurement = again }
        }
        return measurement
    }

    /// Measures all operations in turns, repeatedly; the best pass of each counts.
    func measure() -> Measurement {
        let operations = [row.subject] + row.peers
        let repetitions = operations.map { operation in
            let once = max(time(operation, repetitions: 1), time(operation, repetitions: 1))
            return max(1, Int(Self.passNanoseconds / max(once, 1)))
        }
        var best = operations.map { _ in Double.infinity }
        for round in 0..<Self.rounds {
            for turn in operations.indices {
                let index = (turn + round) % operations.count
                let elapsed = time(operations[index], repetitions: repetitions[index])
                let count = Double(repetitions[index] * row.inputs.ranges.count)
                best[index] = min(best[index], elapsed / count)
            }
        }
        return Measurement(
            subject: best[0], peer: best.dropFirst().min() ?? .nan,
            allocations: allocations(row.subject), peerAllocations: allocations(row.peers[0]))
    }

    /// Returns the difference between the results of the subject and of a peer, or `nil`.
    func disagreement() -> String? {
        row.inputs.bytes.withUnsafeBufferPointer { input in
            guard let input = input.baseAddress, let output = output.baseAddress else {
                return "there are no inputs"
            }
            for range in row.inputs.ranges {
                var digest: UInt64?
                let ours = output
                let theirs = output + Row.outputStride
                for (place, operation) in [(ours, row.subject)] + row.peers.map({ (theirs, $0) }) {
                    benchmark_sink_begin_digest()
                    let failure = operation(input + range.lowerBound, range.count, place)
                    let sunk = benchmark_sink_end_digest()
                    if failure != 0 { return "an operation failed with \(failure)" }
                    if row.comparesSink, let digest, digest != sunk { return "contents differ" }
                    digest = sunk
                    if place == theirs, !row.agrees(ours, theirs) { return "results differ" }
                }
            }
            return nil
        }
    }

    private func allocations(_ operation: Operation) -> Double {
        let before = allocation_count()
        _ = run(operation, repetitions: 1)
        return Double(allocation_count() - before) / Double(row.inputs.ranges.count)
    }

    private func time(_ operation: Operation, repetitions: Int) -> Double {
        let start = now()
        guard run(operation, repetitions: repetitions) == 0 else { return .infinity }
        // The clock of a virtual machine can stand still.
        let elapsed = now() - start
        return elapsed > 0 ? elapsed : .infinity
    }

    @inline(never)
    private func run(_ operation: Operation, repetitions: Int) -> Int32 {
        row.inputs.bytes.withUnsafeBufferPointer { input in
            row.inputs.ranges.withUnsafeBufferPointer { ranges in
                guard let input = input.baseAddress, let output = output.baseAddress else {
                    return -1
                }
                var failures: Int32 = 0
                for _ in 0..<repetitions {
                    var place = 0
                    for range in ranges {
                        failures |= operation(
                            input + range.lowerBound, range.upperBound &- range.lowerBound,
                            output + place)
                        place = (place &+ Row.outputStride) & (Row.outputLength &- 1)
                    }
                }
                return failures
            }
        }
    }

    private func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
