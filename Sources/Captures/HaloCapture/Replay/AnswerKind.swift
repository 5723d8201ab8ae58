import HaloProtocol

/// The kind of an answer of a device, without its values, which depend on the wearer and the time.
package enum AnswerKind: Hashable, Sendable {
    /// A frame: its opcode, the part or action of its command, and its bytes if they are compared:
    /// those of a frame that is equal on every ring with equal settings.
    case frame(opcode: UInt8, part: UInt8, content: [UInt8] = [])
    /// A ring's refusal of a command.
    case refusal(opcode: UInt8)
    case record(id: UInt8)
    /// A value of another characteristic, or the answer to a read.
    case value(CaptureChannel)
    case acknowledged
    /// A refusal by the attribute protocol.
    case refused(code: UInt8)

    /// `true` if the answer only repeats the previous kind, in a number that depends on the day.
    func isOneMore(after last: AnswerKind?) -> Bool {
        guard self == last else { return false }
        switch self {
        case .frame(let opcode, _, _): return opcode == ActivityLog.opcode
        case .value: return true
        case .refusal, .record, .acknowledged, .refused: return false
        }
    }

    /// Creates the kind of a frame; `nil` for an unsolicited one.
    init?(_ frame: Frame, comparesSettings: Bool) {
        if let opcode = frame.refusedOpcode {
            self = .refusal(opcode: opcode)
            return
        }
        switch frame.opcode {
        case RingNotification.opcode, RealtimeMeasurement.opcode, WorkoutProgress.opcode:
            return nil
        default:
            let content = comparesSettings && Self.isTheSameForAll(frame) ? Array(frame.bytes) : []
            self = .frame(opcode: frame.opcode, part: Self.part(frame), content: content)
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
    package var description: String {
        switch self {
        case .frame(let opcode, let part, _):
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
