import HaloCapture
import HaloProtocol
import HaloTransport

struct ExportedCharacteristic: Hashable, Sendable {
    let uuid: BluetoothUUID
    let properties: GATTProperties
    let declaration: UInt16
    let value: UInt16
    /// The descriptors: their types in the order of their handles, which follow the value.
    let descriptors: [BluetoothUUID]

    /// The handle of the descriptor that switches notifications, or `nil` without one.
    var configuration: UInt16? { handle(of: AttributeUUIDs.clientConfiguration) }

    /// The entry of the declaration in the response to a search.
    var entry: [UInt8] {
        .little(declaration) + [properties.rawValue] + .little(value) + .uuid(uuid)
    }

    /// The entries of the attributes after the declaration, with their handles.
    var entries: [(bytes: [UInt8], handle: UInt16)] {
        ([uuid] + descriptors).enumerated().map { place, type in
            (.little(handle(at: place)) + .uuid(type), handle(at: place))
        }
    }

    /// The handle of a channel's values: that of the characteristic, or of a descriptor of it;
    /// `nil` if it has no such descriptor.
    func handle(of channel: CaptureChannel) -> UInt16? {
        guard case .descriptor(let type, of: _) = channel else { return value }
        return handle(of: type)
    }

    private func handle(of descriptor: BluetoothUUID) -> UInt16? {
        descriptors.firstIndex(of: descriptor).map { handle(at: $0 + 1) }
    }

    private func handle(at place: Int) -> UInt16 { value &+ UInt16(truncatingIfNeeded: place) }
}
