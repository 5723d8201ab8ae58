import HaloCapture
package import HaloTesting
package import HaloTraffic

extension FuzzTarget {
    /// The formats of traffic, each as a target. The input is the file.
    package static let traffic =
        [
            traffic("BTSnoop", .btsnoop), traffic("Pcap", .pcap), traffic("PcapNG", .pcapng),
            traffic("PacketLogger", .packetLogger), traffic("BTSnooz", .btsnooz),
            traffic("BtmonText", .btmonText), traffic("HexLines", .hexLines),
            traffic("RingFrames", .ringFrames),
        ] + logs

    /// The logs of programs, of which bytes at random are hardly ever a line.
    package static let logs = [
        traffic("NRFConnect", .nrfConnect), traffic("Wireshark", .wireshark),
        traffic("WiresharkJSON", .wiresharkJSON),
    ]

    /// A file of one format, read in pieces of several sizes, and once more after its format was
    /// recognised.
    package static func traffic(_ name: String, _ format: TrafficFormat) -> FuzzTarget {
        FuzzTarget(name) { bytes throws(ContractViolation) in
            var options = ImportOptions()
            options.format = format
            options.device = .all
            options.keepsAdvertisements = true
            let whole = TrafficReading(bytes, options, inPieces: max(bytes.count, 1))
            for size in [1, 7] where TrafficReading(bytes, options, inPieces: size) != whole {
                throw violation("in pieces of \(size) bytes it is something else", format, bytes)
            }
            try check(whole, format, bytes)
            if TrafficFormat.detect(bytes.extracting(0..<min(bytes.count, length))) == format {
                options.format = nil
                guard TrafficReading(bytes, options, inPieces: 5) == whole else {
                    throw violation("recognised it is something else", format, bytes)
                }
            }
        }
    }

    private static var length: Int { TrafficFormat.detectionLength }

    private static func check(
        _ reading: TrafficReading, _ format: TrafficFormat, _ bytes: Span<UInt8>
    ) throws(ContractViolation) {
        // What is unpacked on the way may be longer.
        let isPacked =
            format == .btsnooz || bytes.count > 1 && bytes[0] == 0x1F && bytes[1] == 0x8B
        let end = isPacked ? Int.max : bytes.count
        for error in [reading.error, reading.importError].compactMap({ $0 }) {
            guard (0...end).contains(error.offset), error.description != "" else {
                throw violation("the error is nowhere: \(error)", format, bytes)
            }
        }
        guard (0...end).contains(reading.recordCount) else {
            throw violation("there are more records than bytes", format, bytes)
        }
        var reader = CaptureReader()
        do throws(CaptureError) {
            try reader.read(reading.text)
            _ = try reader.finish()
        } catch {
            throw violation("what was imported is no capture: \(error)", format, bytes)
        }
    }

    private static func violation(
        _ what: String, _ format: TrafficFormat, _ bytes: Span<UInt8>
    ) -> ContractViolation {
        let bytes = bytes.withUnsafeBufferPointer { Array($0) }
        return ContractViolation(what, packet: format.name, bytes: bytes)
    }
}
