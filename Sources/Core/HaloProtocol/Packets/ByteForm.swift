/// A type of packet as a value, with its decoder and its encoder.
public struct ByteForm: Sendable {
    public let name: PacketName

    /// Decodes bytes, and throws their fault: as quick as a client that knows the type.
    package let check: @Sendable ([UInt8]) throws(PacketError) -> Void
    /// Decodes bytes and encodes the packet again.
    package let reencode: @Sendable ([UInt8]) throws(PacketError) -> [UInt8]

    #if !hasFeature(Embedded)
    /// Decodes bytes, records the fields, and encodes the packet again.
    package let record: @Sendable ([UInt8], inout FieldRecorder) throws(PacketError) -> [UInt8]
    #endif

    /// Creates the form of a packet type, from the catalogue or your own.
    public init<Packet: BytePacket>(_ type: Packet.Type) {
        self.init(type, named: Packet.name)
    }

    /// Creates the form of a layout that several packets share; its own name is empty.
    init<Packet: BytePacket>(_ type: Packet.Type, named name: PacketName) {
        self.init(type, named: name) { bytes throws(PacketError) in
            do throws(PacketError) {
                _ = try Packet(decoding: bytes)
            } catch {
                throw error.named(name)
            }
        }
    }

    /// Not specialised, as a copy for each packet would be half of the package's code: explanations
    /// need no speed.
    @_semantics("optimize.sil.specialize.generic.never") @inline(never)
    private init<Packet: BytePacket>(
        _ type: Packet.Type, named name: PacketName,
        check: @escaping @Sendable ([UInt8]) throws(PacketError) -> Void
    ) {
        self.name = name
        self.check = check
        reencode = { bytes throws(PacketError) in
            do throws(PacketError) {
                return try Packet(decoding: bytes).bytes
            } catch {
                throw error.named(name)
            }
        }
        #if !hasFeature(Embedded)
        record = { bytes, recorder throws(PacketError) in
            let copy = ContiguousArray(bytes)
            do throws(PacketError) {
                return try Packet(decoding: copy.span, sink: &recorder).bytes
            } catch {
                throw error.named(name)
            }
        }
        #endif
    }
}
