/// The services of Triones LED strips and bulbs.
package enum LEDStripServices {
    package static let commandService = BluetoothUUID(0xFFD5)
    /// The characteristic for commands, written with or without response.
    package static let commands = BluetoothUUID(0xFFD9)
    package static let statusService = BluetoothUUID(0xFFD0)
    package static let status = BluetoothUUID(0xFFD4)
}
