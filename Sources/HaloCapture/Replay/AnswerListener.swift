import HaloProtocol

/// A collector of the kinds of answers to each request, in a recording or on a link.
struct AnswerListener {
    /// The answers to one request.
    struct Heard {
        var kinds: [AnswerKind] = []
        /// The moment of the first answer; `nil` before it.
        var first: Moment?
    }

    private let comparesSettings: Bool
    private var attribution = AnswerAttribution()
    /// The last subscription of each channel, and the one before it.
    private var subscriptions: [CaptureChannel: (request: Int, previous: Int?)] = [:]
    private var reassembler = BigDataReassembler()
    /// The answers, by the number of their request.
    private(set) var heard: [Int: Heard] = [:]
    /// The last reported second of a running workout; `nil` if there is none.
    private(set) var workoutSecond: UInt16?

    init(comparesSettings: Bool) {
        self.comparesSettings = comparesSettings
    }

    /// Records a written request.
    mutating func ask(_ request: Int, _ channel: CaptureChannel, _ bytes: [UInt8]) {
        attribution.note(
            request, CapturePacket(unchecked: .toDevice, nil, channel, bytes))
    }

    /// Records a request that subscribes to a channel.
    mutating func subscribe(_ request: Int, _ channel: CaptureChannel) {
        subscriptions[channel] = (request, subscriptions[channel]?.request)
    }

    /// Forgets a request that subscribes to a channel, since it is refused.
    mutating func undoSubscription(_ request: Int, _ channel: CaptureChannel) {
        guard let last = subscriptions[channel], last.request == request else { return }
        subscriptions[channel] = last.previous.map { ($0, nil) }
    }

    /// Receives a value, and records the answers in it.
    mutating func receive(_ channel: CaptureChannel, _ bytes: [UInt8], at moment: Moment) {
        let packet = CapturePacket(unchecked: .fromDevice, nil, channel, bytes)
        let request = attribution.request(for: packet)
        switch channel {
        case .uart:
            guard let frame = try? Frame(decoding: bytes) else { return }
            if let progress = try? WorkoutProgress.Reply(decoding: frame) {
                workoutSecond = progress.elapsedSeconds
            }
            guard let request,
                let kind = AnswerKind(frame, comparesSettings: comparesSettings)
            else { return }
            note(kind, request, moment)
        case .bigData:
            reassembler.receive(bytes)
            while let event = reassembler.nextEvent() {
                guard case .frame(let record) = event, let request else { continue }
                note(AnswerKind(.record(id: record.id)), request, moment)
            }
        default:
            guard let request = subscriptions[channel]?.request else { return }
            note(AnswerKind(.value(channel)), request, moment)
        }
    }

    /// Records an answer to a request.
    mutating func note(_ kind: AnswerKind, _ request: Int, _ moment: Moment) {
        var heard = heard[request] ?? Heard()
        heard.first = heard.first ?? moment
        if !kind.isOneMore(after: heard.kinds.last) { heard.kinds.append(kind) }
        self.heard[request] = heard
    }

    /// Resets the last reported second of a workout.
    mutating func forgetWorkout() { workoutSecond = nil }
}

/// An attribution of a ring's values to the requests that they answer.
///
/// A frame answers the last request of its opcode, a record the last request of its command.
/// Records without a request of their own (naps, the pieces of a workout) answer the last request
/// for a record. Pieces of a record stay together. Other values answer no request.
struct AnswerAttribution: Sendable {
    private var frames: [UInt8: Int] = [:]
    private var records: [UInt8: Int] = [:]
    private var lastRecord: Int?
    private var pieces = BigDataFrame.Pieces()
    /// The request that is answered by the record whose pieces are arriving; `nil` if there is
    /// none.
    private var pending: Int?

    /// Records a written request.
    mutating func note(_ request: Int, _ packet: CapturePacket) {
        switch packet.channel {
        case .uart:
            if let opcode = packet.bytes.first { frames[opcode] = request }
        case .bigData:
            guard packet.bytes.first == BigDataFrame.marker, packet.bytes.count > 1 else { return }
            records[packet.bytes[1]] = request
            lastRecord = request
            pieces = BigDataFrame.Pieces()
        default: break
        }
    }

    /// Returns the request that a value answers; `nil` if there is none.
    mutating func request(for packet: CapturePacket) -> Int? {
        switch packet.channel {
        case .uart:
            guard let frame = try? Frame(decoding: packet.bytes) else { return nil }
            guard let refused = frame.refusedOpcode else { return frames[frame.opcode] }
            return [refused, frame.opcode].compactMap { frames[$0] }.max()
        case .bigData: return record(packet.bytes)
        default: return nil
        }
    }

    private mutating func record(_ bytes: [UInt8]) -> Int? {
        if pieces.receive(bytes) { return pending }
        guard BigDataFrame.announcedLength(of: bytes) != nil else { return nil }
        pending = request(forRecord: bytes[1])
        return pending
    }

    private func request(forRecord id: UInt8) -> Int? {
        guard let entry = BigDataCatalog.entry(id: id, .fromDevice) else { return records[id] }
        guard let asked = entry.requestID else { return lastRecord }
        return records[asked]
    }
}

/// The kind of an answer of a device, without its values, which depend on the wearer and the time.
public struct AnswerKind: Hashable, Sendable {
    enum What: Hashable, Sendable {
        /// A frame: its opcode, and the part or action of its command.
        case frame(opcode: UInt8, part: UInt8)
        /// A ring's refusal of a command.
        case refusal(opcode: UInt8)
        /// A record.
        case record(id: UInt8)
        /// A value of another characteristic, or the answer to a read.
        case value(CaptureChannel)
        /// An acknowledgement of a request.
        case acknowledged
        /// A refusal by the attribute protocol.
        case refused(code: UInt8)
    }

    let what: What
    /// The bytes to compare: all bytes of a frame that is equal on every ring with equal settings;
    /// otherwise empty.
    let content: [UInt8]

    init(_ what: What, content: [UInt8] = []) {
        self.what = what
        self.content = content
    }

    /// `true` if the answer only repeats the previous kind, in a number that depends on the day.
    func isOneMore(after last: AnswerKind?) -> Bool {
        guard self == last else { return false }
        switch what {
        case .frame(let opcode, _): return opcode == ActivityLog.opcode
        case .value: return true
        case .refusal, .record, .acknowledged, .refused: return false
        }
    }

    /// Creates the kind of a frame; `nil` for an unsolicited one.
    init?(_ frame: Frame, comparesSettings: Bool) {
        if let opcode = frame.refusedOpcode {
            self.init(.refusal(opcode: opcode))
            return
        }
        switch frame.opcode {
        case RingNotification.opcode, RealtimeMeasurement.opcode, WorkoutProgress.opcode:
            return nil
        default:
            let content = comparesSettings && Self.isTheSameForAll(frame) ? Array(frame.bytes) : []
            self.init(.frame(opcode: frame.opcode, part: Self.part(frame)), content: content)
        }
    }

    /// Returns the part or action of a frame, if its command has several.
    private static func part(_ frame: Frame) -> UInt8 {
        switch frame.opcode {
        case Battery.opcode, TodayTotals.opcode, NotificationSwitches.opcode, SetTime.opcode,
            PacketSizePush.opcode:
            0
        case ActivityLog.opcode:
            // Activity records begin with their date, and are of one kind.
            frame[1] >= 0xF0 ? frame[1] : 1
        default: frame[1]
        }
    }

    /// Returns `true` if the frame is equal on every ring with equal settings: settings,
    /// capabilities, and empty stores.
    private static func isTheSameForAll(_ frame: Frame) -> Bool {
        switch frame.opcode {
        case SetTime.opcode, PacketSizePush.opcode, PhoneName.opcode, DeviceFunctions.opcode,
            NotificationSwitches.opcode, AutoHeartRate.opcode, AutoBloodOxygen.opcode,
            AutoStress.opcode, AutoHeartRateVariability.opcode, UserPreferences.opcode,
            TouchGesture.opcode, BloodPressureSetting.opcode, TemperatureUnit.opcode,
            TemperatureSetting.opcode, Goals.opcode, HourlySeries.opcode,
            RawCommand.menstruation.code:
            true
        default: frame[1] == 0xFF
        }
    }
}

extension AnswerKind: CustomStringConvertible {
    /// The name of the packet, and the part of its command.
    public var description: String {
        switch what {
        case .frame(let opcode, let part):
            "\(Self.name(of: opcode)) \(HexText.byte(opcode)).\(HexText.byte(part))"
        case .refusal(let opcode): "refusal of \(Self.name(of: opcode)) \(HexText.byte(opcode))"
        case .record(let id):
            "\(BigDataCatalog.entry(id: id, .fromDevice)?.name.description ?? "record") "
                + HexText.byte(id)
        case .value(let channel): "value of \(channel.words)"
        case .acknowledged: "acknowledged"
        case .refused(let code): "refused with \(HexText.byte(code))"
        }
    }

    private static func name(of opcode: UInt8) -> String {
        CommandCatalog.entry(opcode: opcode)?.name.description ?? "frame"
    }
}
