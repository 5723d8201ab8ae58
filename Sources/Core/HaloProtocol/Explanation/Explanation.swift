#if !hasFeature(Embedded)
/// The fields of a packet, each with its offset, name, value and meaning.
///
/// The decoders themselves produce it, so it shows the values that a program reads. Its
/// description is a table; ``fields`` has the same as values.
public struct Explanation: Hashable, Sendable {
    /// The result of decoding.
    public enum Status: Hashable, Sendable {
        case decoded
        /// The bytes are not a valid packet of their kind.
        case refused
        case unknown
    }

    public let status: Status
    /// The kind of packet, or `nil` if it is unknown.
    public internal(set) var kind: PacketKind?
    /// The type of the packet as in Swift code, or `nil` if it is unknown.
    public let packet: PacketName?
    /// The packet in words.
    public let title: String
    public let bytes: [UInt8]
    /// The fields in order, including those of the frame and those of unknown meaning.
    public let fields: [DecodedField]
    /// The bytes after decoding and encoding, or `nil` if they could not be decoded.
    public let reencoded: [UInt8]?
    /// The decoding error in one sentence, or `nil`.
    public let problem: String?

    init(
        _ status: Status, packet: PacketName?, title: String, bytes: [UInt8],
        fields: [DecodedField], reencoded: [UInt8]? = nil, problem: String? = nil
    ) {
        self.status = status
        self.packet = packet
        self.title = title
        self.bytes = bytes
        self.fields = Self.completed(fields, count: bytes.count, status: status)
        self.reencoded = reencoded
        self.problem = problem
    }

    /// The packet with its fields on one line, in the format of captures.
    public var reading: String {
        let fields = fields.filter(\.isPartOfReading).map { "\($0.name): \($0.text)" }
        return "\(packet?.description ?? "unknown")(\(fields.joined(separator: ", ")))"
    }

    /// Returns the fields, with additional ones for the bytes that no field covers.
    private static func completed(
        _ fields: [DecodedField], count: Int, status: Status
    ) -> [DecodedField] {
        let name = status == .refused ? "unread" : "unclaimed"
        var fields = fields
        // Most decoders read from the beginning to the end.
        let isInOrder = zip(fields, fields.dropFirst()).allSatisfy { $0.offset <= $1.offset }
        if !isInOrder { fields.sort { $0.offset < $1.offset } }
        var completed: [DecodedField] = []
        completed.reserveCapacity(fields.count + 1)
        var end = 0
        for field in fields {
            if field.offset > end {
                completed.append(.gap(name, from: end, to: field.offset))
            }
            completed.append(field)
            end = max(end, field.offset + field.length)
        }
        if end < count { completed.append(.gap(name, from: end, to: count)) }
        return completed
    }

    /// Creates an explanation of a frame of the UART channel.
    ///
    /// A `nil` direction is guessed: the one whose packet explains more bytes. If both explain all,
    /// an empty frame is a request and any other one a reply.
    public init(of frame: Frame, direction: Direction? = nil) {
        if direction != .toDevice, let refusal = Refusal(frame) {
            self.init(of: refusal, frame)
        } else {
            self = Self.guessing(direction, isEmpty: frame.payload.allSatisfy { $0 == 0 }) {
                Explanation(of: frame, $0)
            }
        }
    }

    private static func guessing(
        _ direction: Direction?, isEmpty: @autoclosure () -> Bool,
        _ explain: (Direction) -> Explanation
    ) -> Explanation {
        if let direction { return explain(direction) }
        let (request, reply) = (explain(.toDevice), explain(.fromDevice))
        return request.unexplained < reply.unexplained + (isEmpty() ? 1 : 0) ? request : reply
    }

    /// Creates an explanation of what a decoder reads and records; a `nil` name is an unknown
    /// packet.
    private init(
        _ packet: PacketName?, title: String, bytes: [UInt8],
        _ recorder: FieldRecorder = FieldRecorder(),
        decode: (inout FieldRecorder) throws(PacketError) -> [UInt8]?
    ) {
        var recorder = recorder
        var (reencoded, problem): ([UInt8]?, PacketError?)
        do throws(PacketError) {
            reencoded = try decode(&recorder)
        } catch {
            problem = error
        }
        self.init(
            packet == nil ? .unknown : problem == nil ? .decoded : .refused, packet: packet,
            title: title, bytes: bytes, fields: recorder.fields, reencoded: reencoded,
            problem: problem?.description)
    }

    private init(of frame: Frame, _ direction: Direction) {
        if let entry = CommandCatalog.entry(opcode: frame.opcode),
            let form = entry.form(direction)
        {
            let subject = entry.facts.title.description
            self.init(of: frame, form, title: subject + Self.way(direction), subject: subject)
        } else {
            self.init(of: frame, nil, title: "an unknown command", subject: "unknown")
        }
    }

    private init(of frame: Frame, _ form: FrameForm?, title: String, subject: String) {
        self.init(form?.name, title: title, bytes: Array(frame.bytes)) {
            recorder throws(PacketError) in
            let opcode = DecodedField.framing("opcode", at: 0, UInt64(frame.opcode), subject)
            defer {
                recorder.fields.insert(opcode, at: 0)
                recorder.fields.append(Self.checksum(of: frame))
            }
            return try form.map { form throws(PacketError) in
                Array(try form.record(frame, &recorder).bytes)
            }
        }
    }

    private init(of refusal: Refusal, _ frame: Frame) {
        let command = CommandCatalog.entry(opcode: refusal.opcode)
        let title = command?.facts.title.description ?? "an unknown command"
        self.init(
            .decoded, packet: PacketName("Refusal"), title: "refusal, from the device",
            bytes: Array(frame.bytes),
            fields: [
                DecodedField(
                    name: "opcode", offset: 0, length: 1, role: .value, secrecy: .open,
                    isBigEndian: false,
                    value: .integer(UInt64(frame.opcode)),
                    meaning: "\(HexText.byte(refusal.opcode)), \(title)"),
                .framing("code", at: 1, UInt64(Refusal.code), "not supported, or refused"),
                Self.checksum(of: frame),
            ],
            reencoded: Array(refusal.frame.bytes))
    }

    /// The end of a title that says which side has sent the packet.
    private static func way(_ direction: Direction) -> String {
        direction == .toDevice ? ", to the device" : ", from the device"
    }

    private static func checksum(of frame: Frame) -> DecodedField {
        .framing("checksum", at: Frame.length - 1, UInt64(frame.checksum), "right")
    }

    /// The number of bytes without a meaning; 65,535 if decoding has failed.
    private var unexplained: Int {
        guard status == .decoded else { return Int(UInt16.max) }
        return fields.reduce(0) { $0 + ($1.role == .unclaimed && !$1.isZero ? $1.length : 0) }
    }

    /// Creates an explanation of a big-data frame. A `nil` direction is guessed as for a ``Frame``.
    public init(of frame: BigDataFrame, direction: Direction? = nil) {
        self = Self.guessing(direction, isEmpty: frame.payload.isEmpty) {
            Explanation(of: frame, $0)
        }
    }

    private init(of frame: BigDataFrame, _ direction: Direction) {
        let unknown = "an unknown record"
        let subject = BigDataCatalog.entry(id: frame.id, direction)?.facts.title.description
        let form = BigDataCatalog.form(of: frame, direction)
        let header = BigDataFrame.headerLength
        self.init(
            form?.name,
            title: form == nil ? unknown : (subject ?? unknown) + Self.way(direction),
            bytes: frame.bytes, FieldRecorder(start: header)
        ) { recorder throws(PacketError) in
            defer {
                recorder.fields = Self.framing(of: frame, subject ?? "unknown") + recorder.fields
            }
            do throws(PacketError) {
                let payload = try form?.record(frame.payload, &recorder)
                return payload.map { BigDataFrame(id: frame.id, unchecked: $0).bytes }
            } catch {
                throw error.moved(by: header)
            }
        }
    }

    private static func framing(of frame: BigDataFrame, _ title: String) -> [DecodedField] {
        let length = frame.payload.count
        let checksum = CRC16.checksum(of: frame.payload)
        return [
            .framing("marker", at: 0, UInt64(BigDataFrame.marker), "big-data frame"),
            .framing("id", at: 1, UInt64(frame.id), title),
            .framing("length", at: 2, length: 2, UInt64(length), FieldUnit.bytes.text(length)),
            .framing("checksum", at: 4, length: 2, UInt64(checksum), "right"),
        ]
    }

    /// Creates an explanation of any bytes.
    ///
    /// A `nil` kind is recognised by the bytes. A `nil` direction is guessed.
    public init(
        of bytes: some Sequence<UInt8>, as kind: PacketKind? = nil, direction: Direction? = nil
    ) {
        let bytes = Array(bytes)
        guard let kind = kind ?? PacketKind(recognising: bytes) else {
            self.init(
                .unknown, packet: nil, title: "an unknown packet", bytes: bytes, fields: [],
                problem: "no known packet looks like this; a ring's frame has "
                    + "\(Frame.length) bytes, and these are \(bytes.count).")
            return
        }
        switch kind.reading {
        case .uart:
            self.init(of: bytes, "UART") { bytes throws(FrameError) in
                Explanation(of: try Frame(decoding: bytes), direction: direction)
            }
        case .bigData:
            self.init(of: bytes, "big-data") { bytes throws(FrameError) in
                Explanation(of: try BigDataFrame(decoding: bytes), direction: direction)
            }
        case .characteristic(let number):
            let entry = CharacteristicCatalog.entry(BluetoothUUID(UInt32(number)))
            self.init(
                of: bytes, entry?.form, title: entry?.title.description ?? "unknown",
                entry?.textSecrecy ?? .text)
        case .advertisement:
            self.init(of: bytes, ByteForm(AdvertisingData.self), title: "advertising data")
        case .family(let family):
            self.init(
                of: bytes, family.form(of: bytes, direction), title: family.title.description)
        }
        self.kind = kind
    }

    /// Creates an explanation of bytes as a packet of a type, from the catalogue or your own.
    ///
    ///     Explanation(of: [0x01, 0x48], as: Thermometer.self)
    ///
    /// - Parameter title: The packet in words; by default the name of its type.
    public init<Packet: BytePacket>(
        of bytes: some Sequence<UInt8>, as type: Packet.Type, title: String? = nil
    ) {
        self.init(of: Array(bytes), ByteForm(type), title: title ?? "\(Packet.name)")
    }

    /// Creates an explanation of a frame as a packet of a type, from the catalogue or your own.
    ///
    /// - Parameter title: The packet in words; by default the name of its type.
    public init<Packet: FramePacket>(
        of frame: Frame, as type: Packet.Type, title: String? = nil
    ) {
        let title = title ?? "\(Packet.name)"
        self.init(of: frame, FrameForm(type), title: title, subject: title)
    }

    /// Creates an explanation of a value that is one packet; a `nil` form is an unknown packet.
    init(
        of bytes: [UInt8], _ form: ByteForm?, title: String, _ textSecrecy: FieldSecrecy = .text
    ) {
        self.init(form?.name, title: title, bytes: bytes, FieldRecorder(text: textSecrecy)) {
            recorder throws(PacketError) in try form?.record(bytes, &recorder)
        }
    }

    private init(
        of bytes: [UInt8], _ channel: String,
        decoding: ([UInt8]) throws(FrameError) -> Explanation
    ) {
        do throws(FrameError) {
            self = try decoding(bytes)
        } catch {
            self.init(
                .refused, packet: nil, title: "a frame of the \(channel) channel", bytes: bytes,
                fields: [], problem: error.description)
        }
    }
}

extension DecodedField {
    /// Returns a field for bytes that no other field covers.
    static func gap(_ name: String, from start: Int, to end: Int) -> DecodedField {
        DecodedField(
            name: name, offset: start, length: end - start, role: .unclaimed, secrecy: .unknown,
            isBigEndian: false, value: .bytes([]), meaning: "")
    }

    /// Returns a field of the frame around a packet, such as the opcode.
    static func framing(
        _ name: String, at offset: Int, length: Int = 1, _ value: UInt64, _ meaning: String
    ) -> DecodedField {
        DecodedField(
            name: name, offset: offset, length: length, role: .framing, secrecy: .open,
            isBigEndian: false, value: .integer(value), meaning: meaning)
    }

    var isPartOfReading: Bool {
        switch role {
        case .value, .structure: true
        case .framing: false
        case .unclaimed: text != ""
        }
    }

    fileprivate var isZero: Bool {
        switch value {
        case .integer(let number): number == 0
        case .bytes(let bytes): bytes.allSatisfy { $0 == 0 }
        }
    }

    /// The meaning, or the bytes of a field without one; empty for zeros.
    var text: String {
        guard role == .unclaimed else { return meaning }
        if isZero { return "" }
        switch value {
        case .integer(let number): return "\(number)"
        case .bytes(let bytes): return HexText.bytes(bytes, separator: " ")
        }
    }
}

extension RingSession.Event: CustomStringConvertible {
    /// The event on one line, with packets in the format of captures.
    public var description: String {
        switch self {
        case .notification(let reply): Self.reading(reply.frame)
        case .unsolicited(let frame): Self.reading(frame)
        case .unsolicitedRecord(let frame): Explanation(of: frame).reading
        case .late(let frame): "late: \(Self.reading(frame))"
        case .lateRecord(let frame): "late: \(Explanation(of: frame).reading)"
        case .unknown(let frame): "unknown frame: \(frame)"
        case .brokenFrame(let bytes, let error):
            "no frame: \(HexText.bytes(bytes, separator: " ")): \(error)"
        case .brokenPacket(let frame, let error): "broken packet: \(frame): \(error)"
        case .brokenRecord(let fault): "broken record: \(fault)"
        case .dropped(let count): "\(count) events were dropped"
        case .fault(let words): "a fault of this package, please report it: \(words)"
        }
    }

    private static func reading(_ frame: Frame) -> String {
        Explanation(of: frame, direction: .fromDevice).reading
    }
}

extension StreamReport: CustomStringConvertible {
    /// The report on one line, with packets in the format of captures.
    public var description: String {
        switch self {
        case .started(let start): start.map { "started, to be stored as \($0)" } ?? "started"
        case .measurement(let reply): Explanation(of: reply.frame, direction: .fromDevice).reading
        case .workout(let reply): Explanation(of: reply.frame, direction: .fromDevice).reading
        case .rawSensors(let reply): Explanation(of: reply.frame, direction: .fromDevice).reading
        case .ended(let end): "ended: \(end)"
        }
    }
}
#endif
