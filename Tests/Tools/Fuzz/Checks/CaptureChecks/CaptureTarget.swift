package import HaloTesting

@testable package import HaloCapture

/// Captures and fixtures. The input is the text.
package struct CaptureTarget: FuzzTarget {
    package let name = "CaptureReader"

    package init() {}

    package func check(_ bytes: Span<UInt8>) throws(ContractViolation) {
        let bytes = bytes.withUnsafeBufferPointer { Array($0) }
        let whole = read(bytes, inPieces: max(bytes.count, 1))
        for size in [1, 7] where read(bytes, inPieces: size) != whole {
            throw ContractViolation(
                "in pieces of \(size) bytes it is something else", packet: "Capture", bytes: bytes)
        }
        let lines = linesCutOff(bytes)
        switch whole {
        case .success(let capture):
            guard lines == capture.lines else {
                throw ContractViolation(
                    "line by line it is something else", packet: "Capture", bytes: bytes)
            }
            guard read(Array(capture.text.utf8), inPieces: 512) == whole else {
                throw ContractViolation(
                    "it does not read as it was written", packet: "Capture", bytes: bytes)
            }
        case .failure(let error):
            guard error.line > 0, error.column > 0, error.description != "",
                lines.count == error.line - 1
            else {
                throw ContractViolation(
                    "the error is nowhere: \(error)", packet: "Capture", bytes: bytes)
            }
        }
    }

    package func inputs(from capture: Capture) -> [[UInt8]] { [Array(capture.text.utf8)] }

    /// The lines of a possibly truncated text, drained in pieces of some bytes.
    private func linesCutOff(_ bytes: [UInt8]) -> [CaptureLine] {
        var reader = CaptureLineReader()
        var lines: [CaptureLine] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            try? reader.read(rest.prefix(5))
            rest = rest.dropFirst(5)
            while let line = reader.next() { lines.append(line.line) }
        }
        _ = try? reader.finishCutOff()
        return lines
    }

    private func read(
        _ bytes: [UInt8], inPieces size: Int
    ) -> Result<Capture, CaptureError> {
        var reader = CaptureReader()
        do throws(CaptureError) {
            var rest = bytes[...]
            while !rest.isEmpty {
                try reader.read(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            return .success(try reader.finish())
        } catch {
            return .failure(error)
        }
    }
}
