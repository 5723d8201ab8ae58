import HaloCapture
package import HaloTesting

@testable import HaloTraffic

extension FuzzTarget {
    /// Compressed data, held against the system's zlib: the same bytes, and both complete or both
    /// not. The first byte chooses the wrapper.
    package static let inflate = FuzzTarget("Inflate") { bytes throws(ContractViolation) in
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

    /// Files that hold a log: an archive, a compressed file, or btsnooz. Whatever the survey of the
    /// log reads, it reads in pieces of any size; the first byte chooses the form that is made of
    /// the others.
    package static let archive = FuzzTarget("Archive") { bytes throws(ContractViolation) in
        guard bytes.count > 0 else { return }
        let rest = bytes.extracting(1..<bytes.count)
        var file = rest.withUnsafeBufferPointer { ContiguousArray($0) }
        // A made header leads to the parts that come after a checksum.
        if bytes[0] & 1 == 1 { file = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + file }
        var options = ImportOptions()
        options.device = .all
        if bytes[0] & 2 == 2 { options.format = .btsnooz }
        try checkArchive(file, options)
        let whole = TrafficReading(file.span, options, inPieces: max(file.count, 1))
        for size in [1, 7] where TrafficReading(file.span, options, inPieces: size) != whole {
            throw ContractViolation(
                "in pieces of \(size) bytes it is something else", packet: "Archive",
                bytes: Array(file))
        }
    }

    /// Reads all entries of an archive, and imports the log in it.
    private static func checkArchive(
        _ file: ContiguousArray<UInt8>, _ options: ImportOptions
    ) throws(ContractViolation) {
        _ = try? Capture(importing: file, options)
        guard let archive = try? TrafficArchive(file) else { return }
        _ = try? archive.log()
        for entry in archive.entries.prefix(16) {
            var count = 0
            var isWhole = false
            do {
                try archive.read(entry) { piece throws(TrafficError) in count += piece.count }
                isWhole = true
            } catch {}
            guard !isWhole || count == entry.length else {
                throw ContractViolation(
                    "an entry has another length than the archive says", packet: "Archive",
                    bytes: Array(file))
            }
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
