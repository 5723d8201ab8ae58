import HaloCapture
package import HaloTesting

@testable import HaloTraffic

/// Files that hold a log: an archive, a compressed file, or btsnooz. Whatever the survey of the
/// log reads, it reads in pieces of any size; the first byte chooses the form that is made of
/// the others.
package struct ArchiveTarget: FuzzTarget {
    package let name = "Archive"

    package init() {}

    package func check(_ bytes: Span<UInt8>) throws(ContractViolation) {
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
    private func checkArchive(
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
