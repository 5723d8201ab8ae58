enum ChannelFrame: Hashable, Sendable {
    case frame(Frame)
    case record(BigDataFrame)

    var length: Int {
        switch self {
        case .frame: Frame.length
        case .record(let record): BigDataFrame.headerLength + record.payload.count
        }
    }
}
