import HaloCapture
import HaloProtocol

/// The characteristics of values that a log does not name, by the options of the import.
struct LogNames: Hashable, Sendable {
    private let unnamed: [Direction: BluetoothUUID]

    init(unnamed: [Direction: BluetoothUUID] = [:]) {
        self.unnamed = unnamed
    }

    /// The channel of an unnamed value in a direction.
    func channel(_ direction: Direction) -> CaptureChannel {
        CaptureChannel(unnamed[direction] ?? .unnamed(handle: 0), direction)
    }

    /// `true` if the options name the values of a direction.
    func isNamed(_ direction: Direction) -> Bool { unnamed[direction] != nil }
}
