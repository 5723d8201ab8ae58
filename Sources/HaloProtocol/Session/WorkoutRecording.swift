/// What a ring recorded during one workout: its answer to a request of ``WorkoutDetail``.
public struct WorkoutRecording: Hashable, Sendable {
    /// How it is cut.
    public let layout: WorkoutDetail.Layout
    /// Its pieces in their order; of a partial answer, those that came.
    public let packages: [WorkoutSamples.Reply]

    /// A recording and its pieces.
    public init(layout: WorkoutDetail.Layout, packages: [WorkoutSamples.Reply]) {
        self.layout = layout
        self.packages = packages
    }

    /// The bytes of all pieces.
    public var samples: [UInt8] { packages.flatMap { $0.samples } }

    /// Beats per minute, one for each ``WorkoutDetail/Layout/secondsPerSample``; nothing if a
    /// sample is something else, or more.
    public var heartRates: [UInt8]? {
        guard layout.fields.count == 1, let field = layout.fields.first, field.length == 1,
            field.tag == .heartRate
        else { return nil }
        return samples
    }

    /// Reads what came; an unknown workout is no data.
    static func answer(
        _ received: ReceivedAnswer
    ) throws(PacketError) -> Answer<WorkoutRecording> {
        if received.bigData.contains(where: { $0.isUnknown(WorkoutDetail.self) }) {
            return .noData
        }
        guard let record = received.last(WorkoutDetail.replyID) else {
            throw .noAnswer(WorkoutDetail.name)
        }
        guard let layout = try WorkoutDetail.Reply.answer(record).value?.layout else {
            return .noData
        }
        var packages: [WorkoutSamples.Reply] = []
        for record in received.bigData where record.id == WorkoutSamples.replyID {
            let package = try WorkoutSamples.Reply(decoding: record)
            if packages.contains(where: { $0.package == package.package }) { continue }
            packages.append(package)
        }
        packages.sort { $0.package < $1.package }
        return .value(WorkoutRecording(layout: layout, packages: packages))
    }
}
