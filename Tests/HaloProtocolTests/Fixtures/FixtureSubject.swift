import HaloCapture

@testable import HaloProtocol

/// What a packet of a fixture turned out to be: its type, and how to read it with a recorder.
struct FixtureSubject {
    /// The name of the type.
    let name: PacketName
    /// The bytes that the type reads: without the frame around them, if it has one that is apart.
    let body: [UInt8]
    /// Where in a frame that is part of the packet the checksum stands.
    let isFrame: Bool
    /// Decodes, and encodes what was understood.
    let record: ([UInt8], inout FieldRecorder) throws(PacketError) -> [UInt8]

    /// The subject of a packet; nothing where its frame is broken or nobody describes it.
    init?(_ packet: FixturePacket) {
        switch packet.channel {
        case .uart: self.init(frame: packet.bytes, packet.direction)
        case .bigData: self.init(bigData: packet.bytes, packet.direction)
        case .ledStrip: self.init(Self.ledStripForm(packet), packet.bytes)
        case .advertisement, .scanResponse:
            self.init(ByteForm(AdvertisingData.self), packet.bytes)
        case .characteristic(let uuid):
            self.init(CharacteristicCatalog.entry(uuid)?.form, packet.bytes)
        }
    }

    private init?(frame bytes: [UInt8], _ direction: Direction) {
        guard let frame = try? Frame(decoding: bytes),
            let form = CommandCatalog.entry(opcode: frame.opcode)?.form(direction),
            direction == .toDevice || Refusal(frame) == nil
        else { return nil }
        name = form.name
        body = bytes
        isFrame = true
        record = { bytes, recorder throws(PacketError) in
            var padded = bytes
            padded[Frame.length - 1] = Self.sum(bytes)
            guard let frame = try? Frame(decoding: padded) else { return [] }
            return Array(try form.record(frame, &recorder).bytes)
        }
    }

    private init?(bigData bytes: [UInt8], _ direction: Direction) {
        return nil
    }

    private init?(_ form: ByteForm?, _ bytes: [UInt8]) {
        guard let form else { return nil }
        name = form.name
        body = bytes
        isFrame = false
        record = form.record
    }

    private static func ledStripForm(_ packet: FixturePacket) -> ByteForm? {
        return nil
    }

    private static func sum(_ bytes: [UInt8]) -> UInt8 {
        bytes.dropLast().reduce(0, &+)
    }

    /// The fields of the packet, if it can be read.
    var fields: [DecodedField]? {
        var recorder = FieldRecorder()
        return (try? record(body, &recorder)).map { _ in recorder.fields }
    }

    /// What comes of reading the packet when a byte is told to be another.
    func encoding(changing change: FieldRecorder.Change) -> [UInt8]? {
        var recorder = FieldRecorder(change: change)
        return try? record(body, &recorder)
    }

    /// What should come of it: that byte changed, and the checksum.
    func expectation(changing change: FieldRecorder.Change) -> [UInt8] {
        var bytes = body
        bytes[change.offset] ^= change.bits
        if isFrame { bytes[Frame.length - 1] = Self.sum(bytes) }
        return bytes
    }
}
