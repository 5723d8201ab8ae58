import HaloCapture
import HaloProtocol

/// A value in a log of a program.
struct LogValue: Hashable, Sendable {
    /// The characteristic of a value, as a log names it.
    enum Target: Hashable, Sendable {
        case uuid(BluetoothUUID)
        case handle(UInt16)
    }

    var direction: Direction
    /// The action, or `nil` if the log has none.
    var action: CaptureAction?
    var target: Target
    var bytes: ContiguousArray<UInt8>

    init(_ action: CaptureAction, _ target: Target, _ bytes: ContiguousArray<UInt8>) {
        direction = action.direction
        self.action = action
        self.target = target
        self.bytes = bytes
    }

    init(_ direction: Direction, _ target: Target, _ bytes: ContiguousArray<UInt8>) {
        self.direction = direction
        self.target = target
        self.bytes = bytes
    }
}
