import HaloCapture

@testable import HaloProtocol

/// The type of a fixture's packet, with its decoder.
struct FixtureSubject {
    /// The name of the type.
    let name: PacketName
    /// The bytes for the decoder: a 16-byte frame, a big-data frame's payload, a value.
    let body: [UInt8]
    /// `true` if the body is a 16-byte frame with its checksum.
    let isFrame: Bool
    /// Decodes the packet and encodes it again.
    let record: ([UInt8], inout FieldRecorder) throws(PacketError) -> [UInt8]

    /// The subject of a packet, or `nil` if its frame is broken or its type unknown.
    init?(_ packet: FixturePacket) {
        switch packet.channel {
        case .uart:
            guard let frame = try? Frame(decoding: packet.bytes) else { return nil }
            self.init(frame, packet.direction)
        case .bigData:
            guard let frame = try? BigDataFrame(decoding: packet.bytes) else { return nil }
            self.init(frame, packet.direction)
        case .family(let family):
            let type = family.packet(packet.direction, startingWith: packet.bytes.first)
            self.init(type?.form, packet.bytes)
        case .advertisement, .scanResponse:
            self.init(ByteForm(AdvertisingData.self), packet.bytes)
        case .characteristic(let uuid):
            self.init(CharacteristicCatalog.entry(uuid)?.form, packet.bytes)
        case .descriptor:
            return nil
        }
    }

    private init?(_ frame: Frame, _ direction: Direction) {
        guard let form = CommandCatalog.entry(opcode: frame.opcode)?.form(direction),
            direction == .toDevice || Refusal(frame) == nil
        else { return nil }
        name = form.name
        body = Array(frame.bytes)
        isFrame = true
        record = { bytes, recorder throws(PacketError) in
            guard let frame = try? Frame(decoding: bytes) else { return [] }
            return Array(try form.record(frame, &recorder).bytes)
        }
    }

    private init?(_ frame: BigDataFrame, _ direction: Direction) {
        self.init(BigDataCatalog.form(of: frame, direction), frame.payload)
    }

    private init?(_ form: ByteForm?, _ bytes: [UInt8]) {
        guard let form else { return nil }
        name = form.name
        body = bytes
        isFrame = false
        record = form.record
    }

    /// The fields of the packet, or `nil` if it does not survive decoding and encoding.
    var soundFields: [DecodedField]? {
        var recorder = FieldRecorder()
        return (try? record(body, &recorder)) == body ? recorder.fields : nil
    }

    /// Returns the encoding of the packet that was decoded with a changed byte.
    func encoding(changing change: FieldRecorder.Change) -> [UInt8]? {
        var recorder = FieldRecorder(change: change)
        return try? record(body, &recorder)
    }

    /// Returns the expected encoding: the changed byte and its checksum.
    func expectation(changing change: FieldRecorder.Change) -> [UInt8] {
        var bytes = body
        bytes[change.offset] ^= change.bits
        if isFrame { bytes[Frame.length - 1] = bytes.dropLast().reduce(0, &+) }
        return bytes
    }
}
