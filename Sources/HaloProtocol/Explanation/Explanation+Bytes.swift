#if !hasFeature(Embedded)
extension Explanation {
    /// What bytes say.
    ///
    /// Where it is not said what they are, that is found out; where it is not said which way they
    /// travelled, that is guessed.
    public init(
        of bytes: some Sequence<UInt8>, as kind: PacketKind? = nil, direction: Direction? = nil
    ) {
        let bytes = Array(bytes)
        guard let kind = kind ?? PacketKind(recognising: bytes) else {
            self.init(
                .unknown, packet: nil, title: "nothing that is known", bytes: bytes, fields: [],
                problem: "no known packet looks so; a frame of a ring has "
                    + "\(Frame.length) bytes, and these are \(bytes.count).")
            return
        }
        switch kind.reading {
        case .uart: self.init(ofUART: bytes, direction)
        case .bigData: self.init(ofBigData: bytes, direction)
        case .characteristic(let number):
            let entry = CharacteristicCatalog.entry(BluetoothUUID(UInt32(number)))
            self.init(of: bytes, entry?.form, title: entry?.title.description ?? "unknown")
        case .advertisement:
            self.init(of: bytes, ByteForm(AdvertisingData.self), title: "advertising data")
        case .ledStrip:
            self.init(of: bytes, PacketKind.ledStripForm(bytes), title: "LED strip")
        }
        self.kind = kind
    }

    /// What a value says that is one packet from its first byte to its last.
    init(of bytes: [UInt8], _ form: ByteForm?, title: String) {
        guard let form else {
            self.init(.unknown, packet: nil, title: title, bytes: bytes, fields: [])
            return
        }
        var recorder = FieldRecorder()
        do throws(PacketError) {
            let reencoded = try form.record(bytes, &recorder)
            self.init(
                .decoded, packet: form.name, title: title, bytes: bytes,
                fields: recorder.fields, reencoded: reencoded)
        } catch {
            self.init(
                .refused, packet: form.name, title: title, bytes: bytes,
                fields: recorder.fields, problem: error.description)
        }
    }

    private init(ofUART bytes: [UInt8], _ direction: Direction?) {
        do throws(FrameError) {
            self.init(of: try Frame(decoding: bytes), direction: direction)
        } catch {
            self.init(
                .refused, packet: nil, title: "a frame of the UART channel", bytes: bytes,
                fields: [], problem: error.description)
        }
    }

    private init(ofBigData bytes: [UInt8], _ direction: Direction?) {
        do throws(FrameError) {
            self.init(of: try BigDataFrame(decoding: bytes), direction: direction)
        } catch {
            self.init(
                .refused, packet: nil, title: "a frame of the big-data channel", bytes: bytes,
                fields: [], problem: error.description)
        }
    }
}
#endif
