/// Collects the frames of one reply.
///
/// A collector is a value: receiving a frame returns the next collector. A session can therefore be
/// copied, and does not depend on the types that join frames.
struct Collector: Sendable {
    enum Step: Sendable {
        /// A part of the reply, perhaps the first; more must follow.
        case part(isFirst: Bool)
        /// A part after which the reply may be complete; more may follow.
        case enough
        /// The last missing part, with the whole reply.
        case complete(ReceivedAnswer)
        /// The last part, while others are missing.
        case missing(PacketError)
        /// A frame of the command with impossible content.
        case broken(PacketError)
    }

    /// `true` if received frames are kept when the request is sent again.
    var joinsAnswers = true
    /// Returns the step for a frame, `nil` if it is no part of the reply; and the next collector,
    /// `nil` if it stays the same.
    ///
    /// A `nil` frame means that the request is sent again.
    let receive: @Sendable (ChannelFrame?) -> (step: Step?, next: Collector?)

    static func frame<Request: RequestPacket>(_ request: Request) -> Collector {
        frame(Request.opcode) { request.isAnswered(by: $0) }
    }

    static func frame(
        _ opcode: UInt8, where isReply: @escaping @Sendable (Frame) -> Bool = { _ in true }
    ) -> Collector {
        Collector { incoming in
            guard case .frame(let frame) = incoming else { return (nil, nil) }
            let isAnswer = frame.refuses(opcode) || frame.opcode == opcode && isReply(frame)
            return (isAnswer ? .complete(ReceivedAnswer(frames: [frame])) : nil, nil)
        }
    }

    /// Returns a collector for a reply of many frames.
    ///
    /// After a frame of another reply, all frames up to the next first frame belong to that reply.
    static func frames<Request: RequestPacket>(
        _ request: Request, isSkipping: Bool = false,
        _ assembly: Request.Owner.Assembly = Request.Owner.Assembly()
    ) -> Collector where Request.Owner: ManyFrameCommand {
        Collector(joinsAnswers: Request.Owner.Assembly.joinsAnswers) { incoming in
            guard let incoming else {
                var assembly = assembly
                assembly.beginAgain()
                let isSkipping = isSkipping && Request.Owner.Assembly.joinsAnswers
                return (nil, frames(request, isSkipping: isSkipping, assembly))
            }
            guard case .frame(let frame) = incoming else { return (nil, nil) }
            if frame.refuses(Request.opcode) {
                return (.complete(ReceivedAnswer(frames: [frame])), nil)
            }
            guard frame.opcode == Request.opcode else { return (nil, nil) }
            let isFirst = Request.Owner.Assembly.begins(frame)
            guard request.isAnswered(by: frame), isFirst || !isSkipping else {
                return (nil, frames(request, isSkipping: true, assembly))
            }
            var assembly = assembly
            let step: Step
            do throws(PacketError) {
                switch try assembly.receive(frame) {
                case .value(let reply): step = .complete(ReceivedAnswer(frames: reply.frames))
                case .refused, .noData: step = .complete(ReceivedAnswer(frames: [frame]))
                case nil: step = .part(isFirst: isFirst)
                }
            } catch {
                step = error.kind == .missing ? .missing(error) : .broken(error)
            }
            return (step, frames(request, assembly))
        }
    }

    static func record<Request: BigDataRequest>(_ request: Request) -> Collector {
        record { $0.answers(Request.Owner.self) && request.isAnswered(by: $0) }
    }

    static func record(where isReply: @escaping @Sendable (BigDataFrame) -> Bool) -> Collector {
        Collector { incoming in
            guard case .record(let record) = incoming, isReply(record) else { return (nil, nil) }
            return (.complete(ReceivedAnswer(bigData: [record])), nil)
        }
    }

    /// Returns a collector for a reply of an unknown number of records, at least one.
    ///
    /// "No data" is the whole reply only if it comes first: after other records it may be that of
    /// one day.
    static func records<Request: BigDataRequest>(
        _ request: Request, hasBegun: Bool = false
    ) -> Collector {
        Collector { incoming in
            guard case .record(let record) = incoming, record.answers(Request.Owner.self),
                request.isAnswered(by: record)
            else { return (nil, nil) }
            if record.isSingleZero, !hasBegun {
                return (.complete(ReceivedAnswer(bigData: [record])), nil)
            }
            return (.enough, hasBegun ? nil : records(request, hasBegun: true))
        }
    }

    /// Returns a collector for nights, and perhaps naps, in any order.
    static func sleep(
        nights: BigDataFrame? = nil, naps: BigDataFrame? = nil
    ) -> Collector {
        Collector { incoming in
            guard case .record(let record) = incoming else { return (nil, nil) }
            switch record.id {
            case Sleep.replyID:
                if let naps {
                    return (.complete(ReceivedAnswer(bigData: [naps, record])), nil)
                }
                return (.enough, sleep(nights: record))
            case Nap.replyID:
                if let nights {
                    return (.complete(ReceivedAnswer(bigData: [record, nights])), nil)
                }
                return (.part(isFirst: false), sleep(naps: record))
            default:
                return (nil, nil)
            }
        }
    }

    /// Returns a collector for the layout of a workout's recording, and the announced packages.
    static func workout(_ pieces: WorkoutPieces = WorkoutPieces()) -> Collector {
        Collector { incoming in
            guard case .record(let record) = incoming else { return (nil, nil) }
            if record.isUnknown(WorkoutDetail.self) {
                return (.complete(ReceivedAnswer(bigData: [record])), nil)
            }
            var pieces = pieces
            let step: Step
            switch record.id {
            case WorkoutDetail.replyID: step = pieces.receive(layout: record)
            case WorkoutSamples.replyID: step = pieces.receive(package: record)
            default: return (nil, nil)
            }
            return (step, workout(pieces))
        }
    }
}

/// The received packages of a workout's recording.
struct WorkoutPieces: Sendable {
    private var layout: BigDataFrame?
    private var count: UInt8 = 0
    private var received = PartSet(withZero: true)
    private var packages: [BigDataFrame] = []

    mutating func receive(layout record: BigDataFrame) -> Collector.Step {
        guard let found = (try? WorkoutDetail.Reply.answer(record))?.value?.layout else {
            return .complete(ReceivedAnswer(bigData: [record]))
        }
        if layout != nil, record != layout {
            received = PartSet(withZero: true)
            packages = []
        }
        layout = record
        count = found.packageCount
        return finished ?? .part(isFirst: true)
    }

    mutating func receive(package record: BigDataFrame) -> Collector.Step {
        do throws(PacketError) {
            let package = try WorkoutSamples.Reply(decoding: record).package
            guard package > 0, layout == nil || package <= count else {
                throw PacketError(
                    .outOfOrder, packet: WorkoutSamples.Reply.name, field: "package", at: 0,
                    expected: count == 0 ? nil : 1...Int64(count), found: Int64(package))
            }
            if received.insert(package) { packages.append(record) }
            if let finished { return finished }
            guard layout != nil, package == count else { return .part(isFirst: false) }
            let index = Int64(received.firstMissing)
            return .missing(
                PacketError(
                    .missing, packet: WorkoutSamples.Reply.name, field: "package", at: 0,
                    expected: index...index))
        } catch {
            return .broken(error)
        }
    }

    private var finished: Collector.Step? {
        guard let layout, received.firstMissing > Int(count) else { return nil }
        return .complete(ReceivedAnswer(bigData: [layout] + packages))
    }
}
