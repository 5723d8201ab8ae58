package import HaloTesting

@testable import HaloTraffic

/// Compressed data, held against the system's zlib: the same bytes, and both complete or both
/// not. The first byte chooses the wrapper.
package struct InflateTarget: FuzzTarget {
    package let name = "Inflate"

    package init() {}

    package func check(_ bytes: Span<UInt8>) throws(ContractViolation) {
        guard bytes.count > 0 else { return }
        let choice = [(Unpacker.Wrapper.none, -15), (.zlib, 15), (.gzip, 31)][Int(bytes[0]) % 3]
        let (wrapper, windowBits) = choice
        let input = bytes.extracting(1..<bytes.count).withUnsafeBufferPointer { Array($0) }
        let whole = Unpacking(input, wrapper, inPieces: max(input.count, 1))
        for size in [1, 7, 64] where Unpacking(input, wrapper, inPieces: size) != whole {
            throw ContractViolation(
                "in pieces of \(size) bytes it is something else", packet: "Inflate", bytes: input)
        }
        guard let other = SystemZlib.shared?.unpacked(input, windowBits: CInt(windowBits)) else {
            return
        }
        guard other.bytes == whole.bytes, other.isComplete == (whole.error == nil) else {
            let error = whole.error.map { "\($0)" } ?? "complete"
            throw ContractViolation(
                "zlib unpacks \(other.bytes.count) bytes, complete: \(other.isComplete); "
                    + "here it is \(whole.bytes.count), \(error)", packet: "Inflate", bytes: input)
        }
    }
}

/// The result of unpacking in pieces of a size.
struct Unpacking: Equatable {
    private(set) var bytes: [UInt8] = []
    private(set) var error: TrafficError?

    init(_ input: [UInt8], _ wrapper: Unpacker.Wrapper, inPieces size: Int) {
        var unpacker = Unpacker(wrapper)
        let input = ContiguousArray(input)
        do throws(TrafficError) {
            var start = 0
            while start < input.count {
                let piece = input.span.extracting(start..<min(start + size, input.count))
                try unpacker.feed(piece) { unpacked throws(TrafficError) in
                    bytes += unpacked.withUnsafeBufferPointer { Array($0) }
                }
                start += size
            }
            try unpacker.finish()
        } catch {
            self.error = error
        }
    }
}
