import HaloCapture

struct AdvertisingReport: Hashable, Sendable {
    /// The advertiser, or `nil` for an anonymous one.
    var address: DeviceAddress?
    var strength: Int8?
    var isScanResponse: Bool

    func emit(_ data: Span<UInt8>, to output: inout ConversationOutput<some ConversationSink>) {
        output.sink.receive(
            .advertised(address, strength: strength, isScanResponse: isScanResponse), data,
            on: noConnection, at: output.position)
    }
}
