#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

enum FakeRemoteCall: Sendable {
    case connect(FakeRemoteLink)
    case disconnect
    case read(AttributeID, offset: Int, FakeOperationID)
    case write([UInt8], AttributeID, offset: Int = 0, WriteMode, FakeOperationID?)
    case subscribe(AttributeID, isOn: Bool, FakeOperationID?)
    case confirm(AttributeID)
    case discover(device: Int, link: UInt64)
    case stop
}
#endif
