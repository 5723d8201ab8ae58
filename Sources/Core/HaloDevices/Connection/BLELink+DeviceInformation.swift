public import HaloProtocol
public import HaloTransport

extension BLELink {
    /// Reads the values of the device's Device Information service, one after the other, so that a
    /// slow device has one request at a time. Values that the device does not have any more, or
    /// refuses to send, are left out.
    public nonisolated(nonsending) func deviceInformation() async throws(BLEError)
        -> DeviceInformation
    {
        var information = DeviceInformation()
        do throws(BLEError) {
            for value in try await services.deviceInformation(DeviceInformation.characteristics) {
                do throws(BLEError) {
                    information.receive(try await read(value), of: value.uuid)
                } catch {
                    guard error.isOfOneValue else { throw error }
                }
            }
        } catch {
            throw error.kind == .cancelled ? BLEError(.cancelled, .read) : error
        }
        return information
    }
}

extension [GATTService] {
    /// Returns those of some values of the Device Information service that can be read.
    func deviceInformation(_ wanted: [BluetoothUUID]) -> [GATTCharacteristic] {
        filter { $0.uuid == StandardServices.deviceInformation }.flatMap(\.characteristics)
            .filter { $0.properties.contains(.read) && wanted.contains($0.uuid) }
    }
}

extension BLEError {
    /// `true` if the device refuses a value, or does not have it any more: others can be read.
    var isOfOneValue: Bool { kind == .refused || isStale }
}
