/// Joins the frames of an ``ActivityLog``.
///
/// It serves one request, which may be sent again: each record says its place, so what came is
/// kept, the same frame twice does no harm, and what is still missing is named in the error that
/// the last record throws. In all captures the records of a log have one date: a record of
/// another date starts a new log, and so does another header, or any header after the answer. A
/// record that comes again and says otherwise shows that the log has changed meanwhile: then only
/// what came since the last header is kept, so that no answer is a mixture.
public struct ActivityLogAssembly: ReplyAssembly {
    private var header: ActivityLogPart.Header?
    private var records: [ActivityLog.Record?] = []
    private var received = PartSet()
    /// Those of them that came since the last header.
    private var fresh = PartSet()
    private var date: DecimalDate?
    private var isComplete = false

    /// Starts with nothing received.
    public init() {}

    /// The indices of the records that did not come yet; empty before the header.
    public var missing: [UInt8] {
        guard let header else { return [] }
        return (0..<header.recordCount).filter { !received.contains($0) }
    }

    /// What came so far, without the records that are missing.
    public var partial: ActivityLogReply? {
        guard let header else { return nil }
        return ActivityLogReply(header: header, unchecked: records.compactMap { $0 })
    }

    /// Whether a frame is a header, or says that nothing is stored.
    public static func begins(_ frame: Frame) -> Bool {
        switch try? ActivityLogPart(decoding: frame) {
        case .header, .noData: true
        case .record, nil: false
        }
    }

    /// Takes one frame in; answers when it was the last that was missing.
    public mutating func receive(
        _ frame: Frame
    ) throws(PacketError) -> Answer<ActivityLogReply>? {
        if frame.refusedOpcode == ActivityLog.opcode { return .refused }
        switch try ActivityLogPart(decoding: frame) {
        case .noData:
            return .noData
        case .header(let header):
            fresh = PartSet()
            if self.header != header || isComplete { restart(header) }
            return header.recordCount == 0 ? finish() : nil
        case .record(let place, let record):
            return try take(record, at: place)
        }
    }

    private mutating func restart(_ header: ActivityLogPart.Header) {
        self.header = header
        records = Array(repeating: nil, count: Int(header.recordCount))
        received = PartSet()
        fresh = PartSet()
        date = nil
        isComplete = false
    }

    private mutating func take(
        _ record: ActivityLog.Record, at place: ActivityLogPart.Place
    ) throws(PacketError) -> Answer<ActivityLogReply>? {
        guard let header else { throw outOfOrder(place) }
        guard place.count == header.recordCount else {
            throw PacketError(
                .contradiction, packet: ActivityLogPart.name, field: "count", at: 6,
                expected: Int64(header.recordCount)...Int64(header.recordCount),
                found: Int64(place.count))
        }
        if header.recordCount == 0 { return nil }
        guard place.index < header.recordCount, records.indices.contains(Int(place.index)) else {
            throw outOfOrder(place)
        }
        if let date, date != record.date { restart(header) }
        date = record.date
        if isComplete { return nil }
        if let held = records[Int(place.index)], held != record {
            // A header may have been lost: then nothing says which records are of this answer.
            received = fresh.contains(place.index) ? PartSet() : fresh
            fresh = received
            for index in 0..<header.recordCount where !received.contains(index) {
                records[Int(index)] = nil
            }
        }
        records[Int(place.index)] = record
        received.insert(place.index)
        fresh.insert(place.index)
        let firstMissing = received.firstMissing
        // Of two answers the second must have come to its end: what changed is seen only then.
        let isWhole = fresh == received || fresh.contains(header.recordCount - 1)
        if firstMissing == Int(header.recordCount), isWhole { return finish() }
        guard place.index == header.recordCount - 1 else { return nil }
        throw PacketError(
            .missing, packet: ActivityLogPart.name, field: "index", at: 5,
            expected: Int64(firstMissing)...Int64(firstMissing))
    }

    private mutating func finish() -> Answer<ActivityLogReply>? {
        isComplete = true
        return partial.map { .value($0) }
    }

    private func outOfOrder(_ place: ActivityLogPart.Place) -> PacketError {
        let most = Int64(header?.recordCount ?? 0) - 1
        return PacketError(
            .outOfOrder, packet: ActivityLogPart.name, field: "index", at: 5,
            expected: most < 0 ? nil : 0...most, found: Int64(place.index))
    }
}
