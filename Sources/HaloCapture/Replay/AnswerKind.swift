import HaloProtocol

/// What kind of thing a device said, without what depends on who wears it and when.
public struct AnswerKind: Hashable, Sendable {
    enum What: Hashable, Sendable {
        /// A frame: its opcode, and which part or action of its command.
        case frame(opcode: UInt8, part: UInt8)
        /// A ring's "no" to a command.
        case refusal(opcode: UInt8)
        /// A record.
        case record(id: UInt8)
        /// A value of another characteristic, or the answer to a read.
        case value(CaptureChannel)
        /// A request was acknowledged.
        case acknowledged
        /// A request was refused on the level of attributes.
        case refused(code: UInt8)
    }

    let what: What
    /// All bytes of a frame that says the same on every ring of a kind that is set alike.
    let content: [UInt8]

    init(_ what: What, content: [UInt8] = []) {
        self.what = what
        self.content = content
    }

    /// Whether it tells nothing to have it once more: how many there are depends on the day.
    func isOneMore(after last: AnswerKind?) -> Bool {
        guard self == last else { return false }
        switch what {
        case .frame(let opcode, _): return opcode == ActivityLog.opcode
        case .value: return true
        case .refusal, .record, .acknowledged, .refused: return false
        }
    }
}

extension AnswerKind: CustomStringConvertible {
    /// The name of the packet, and which part of its command it is.
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

extension AnswerKind {
    /// The kind of a frame that answers something; nothing for what comes unasked.
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

    /// What a frame is, where its command has several: a part's place, a setting's action.
    private static func part(_ frame: Frame) -> UInt8 {
        switch frame.opcode {
        case Battery.opcode, TodayTotals.opcode, NotificationSwitches.opcode, SetTime.opcode,
            PacketSizePush.opcode:
            0
        case ActivityLog.opcode:
            // Records begin with their date: they are of one kind.
            frame[1] >= 0xF0 ? frame[1] : 1
        default: frame[1]
        }
    }

    /// Whether every ring of a kind that is set alike says just this: settings, capabilities, and
    /// that nothing is stored.
    private static func isTheSameForAll(_ frame: Frame) -> Bool {
        switch frame.opcode {
        case SetTime.opcode, PacketSizePush.opcode, PhoneName.opcode, DeviceFunctions.opcode,
            NotificationSwitches.opcode, AutoHeartRate.opcode, AutoBloodOxygen.opcode,
            AutoStress.opcode, AutoHeartRateVariability.opcode, UserPreferences.opcode,
            TouchGesture.opcode, BloodPressureSetting.opcode, TemperatureUnit.opcode,
            TemperatureSetting.opcode, Goals.opcode, Menstruation.opcode, HourlySeries.opcode:
            true
        default: frame[1] == 0xFF
        }
    }
}
