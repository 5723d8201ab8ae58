import HaloProtocol

/// A program with its own Bluetooth stack, which uses only the packets of this package.
@main struct ProtocolConsumer {
    struct Broken: Error {}

    static func main() throws {
        let request = Battery.Request().frame
        let bytes: [UInt8] = [0x03, 0x55, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x59]
        let reply = try Battery.Reply(decoding: Frame(decoding: bytes))
        let measurement = try HeartRateMeasurement(decoding: [0x10, 0x48, 0x00, 0x04])
        guard Array(request.bytes) == [3] + [UInt8](repeating: 0, count: 14) + [3],
            reply.percent == 85, measurement.beatsPerMinute == 72
        else { throw Broken() }
        print("a request is written, and two values are read")
    }
}
