/// A bearer of the attribute protocol on its own channel with credits (Enhanced ATT). Several such
/// channels can have pending requests at once, so each has its own decoder.
struct EnhancedBearer<Attributes: AttributeDecoder>: Sendable {
    /// The channel numbers in the packets of each way, assigned by their receivers.
    let channels: ByWay<UInt16>
    var units = ByWay(L2CAPAssembly(headerLength: L2CAPAssembly.unitHeaderLength))
    var attributes = Attributes()
}
