/// Services of the Bluetooth SIG that rings or heart-rate sensors have.
public enum StandardServices {
    /// A device's names and versions.
    public static let deviceInformation = BluetoothUUID(0x180A)
    /// A heart-rate sensor's measurements; no known ring has it.
    public static let heartRate = BluetoothUUID(0x180D)
    /// A battery's level; no known ring has it.
    public static let battery = BluetoothUUID(0x180F)
    /// Keys and gestures: on rings that serve as a remote control, once they are bonded.
    public static let humanInterface = BluetoothUUID(0x1812)
}
