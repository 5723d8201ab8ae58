import HaloTransport

@testable import HaloProtocol

/// A model of a ring behind a link that loses, duplicates and delays frames.
///
/// Each reply identifies its request: the battery's percentage is the number of the request, the
/// samples of a log are the number of its day.
struct SessionModelRing {
    /// Bytes on their way to the app.
    struct Delivery {
        let moment: Moment
        let bytes: [UInt8]
        let channel: RingChannel
    }

    /// The probability of faults per thousand.
    struct Faults {
        var lost = 0
        var doubled = 0
        var slow = 0
        var corrupted = 0
        var refused = 0
        var unasked = 0
    }

    private var random: SplitMix
    private let faults: Faults
    private(set) var deliveries: [Delivery] = []
    private var lastDelivery = Moment(microseconds: .min)
    private var quantity: RealtimeMeasurement.Quantity?
    /// The number of writes of each setting, by value.
    private(set) var writes = 0

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        var faults = Faults()
        if seed % 5 != 0 {
            faults.lost = [0, 20, 150].randomElement(using: &random) ?? 0
            faults.doubled = [0, 0, 100].randomElement(using: &random) ?? 0
            faults.slow = [0, 30, 200].randomElement(using: &random) ?? 0
            faults.corrupted = [0, 30].randomElement(using: &random) ?? 0
            faults.refused = [0, 50].randomElement(using: &random) ?? 0
            faults.unasked = [0, 100].randomElement(using: &random) ?? 0
        }
        self.faults = faults
    }

    /// Ends the link: bytes on their way do not arrive.
    mutating func cut() {
        deliveries = []
        quantity = nil
    }

    mutating func happens(_ rate: Int) -> Bool {
        rate > 0 && Int.random(in: 0..<1000, using: &random) < rate
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    static func sample(daysAgo: UInt8) -> UInt8 { 100 &+ daysAgo }

    /// Handles a request.
    mutating func receive(_ frame: Frame, for tag: UInt8, at now: Moment) {
        if happens(faults.lost) { return }
        if happens(faults.refused), frame.opcode & 0x80 == 0 {
            return answer([Refusal(of: frame.opcode).frame], at: now)
        }
        switch frame.opcode {
        case Battery.opcode:
            answer([Battery.Reply.level(tag)], at: now)
        case StressLog.opcode:
            guard let request = try? StressLog.Request(decoding: frame),
                let log = try? StressLog.Reply(
                    day: request.day, minutesPerSample: 30,
                    samples: [UInt8](
                        repeating: Self.sample(daysAgo: request.day.count), count: 48))
            else { return }
            answer(log.frames, at: now)
        case AutoStress.opcode:
            let isRead = frame == AutoStress.Request.read.frame
            if !isRead { writes += 1 }
            let setting = ToggleSetting(.on)
            let reply = AutoStress.Reply(
                isRead ? .read : .write, reading: setting, echo: setting)
            answer([reply.frame], at: now)
        case RealtimeMeasurement.opcode:
            quantity = (try? RealtimeMeasurement.Request(decoding: frame))?.quantity
            report(at: now)
        case StopMeasurement.opcode:
            guard let quantity else { return }
            self.quantity = nil
            answer([StopMeasurement.Reply(quantity).frame], at: now)
        default:
            break
        }
    }

    /// Handles a request for a record.
    mutating func receive(_ record: BigDataFrame, at now: Moment) {
        if happens(faults.lost) { return }
        let reply = try? FileList.Reply(names: [[65, 66], [UInt8](repeating: 67, count: 60)])
        guard record.id == FileList.requestID, let reply else {
            return deliver(BigDataNoData(id: record.id).frame.bytes, .bigData, at: now)
        }
        var rest = reply.frame.bytes[...]
        while !rest.isEmpty {
            deliver(Array(rest.prefix(20)), .bigData, at: now)
            rest = rest.dropFirst(20)
        }
    }

    /// Reports the value of a running measurement.
    mutating func report(at now: Moment) {
        guard let quantity else { return }
        deliver(
            Array(RealtimeMeasurement.Reply(quantity, value: quantity.rawValue).frame.bytes),
            .uart, at: now)
        if happens(20) { self.quantity = nil }
    }

    private mutating func answer(_ frames: [Frame], at now: Moment) {
        let start = happens(faults.slow) ? now + .milliseconds(number(2000..<9000)) : now
        for frame in frames {
            if happens(faults.unasked) {
                deliver([0x73, 0x01] + [0] * 13 + [0x74], .uart, at: start)
            }
            deliver(Array(frame.bytes), .uart, at: start)
        }
    }

    private mutating func deliver(_ bytes: [UInt8], _ channel: RingChannel, at now: Moment) {
        if happens(faults.lost) { return }
        var bytes = bytes
        if happens(faults.corrupted) { bytes[number(0..<bytes.count)] ^= 0x10 }
        lastDelivery = max(lastDelivery, now + .milliseconds(number(5..<120)))
        for _ in 0..<(happens(faults.doubled) ? 2 : 1) {
            deliveries.append(Delivery(moment: lastDelivery, bytes: bytes, channel: channel))
        }
    }

    /// Returns the next delivery up to a moment.
    mutating func nextDelivery(until end: Moment) -> Delivery? {
        guard let first = deliveries.first, first.moment <= end else { return nil }
        return deliveries.removeFirst()
    }
}

private func * (bytes: [UInt8], count: Int) -> [UInt8] {
    (0..<count).flatMap { _ in bytes }
}
