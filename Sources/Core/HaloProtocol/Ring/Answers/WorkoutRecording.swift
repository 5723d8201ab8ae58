/// The recording of one workout: the answer to a request of ``WorkoutDetail``.
public struct WorkoutRecording: Hashable, Sendable {
    public let layout: WorkoutDetail.Layout
    /// The packages in order; those received of an incomplete reply.
    public let packages: [WorkoutSamples.Reply]

    public init(layout: WorkoutDetail.Layout, packages: [WorkoutSamples.Reply]) {
        self.layout = layout
        self.packages = packages
    }

    /// The bytes of all packages.
    public var samples: [UInt8] { packages.flatMap { $0.samples } }

    /// The heart rates in beats per minute, one for each
    /// ``WorkoutDetail/Layout/secondsPerSample``, or `nil` if samples have other fields.
    public var heartRates: [UInt8]? {
        guard layout.fields.count == 1, let field = layout.fields.first, field.length == 1,
            field.tag == .heartRate
        else { return nil }
        return samples
    }

    /// Decodes the records of a reply; an unknown workout is "no data".
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
            // One that came before the layout may be a stray.
            guard package.package <= layout.packageCount,
                !packages.contains(where: { $0.package == package.package })
            else { continue }
            packages.append(package)
        }
        packages.sort { $0.package < $1.package }
        return .value(WorkoutRecording(layout: layout, packages: packages))
    }
}
