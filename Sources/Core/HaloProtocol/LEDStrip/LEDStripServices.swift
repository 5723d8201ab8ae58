/// The services of Triones LED strips and bulbs.
public enum LEDStripServices {
    /// The service with ``commands``.
    public static let commandService = BluetoothUUID(0xFFD5)
    /// The characteristic for commands, written with or without response.
    public static let commands = BluetoothUUID(0xFFD9)
    /// The service with ``status``.
    public static let statusService = BluetoothUUID(0xFFD0)
    /// The characteristic that notifies the status.
    public static let status = BluetoothUUID(0xFFD4)
}
