/// The services of Triones LED strips and bulbs.
public enum LEDStripServices {
    public static let commandService = BluetoothUUID(0xFFD5)
    /// The characteristic for commands, written with or without response.
    public static let commands = BluetoothUUID(0xFFD9)
    public static let statusService = BluetoothUUID(0xFFD0)
    public static let status = BluetoothUUID(0xFFD4)
}
