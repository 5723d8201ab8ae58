/// Answers of several records that belong together.
extension Collector {
    /// Nights, and perhaps naps, in either order.
    static func sleep(
        nights: BigDataFrame? = nil, naps: BigDataFrame? = nil
    ) -> Collector {
        Collector { incoming in
            guard case .record(let record) = incoming else { return (.foreign, nil) }
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
                return (.foreign, nil)
            }
        }
    }

    /// How a workout's recording is cut, then as many pieces as that says.
    static func workout(_ pieces: WorkoutPieces = WorkoutPieces()) -> Collector {
        Collector { incoming in
            guard case .record(let record) = incoming else { return (.foreign, nil) }
            if record.isUnknown(WorkoutDetail.self) {
                return (.complete(ReceivedAnswer(bigData: [record])), nil)
            }
            var pieces = pieces
            let step: Step
            switch record.id {
            case WorkoutDetail.replyID: step = pieces.receive(layout: record)
            case WorkoutSamples.replyID: step = pieces.receive(package: record)
            default: return (.foreign, nil)
            }
            return (step, workout(pieces))
        }
    }
}

/// What has come of a workout's recording.
struct WorkoutPieces: Sendable {
    private var layout: BigDataFrame?
    private var count: UInt8 = 0
    private var received = PartSet()
    private var packages: [BigDataFrame] = []

    mutating func receive(layout record: BigDataFrame) -> Collector.Step {
        let single = Collector.Step.complete(ReceivedAnswer(bigData: [record]))
        do throws(PacketError) {
            guard let found = try WorkoutDetail.Reply.answer(record).value?.layout else {
                return single
            }
            if layout != nil, record != layout {
                received = PartSet()
                packages = []
            }
            layout = record
            count = found.packages
        } catch {
            return single
        }
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
            if !received.contains(package) {
                received.insert(package)
                packages.append(record)
            }
            if let finished { return finished }
            guard layout != nil, package == count else { return .part(isFirst: false) }
            return .missing(missing)
        } catch {
            return .broken(error)
        }
    }

    private var finished: Collector.Step? {
        guard let layout else { return nil }
        for package in stride(from: 1, through: Int(count), by: 1)
        where !received.contains(UInt8(truncatingIfNeeded: package)) { return nil }
        return .complete(ReceivedAnswer(bigData: [layout] + packages))
    }

    private var missing: PacketError {
        let first = stride(from: 1, through: Int(count), by: 1).first {
            !received.contains(UInt8(truncatingIfNeeded: $0))
        }
        let index = Int64(first ?? 0)
        return PacketError(
            .missing, packet: WorkoutSamples.Reply.name, field: "package", at: 0,
            expected: index...index)
    }
}
