/// A day of samples at equal intervals.
public struct SlotLog<Owner: SlotLogCommand>: ManyFrameReply {
    /// The day, as the ring repeats it from the request.
    public let day: Owner.Day
    public let minutesPerSample: UInt8
    /// All samples, including those after the end of the day.
    public let values: [UInt8]
    @usableFromInline let headerRest: InlineBytes

    @inlinable
    init(
        day: Owner.Day, header: SlotLogPart<Owner>.Header, rest: InlineBytes = InlineBytes(),
        unchecked values: [UInt8]
    ) {
        self.day = day
        minutesPerSample = header.minutesPerSample
        headerRest = rest
        self.values = values
    }

    /// Creates a day of samples; the last frame is filled up with zeros.
    public init(
        day: Owner.Day, minutesPerSample: UInt8, samples: [UInt8]
    ) throws(ValueError) {
        let most = SlotLogShape<Owner>.values(in: .max)
        try ValueError.check("samples", samples.count, in: 0...Int64(most))
        let parts = SlotLogShape<Owner>.parts(for: samples.count)
        let full = SlotLogShape<Owner>.values(in: parts)
        let padding = [UInt8](repeating: 0, count: full - samples.count)
        self.init(
            day: day,
            header: SlotLogPart.Header(partCount: parts, minutesPerSample: minutesPerSample),
            unchecked: samples + padding)
    }

    /// The slots of the day.
    public var slots: SlotsOfDay { SlotsOfDay(minutesPerSlot: minutesPerSample) }

    /// The samples of the day's slots from midnight on, 0 for a missing one.
    ///
    /// There may be fewer samples than ``slots``.
    public var samples: ArraySlice<UInt8> { values.prefix(slots.count) }

    /// The log as the frames that a ring sends.
    public var frames: [Frame] {
        let count = SlotLogShape<Owner>.parts(for: values.count)
        let header = SlotLogPart<Owner>(
            .header(SlotLogPart.Header(partCount: count, minutesPerSample: minutesPerSample)),
            unclaimed: headerRest)
        var frames = [header.frame]
        frames.reserveCapacity(Int(count))
        var rest = values[...]
        for index in 1..<max(count, 2) {
            let length = SlotLogShape<Owner>.samples(inPart: index)
            let samples = InlineBytes(prefix: rest.prefix(length))
            rest = rest.dropFirst(length)
            let part = SlotLogPart<Owner>(
                index == 1 ? .first(day, samples) : .later(index, samples))
            frames.append(part.frame)
        }
        return frames
    }

    /// The text that fixtures and captures show.
    public var description: String {
        "\(Owner.name).Reply(day: \(day), minutesPerSample: \(minutesPerSample), "
            + "samples: \(Array(samples)))"
    }
}
