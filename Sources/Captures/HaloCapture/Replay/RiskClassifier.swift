internal import HaloProtocol

/// A classifier of successive writes: a further piece of a record has the risk of its beginning.
struct RiskClassifier {
    private var pieces = BigDataFrame.Pieces()
    /// The risk of the record whose pieces are being written.
    private var begun = RequestRisk.unknown

    mutating func risk(of bytes: [UInt8], writtenTo channel: CaptureChannel) -> RequestRisk {
        guard channel == .bigData else { return RequestRisk(of: bytes, writtenTo: channel) }
        if pieces.receive(written: bytes) { return begun }
        let risk = RequestRisk(of: bytes, writtenTo: channel)
        guard pieces.missingCount > 0 else { return risk }
        // The beginning of a record cannot be decoded yet, so its id decides.
        let isKnown = BigDataCatalog.entry(id: bytes[1], .toDevice) != nil
        begun = risk == .dangerous ? risk : isKnown ? .known : .unknown
        return begun
    }
}
