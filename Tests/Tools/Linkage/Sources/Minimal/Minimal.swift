import HaloProtocol

/// Decodes one of each kind of packet.
@main struct Minimal {
    static func main() throws {
        let battery: [UInt8] = [0x03, 0x55, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x59]
        let reply = try Battery.Reply(decoding: Frame(decoding: battery))
        let measurement = try HeartRateMeasurement(decoding: [0x10, 0x48, 0x00, 0x04])
        print("battery \(reply.percent) %, heart rate \(measurement.beatsPerMinute)")
    }
}
