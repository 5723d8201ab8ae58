import HaloCapture
import HaloProtocol

/// Joins the data of an extended advertisement, which may come in several reports.
///
/// One advertisement is joined at a time: where reports of two are mixed, the unfinished one is
/// given up. What comes without an address is nobody's, and is left out.
struct ExtendedAdvertising: Sendable {
    /// How much data an advertisement can have.
    static let longestData = 1650

    /// What a report says beside its data.
    struct Report: Sendable {
        var address: DeviceAddress
        var isAnonymous: Bool
        var set: UInt8
        var kind: UInt16
        var strength: Int8?

        /// Whether it answers a scan.
        var isScanResponse: Bool { kind & 0x08 != 0 }
        /// Whether more data will follow; that some are lost is another value, and final.
        var isIncomplete: Bool { kind >> 5 & 0x3 == 1 }

        func continues(_ other: Report) -> Bool {
            address == other.address && set == other.set
                && isScanResponse == other.isScanResponse
        }
    }

    private var pending: Report?
    private var data = ContiguousArray<UInt8>()

    mutating func take(
        _ report: Report, _ bytes: Span<UInt8>, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) {
        guard !report.isAnonymous else { return }
        if let pending, !report.continues(pending) { drop(at: place, into: &sink) }
        if pending == nil, !report.isIncomplete {
            return Self.tell(report, bytes, at: place, into: &sink)
        }
        guard data.count + bytes.count <= Self.longestData else {
            return drop(at: place, into: &sink)
        }
        bytes.withUnsafeBufferPointer { data.append(contentsOf: $0) }
        pending = report
        if !report.isIncomplete {
            Self.tell(report, data.span, at: place, into: &sink)
            pending = nil
            data.removeAll(keepingCapacity: true)
        }
    }

    /// Gives up what is not whole.
    mutating func drop(at place: RecordPlace, into sink: inout some ConversationSink) {
        guard pending != nil else { return }
        pending = nil
        data.removeAll(keepingCapacity: true)
        sink.take(.odd(.unfinishedPacket), Span(), on: noConnection, at: place)
    }

    private static func tell(
        _ report: Report, _ data: Span<UInt8>, at place: RecordPlace,
        into sink: inout some ConversationSink
    ) {
        sink.take(
            .advertised(
                report.address, strength: report.strength, isScanResponse: report.isScanResponse),
            data, on: noConnection, at: place)
    }
}
