import HaloCapture
import HaloProtocol

/// Decodes every value that goes over a channel that is known.
struct CensusSink: ConversationSink, Sendable {
    private(set) var tallies = CensusTallies()
    private var channels: ContiguousArray<HandleChannels?> = []
    private var streams: [StreamKey: BigDataReassembler] = [:]
    /// Where frames of each opcode are counted, both ways.
    private var frameIndices = ContiguousArray<Int32>(repeating: -1, count: 512)
    private var lastUUID: BluetoothUUID?
    private var lastForm: ByteForm?
    private var lastPlace = RecordPlace(number: 0, offset: 0, microseconds: 0)

    /// How many connections' frames are joined; beyond that they are not.
    private static let streamLimit = 64

    private struct StreamKey: Hashable, Sendable {
        var connection: Int
        var direction: Direction
    }

    init(_ report: TrafficReport, _ device: DeviceSelection) {
        let plan = (try? ConversationPlan(report, device)) ?? ConversationPlan(all: report)
        for index in report.connections.indices { channels.append(plan.channels[index]) }
    }

    /// For values of so many links whose channels are named.
    init(linkCount: Int) {
        channels = ContiguousArray(repeating: HandleChannels([]), count: linkCount)
    }

    mutating func take(
        _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int,
        at place: RecordPlace
    ) {
        guard connection >= 0, connection < channels.count else { return }
        lastPlace = place
        switch event {
        case .notified(let handle), .indicated(let handle), .readAnswered(let handle):
            guard let entry = channels[connection]?.entry(of: handle) else { return }
            take(.fromDevice, entry.fromDevice, value, connection, place)
        case .written(let handle, _):
            guard let entry = channels[connection]?.entry(of: handle), entry.switches == nil
            else { return }
            take(.toDevice, entry.toDevice, value, connection, place)
        case .value(let direction, let channel, _):
            guard channels[connection] != nil else { return }
            take(direction, channel, value, connection, place)
        case .disconnected:
            abandon(.init(connection: connection, direction: .toDevice), place)
            abandon(.init(connection: connection, direction: .fromDevice), place)
        default:
            break
        }
    }

    /// Counts what never came whole.
    mutating func finish() {
        for connection in Set(streams.keys.map(\.connection)).sorted() {
            abandon(.init(connection: connection, direction: .toDevice), lastPlace)
            abandon(.init(connection: connection, direction: .fromDevice), lastPlace)
        }
    }

    private mutating func take(
        _ direction: Direction, _ channel: CaptureChannel, _ value: Span<UInt8>,
        _ connection: Int, _ place: RecordPlace
    ) {
        switch channel {
        case .uart:
            takeFrame(direction, value, place)
        case .bigData:
            takePiece(direction, value, connection, place)
        case .ledStrip, .characteristic:
            takeWhole(direction, channel, value, place)
        case .advertisement, .scanResponse:
            break
        }
    }
}

extension CensusSink {
    // MARK: Frames of 16 bytes

    private mutating func takeFrame(
        _ direction: Direction, _ value: Span<UInt8>, _ place: RecordPlace
    ) {
        do throws(FrameError) {
            takeFrame(direction, try Frame(decoding: value), place)
        } catch {
            let index = tallies.index(
                .init(channel: .uart, direction: direction, form: .noFrame), nil)
            tallies.take(index)
            tallies.fail(index, error.description, at: place)
        }
    }

    private mutating func takeFrame(
        _ direction: Direction, _ frame: Frame, _ place: RecordPlace
    ) {
        if direction == .fromDevice, let refusal = Refusal(frame) {
            let kind = CensusTallies.Kind(
                channel: .uart, direction: direction, code: refusal.opcode, form: .refusal)
            return tallies.take(tallies.index(kind, PacketName("Refusal")))
        }
        let form = CommandCatalog.entry(opcode: frame.opcode)?.form(direction)
        let slot = Int(frame.opcode) + (direction == .toDevice ? 0 : 256)
        if frameIndices[slot] < 0 {
            let kind = CensusTallies.Kind(
                channel: .uart, direction: direction, code: frame.opcode)
            frameIndices[slot] = Int32(clamping: tallies.index(kind, form?.name))
        }
        let index = Int(frameIndices[slot])
        tallies.take(index)
        guard let form else { return }
        do throws(PacketError) {
            _ = try form.reencode(frame)
        } catch {
            tallies.fail(index, error.description, at: place)
        }
    }

    // MARK: Frames with a length

    private mutating func takePiece(
        _ direction: Direction, _ value: Span<UInt8>, _ connection: Int, _ place: RecordPlace
    ) {
        let key = StreamKey(connection: connection, direction: direction)
        guard streams[key] != nil || streams.count < Self.streamLimit else { return }
        streams[key, default: BigDataReassembler()].receive(value)
        drain(key, place)
    }

    private mutating func abandon(_ key: StreamKey, _ place: RecordPlace) {
        guard streams[key] != nil else { return }
        streams[key]?.abandon()
        drain(key, place)
        streams[key] = nil
    }

    private mutating func drain(_ key: StreamKey, _ place: RecordPlace) {
        while let event = streams[key]?.nextEvent() {
            switch event {
            case .frame(let frame):
                takeRecord(key.direction, frame, place)
            case .uart(let frame):
                takeFrame(key.direction, frame, place)
            case .fault(let fault):
                let kind = CensusTallies.Kind(
                    channel: .bigData, direction: key.direction, code: fault.id, form: .noFrame)
                let index = tallies.index(kind, nil)
                tallies.take(index)
                tallies.fail(index, fault.description, at: place)
            }
        }
    }

    private mutating func takeRecord(
        _ direction: Direction, _ frame: BigDataFrame, _ place: RecordPlace
    ) {
        let form = BigDataCatalog.form(of: frame, direction)
        let isOwn =
            form?.name == BigDataCatalog.entry(id: frame.id, direction)?.form(direction)?.name
        let kind = CensusTallies.Kind(
            channel: .bigData, direction: direction, code: frame.id,
            form: isOwn ? .packet : .nothing)
        let index = tallies.index(kind, form?.name)
        tallies.take(index)
        guard let form else { return }
        do throws(PacketError) {
            _ = try form.reencode(frame.payload)
        } catch {
            tallies.fail(index, error.description, at: place)
        }
    }

    // MARK: Values that are a packet each

    private mutating func takeWhole(
        _ direction: Direction, _ channel: CaptureChannel, _ value: Span<UInt8>,
        _ place: RecordPlace
    ) {
        let form = form(direction, channel, value)
        let kind = CensusTallies.Kind(
            channel: channel, direction: direction,
            code: channel == .ledStrip && direction == .toDevice ? value.first : nil)
        let index = tallies.index(kind, form?.name)
        tallies.take(index)
        guard let form else { return }
        do throws(PacketError) {
            _ = try form.reencode(value.withUnsafeBufferPointer { Array($0) })
        } catch {
            tallies.fail(index, error.description, at: place)
        }
    }

    private mutating func form(
        _ direction: Direction, _ channel: CaptureChannel, _ value: Span<UInt8>
    ) -> ByteForm? {
        guard case .characteristic(let uuid) = channel else {
            return direction == .toDevice
                ? value.first.flatMap(LEDStrip.command(startingWith:))
                : ByteForm(LEDStripStatus.self)
        }
        if uuid == lastUUID { return lastForm }
        lastUUID = uuid
        lastForm = CharacteristicCatalog.entry(uuid)?.form
        return lastForm
    }
}

extension Span<UInt8> {
    /// The first byte, if there is one.
    fileprivate var first: UInt8? { count > 0 ? self[0] : nil }
}
