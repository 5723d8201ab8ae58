import HaloProtocol

/// Decodes a frame and a heart-rate measurement: 85 % and 72 beats make 85072.
func selftest() -> Int32 {
    let battery: [UInt8] = [0x03, 0x55, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x59]
    let measurement: [UInt8] = [0x10, 0x48, 0x00, 0x04]
    do throws(FrameError) {
        let frame = try Frame(decoding: battery)
        guard let reply = try? Battery.Reply(decoding: frame),
            let beats = try? HeartRateMeasurement(decoding: measurement)
        else { return -2 }
        return Int32(reply.percent) * 1000 + Int32(beats.beatsPerMinute)
    } catch {
        return -1
    }
}
