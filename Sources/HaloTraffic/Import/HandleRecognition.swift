import HaloProtocol

/// Recognises what nobody has named, by what went over it and by where it lies.
enum HandleRecognition {
    /// Where two rings, an R10 and an R12, have their attributes, as captures of both show.
    private static let layout: [(handle: UInt16, uuid: BluetoothUUID)] = [
        (0x10, RingServices.uartWrite), (0x12, RingServices.uartNotify),
        (0x16, RingServices.bigDataWrite), (0x18, RingServices.bigDataNotify),
        (0x1E, CharacteristicCatalog.hardwareRevision.uuid),
        (0x20, CharacteristicCatalog.firmwareRevision.uuid),
    ]

    static func apply(
        _ handles: ContiguousArray<HandleTraffic>,
        _ found: inout [UInt16: HandleResolver.Resolution]
    ) {
        let nameless = handles.filter { found[$0.handle] == nil }
        name(
            RingServices.uartWrite,
            nameless.filter { $0.toDevice.hasFrames && $0.notified.count == 0 },
            by: \.toDevice.frameCount, &found)
        name(
            RingServices.uartNotify,
            nameless.filter { $0.fromDevice.hasFrames && $0.written.count == 0 },
            by: \.fromDevice.frameCount, &found)
        name(
            RingServices.bigDataWrite,
            nameless.filter { $0.toDevice.hasBigData && $0.notified.count == 0 },
            by: \.written.count, &found)
        name(
            RingServices.bigDataNotify,
            nameless.filter { $0.fromDevice.hasBigData && $0.written.count == 0 },
            by: \.notified.count, &found)
        name(
            CharacteristicCatalog.heartRateMeasurement.uuid,
            nameless.filter {
                $0.fromDevice.hasBeats && $0.written.count == 0 && $0.read.count == 0
            },
            by: \.notified.count, &found)
        applyLayout(nameless, &found)
    }

    /// Names the handle with most of it; one characteristic is never two handles.
    private static func name(
        _ uuid: BluetoothUUID, _ candidates: [HandleTraffic],
        by count: (HandleTraffic) -> Int, _ found: inout [UInt16: HandleResolver.Resolution]
    ) {
        guard !found.values.contains(where: { $0.uuid == uuid }) else { return }
        let free = candidates.filter { found[$0.handle] == nil }
        guard let best = free.max(by: { count($0) < count($1) }) else { return }
        found[best.handle] = HandleResolver.Resolution(uuid: uuid, basis: .recognised)
    }

    /// Where frames of a ring were recognised at both places that are known, the rest may lie
    /// where it does on the known rings.
    private static func applyLayout(
        _ nameless: [HandleTraffic], _ found: inout [UInt16: HandleResolver.Resolution]
    ) {
        let isKnown = layout.prefix(2).allSatisfy {
            found[$0.handle] == .init(uuid: $0.uuid, basis: .recognised)
        }
        guard isKnown else { return }
        for (handle, uuid) in layout where found[handle] == nil {
            let isUsed = nameless.contains { $0.handle == handle }
            let isTaken = found.values.contains { $0.uuid == uuid }
            if isUsed, !isTaken {
                found[handle] = HandleResolver.Resolution(uuid: uuid, basis: .layout)
            }
        }
    }
}

/// What went over one attribute of a connection.
struct HandleTraffic: Sendable {
    var handle: UInt16
    var written = ValueCount()
    var notified = ValueCount()
    var read = ValueCount()
    var refusalCount = 0
    /// How many of the values written could switch notifications.
    var configurationCount = 0
    var toDevice = TrafficRecogniser()
    var fromDevice = TrafficRecogniser()
    /// Which of the survey's reassemblers joins what is notified.
    var reassembler: Int?

    init(handle: UInt16) {
        self.handle = handle
    }

    /// Whether nothing but switches of notifications went over it.
    var isConfiguration: Bool {
        configurationCount > 0 && configurationCount == written.count && notified.count == 0
    }

    /// Two bytes, a number of 0 to 3: neither notifications nor indications, or which.
    static func isConfiguration(_ value: Span<UInt8>) -> Bool {
        value.count == 2 && value[0] <= 3 && value[1] == 0
    }
}
