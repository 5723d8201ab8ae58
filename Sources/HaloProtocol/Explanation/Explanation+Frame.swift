#if !hasFeature(Embedded)
extension Explanation {
    /// What a frame of the UART channel says.
    ///
    /// Where it is not said which way the frame travelled, the direction is guessed: the one whose
    /// packet leaves fewer bytes unexplained; of two that leave none, an empty frame is a
    /// question and any other one an answer.
    public init(of frame: Frame, direction: Direction? = nil) {
        if direction != .toDevice, let refusal = Refusal(frame) {
            self.init(of: refusal, frame)
            return
        }
        let entry = CommandCatalog.entry(opcode: frame.opcode)
        if let direction {
            self.init(of: frame, direction, entry)
            return
        }
        let question = Explanation(of: frame, .toDevice, entry)
        let answer = Explanation(of: frame, .fromDevice, entry)
        let isEmpty = frame.payload.allSatisfy { $0 == 0 }
        self = question.doubt < answer.doubt + (isEmpty ? 1 : 0) ? question : answer
    }

    private init(of frame: Frame, _ direction: Direction, _ entry: CommandCatalog.Entry?) {
        let bytes = Array(frame.bytes)
        guard let entry, let form = entry.form(direction) else {
            self.init(
                .unknown, packet: nil, title: "an unknown command", bytes: bytes,
                fields: Self.framing(of: frame, "unknown"))
            return
        }
        let framing = Self.framing(of: frame, entry.title.description)
        let title = "\(entry.title), \(direction == .toDevice ? "to" : "from") the device"
        var recorder = FieldRecorder()
        do throws(PacketError) {
            let reencoded = try form.record(frame, &recorder)
            self.init(
                .decoded, packet: form.name, title: title, bytes: bytes,
                fields: framing + recorder.fields, reencoded: Array(reencoded.bytes))
        } catch {
            self.init(
                .refused, packet: form.name, title: title, bytes: bytes,
                fields: framing + recorder.fields, problem: error.description)
        }
    }

    private init(of refusal: Refusal, _ frame: Frame) {
        let command = CommandCatalog.entry(opcode: refusal.opcode)
        let title = command?.title.description ?? "an unknown command"
        self.init(
            .decoded, packet: PacketName("Refusal"), title: "refusal, from the device",
            bytes: Array(frame.bytes),
            fields: [
                DecodedField(
                    name: "opcode", offset: 0, length: 1, role: .value, isBigEndian: false,
                    value: .integer(UInt64(frame.opcode)),
                    meaning: "\(HexText.byte(refusal.opcode)), \(title)"),
                .framing("code", at: 1, UInt64(Refusal.code), "not supported, or refused"),
                Self.checksum(of: frame),
            ],
            reencoded: Array(refusal.frame.bytes))
    }

    private static func framing(of frame: Frame, _ title: String) -> [DecodedField] {
        [.framing("opcode", at: 0, UInt64(frame.opcode), title), checksum(of: frame)]
    }

    private static func checksum(of frame: Frame) -> DecodedField {
        .framing("checksum", at: Frame.length - 1, UInt64(frame.checksum), "right")
    }

    /// How little a reading explains: the bytes left over, or everything where it failed.
    var doubt: Int {
        guard status == .decoded else { return Int(UInt16.max) }
        return fields.reduce(0) { $0 + ($1.role == .unclaimed && $1.text != "" ? $1.length : 0) }
    }
}
#endif
