import HaloCapture
import HaloProtocol
import HaloTraffic

/// A btsnoop file of a connection with a device that sends ring frames, and a heart rate at times.
struct TrafficFile {
    /// Writes a file with a discovery and this number of notifications.
    static func write(_ path: String, notifications: Int) throws {
        var exporter = CaptureExporter(.btsnoop)
        var file = try FileOutput(path)
        let frames = try values.map { (channel, bytes) in
            CaptureLine.packet(try CapturePacket(.fromDevice, channel, bytes))
        }
        let head: [CaptureLine] = [
            .event(.connected(mtu: 247), link: nil),
            .event(.subscribed(.uart), link: nil),
            .event(.subscribed(heartRate), link: nil),
        ]
        for line in head + frames { try exporter.prepare(for: line, at: .origin) }
        for line in head { try exporter.write(line, at: .origin) }
        for number in 0..<notifications {
            let moment = Moment(microseconds: Int64(number) * 7500)
            try exporter.write(frames[number % frames.count], at: moment)
            if exporter.pendingCount > 1 << 18 { try file.write(exporter.drain()) }
        }
        try exporter.finish()
        try file.write(exporter.drain())
        try file.commit()
    }

    private static let heartRate = CaptureChannel(
        CharacteristicCatalog.heartRateMeasurement.uuid)

    /// Seven frames of different kinds, and one heart rate.
    private static var values: [(CaptureChannel, [UInt8])] {
        get throws {
            var values: [(CaptureChannel, [UInt8])] = []
            for number in UInt8(0)..<32 {
                for start in starts {
                    var bytes = start + [UInt8](repeating: 0, count: 15 - start.count)
                    if start[0] == 0x15 { bytes[8] = 60 + number }
                    bytes.append(bytes.reduce(0, &+))
                    values.append((.uart, bytes))
                }
                let measurement = try HeartRateMeasurement(
                    beatsPerMinute: UInt16(60 + number), contact: .detected,
                    rrIntervals: [800 + UInt16(number), 810])
                values.append((heartRate, measurement.bytes))
            }
            return values
        }
    }

    /// The first bytes of frames: battery, heart rate, heart-rate log, workout, current steps.
    private static let starts: [[UInt8]] = [
        [0x03, 0x4E], [0x69, 0x01, 0x00, 0x48], [0x15, 0x01, 0x3C, 0x3D, 0x3E, 0x3F],
        [0x15, 0x02, 0x40, 0x41, 0x42, 0x43], [0x15, 0x03, 0x44, 0x45, 0x46, 0x47],
        [0x78, 0x07, 0x01, 0x00, 0x0A, 0x39], [0x73, 0x12, 0x00, 0x01, 0x02, 0x00, 0x00, 0x10],
    ]
}
