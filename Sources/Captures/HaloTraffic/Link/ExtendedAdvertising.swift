/// Joins the data of an extended advertisement, which may come in several reports.
///
/// One advertisement is joined at a time: where reports of two are mixed, the unfinished one is
/// dropped.
struct ExtendedAdvertising: Sendable {
    static let longestData = 1650

    private var pending: (report: AdvertisingReport, set: UInt8)?
    private var data = ContiguousArray<UInt8>()

    /// Receives a report. A truncated advertisement has a status of its own, and no further report.
    mutating func receive(
        _ report: AdvertisingReport, set: UInt8, isIncomplete: Bool, _ bytes: Span<UInt8>,
        _ output: inout ConversationOutput<some ConversationSink>
    ) {
        if let pending,
            pending.set != set || pending.report.address != report.address
                || pending.report.isScanResponse != report.isScanResponse
        {
            drop(&output)
        }
        if pending == nil, !isIncomplete { return report.emit(bytes, to: &output) }
        guard data.count + bytes.count <= Self.longestData else { return drop(&output) }
        bytes.withUnsafeBufferPointer { data.append(contentsOf: $0) }
        pending = (report, set)
        if !isIncomplete {
            report.emit(data.span, to: &output)
            clear()
        }
    }

    mutating func drop(_ output: inout ConversationOutput<some ConversationSink>) {
        guard pending != nil else { return }
        clear()
        output.emit(.odd(.unfinishedPacket), on: noConnection)
    }

    private mutating func clear() {
        pending = nil
        data.removeAll(keepingCapacity: true)
    }
}
