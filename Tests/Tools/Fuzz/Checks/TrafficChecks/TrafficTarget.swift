package import HaloCapture
package import HaloTesting
package import HaloTraffic

/// The target of a format of traffic. The input is a file, which is read in pieces of several
/// sizes, and once more after its format was recognised.
package struct TrafficTarget: FuzzTarget {
    package let name: String
    package let format: TrafficFormat

    package init(_ name: String, _ format: TrafficFormat) {
        self.name = name
        self.format = format
    }

    /// The formats, each as a target.
    package static let all =
        [
            TrafficTarget("BTSnoop", .btsnoop), TrafficTarget("Pcap", .pcap),
            TrafficTarget("PcapNG", .pcapng), TrafficTarget("PacketLogger", .packetLogger),
            TrafficTarget("BTSnooz", .btsnooz), TrafficTarget("BtmonText", .btmonText),
            TrafficTarget("HexLines", .hexLines), TrafficTarget("RingFrames", .ringFrames),
        ] + logs

    /// The logs of programs, of which bytes at random are hardly ever a line.
    package static let logs = [
        TrafficTarget("NRFConnect", .nrfConnect), TrafficTarget("Wireshark", .wireshark),
        TrafficTarget("WiresharkJSON", .wiresharkJSON),
    ]

    package func check(_ bytes: Span<UInt8>) throws(ContractViolation) {
        var options = ImportOptions()
        options.format = format
        options.device = .all
        options.keepsAdvertisements = true
        let whole = TrafficReading(bytes, options, inPieces: max(bytes.count, 1))
        for size in [1, 7] where TrafficReading(bytes, options, inPieces: size) != whole {
            throw violation("in pieces of \(size) bytes it is something else", bytes)
        }
        try check(whole, bytes)
        let beginning = bytes.extracting(0..<min(bytes.count, TrafficFormat.detectionLength))
        if TrafficFormat.detect(beginning) == format {
            options.format = nil
            guard TrafficReading(bytes, options, inPieces: 5) == whole else {
                throw violation("recognised it is something else", bytes)
            }
        }
    }

    /// Returns a file of the format with the first packets of the capture.
    package func inputs(from capture: Capture) -> [[UInt8]] {
        TrafficSeed(capture)?.bytes(as: format).map { [$0] } ?? []
    }

    private func check(
        _ reading: TrafficReading, _ bytes: Span<UInt8>
    ) throws(ContractViolation) {
        // What is unpacked on the way may be longer.
        let isPacked =
            format == .btsnooz || bytes.count > 1 && bytes[0] == 0x1F && bytes[1] == 0x8B
        let end = isPacked ? Int.max : bytes.count
        for error in [reading.error, reading.importError].compactMap({ $0 }) {
            guard (0...end).contains(error.offset), error.description != "" else {
                throw violation("the error is nowhere: \(error)", bytes)
            }
        }
        guard (0...end).contains(reading.recordCount) else {
            throw violation("there are more records than bytes", bytes)
        }
        var reader = CaptureReader()
        do throws(CaptureError) {
            try reader.read(reading.text)
            _ = try reader.finish()
        } catch {
            throw violation("what was imported is no capture: \(error)", bytes)
        }
    }

    private func violation(
        _ what: String, _ bytes: Span<UInt8>
    ) -> ContractViolation {
        let bytes = bytes.withUnsafeBufferPointer { Array($0) }
        return ContractViolation(what, packet: format.name, bytes: bytes)
    }
}
