#if canImport(CoreBluetooth)
internal import CoreBluetooth
internal import HaloTransport

/// The state of Bluetooth as it was reported last, and the functions that are called at each
/// change.
struct AdapterBoard: Sendable {
    private(set) var state = AdapterState.unknown
    private var observers: [UInt64: @Sendable (AdapterState) -> Void] = [:]
    private var last: UInt64 = 0

    mutating func add(_ observer: @escaping @Sendable (AdapterState) -> Void) -> UInt64 {
        last &+= 1
        observers[last] = observer
        return last
    }

    mutating func remove(_ number: UInt64) { observers[number] = nil }

    mutating func change(to state: AdapterState) -> [@Sendable (AdapterState) -> Void] {
        guard state != self.state else { return [] }
        self.state = state
        return observers.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension AdapterState {
    /// Converts a state of the system; while `resetting`, its Bluetooth service starts again.
    init(_ state: CBManagerState) {
        switch state {
        case .unsupported: self = .unsupported
        case .unauthorized: self = .unauthorized
        case .poweredOff: self = .poweredOff
        case .poweredOn: self = .poweredOn
        case .unknown, .resetting: self = .unknown
        @unknown default: self = .unknown
        }
    }

    /// The kind of error with which operations fail in this state; `nil` if they may succeed.
    var failure: BLEError.Kind? {
        switch self {
        case .unsupported: .noBluetooth
        case .unauthorized: .unauthorized
        case .poweredOff: .bluetoothOff
        case .unknown, .poweredOn: nil
        }
    }
}
#endif
