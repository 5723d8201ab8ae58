import HaloProtocol

/// Asks a ring for its battery and decodes a heart-rate measurement: 85 % and 72 beats make 85072.
func selftest() -> Int32 {
    let battery: [UInt8] = [0x03, 0x55, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x59]
    let measurement: [UInt8] = [0x10, 0x48, 0x00, 0x04]
    var session = RingSession()
    let pending = session.send(Battery.Request(), at: .origin)
    session.receive(battery, on: .uart, at: .origin)
    while let effect = session.nextEffect() {
        guard case .finished(let completion) = effect else { continue }
        guard let reply = try? pending.answer(completion).value,
            let beats = try? HeartRateMeasurement(decoding: measurement)
        else { return -2 }
        return Int32(reply.percent) * 1000 + Int32(beats.beatsPerMinute)
    }
    return -1
}
