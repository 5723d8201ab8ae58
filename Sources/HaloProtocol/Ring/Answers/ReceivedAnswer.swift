/// The frames that a ring sent for one request.
///
/// A complete reply has only its own frames, in order. An incomplete one has all received frames,
/// without repeats.
public struct ReceivedAnswer: Hashable, Sendable {
    /// Frames of the UART channel.
    public var frames: [Frame]
    /// Records of the big-data channel.
    public var bigData: [BigDataFrame]

    /// Creates an instance with frames in the order of arrival; none by default.
    package init(frames: [Frame] = [], bigData: [BigDataFrame] = []) {
        self.frames = frames
        self.bigData = bigData
    }

    /// The number of frames.
    var count: Int { frames.count + bigData.count }

    /// Returns the last record of an id, as earlier ones may be outdated.
    func last(_ id: UInt8) -> BigDataFrame? { bigData.last { $0.id == id } }

    /// Adds a frame, unless an equal one was added before.
    mutating func insert(_ incoming: ChannelFrame) {
        switch incoming {
        case .frame(let frame): if !frames.contains(frame) { frames.append(frame) }
        case .record(let record): if !bigData.contains(record) { bigData.append(record) }
        }
    }
}

/// A whole frame of either service.
enum ChannelFrame: Hashable, Sendable {
    case frame(Frame)
    case record(BigDataFrame)

    /// The length in bytes.
    var length: Int {
        switch self {
        case .frame: Frame.length
        case .record(let record): BigDataFrame.headerLength + record.payload.count
        }
    }
}

extension Frame {
    /// Checks whether this is the refusal of a command.
    ///
    /// An opcode with bit 7 set is refused as if bit 7 were clear.
    func refuses(_ opcode: UInt8) -> Bool {
        guard let refusedOpcode else { return false }
        return Refusal(of: opcode).opcode == refusedOpcode
    }
}

#if !hasFeature(Embedded)
/// The reply that a session expects after a command's request, as a value.
///
/// Used for requests of which only the bytes are known.
struct SessionForm: Sendable {
    /// The collector of a reply, or `nil` without one; `repeats` if the request may be sent again.
    typealias Wait = (repeats: Bool, collector: Collector?)

    /// Returns the wait after a request; `nil` if the bytes are no request of the command.
    let wait: @Sendable (ChannelFrame) -> Wait?

    /// Creates the form of a command with a reply of one frame.
    init<Request: RequestPacket>(_ type: Request.Type) {
        self.init { (request: Request) in (request.onlyReads, .frame(request)) }
    }

    /// Creates the form of a command with a reply of many frames.
    init<Request: RequestPacket>(manyFor type: Request.Type)
    where Request.Owner: ManyFrameCommand {
        self.init { (request: Request) in (request.onlyReads, .frames(request)) }
    }

    /// Creates the form of a command without a reply.
    init<Request: RequestPacket>(unansweredFor type: Request.Type) {
        self.init { (_: Request) in (false, nil) }
    }

    private init<Request: RequestPacket>(_ wait: @escaping @Sendable (Request) -> Wait) {
        self.wait = { packet in
            guard case .frame(let frame) = packet, let request = try? Request(decoding: frame)
            else { return nil }
            return wait(request)
        }
    }

    /// Creates the form of a big-data command with a reply of one or more records.
    init<Request: BigDataRequest>(recordsFor type: Request.Type) {
        wait = { packet in
            guard case .record(let record) = packet,
                let request = try? Request(decoding: record)
            else { return nil }
            let collector: Collector =
                switch record.id {
                case Sleep.requestID: .sleep()
                case WorkoutDetail.requestID: .workout()
                case TemperatureSeries.requestID: .records(request)
                default: .record(request)
                }
            return (request.onlyReads, collector)
        }
    }
}
#endif
