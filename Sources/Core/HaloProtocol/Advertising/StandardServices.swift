/// Services of the Bluetooth SIG on rings or heart-rate sensors.
public enum StandardServices {
    /// Device Information: names and versions.
    public static let deviceInformation = BluetoothUUID(0x180A)
    /// Heart Rate; no known ring has it.
    public static let heartRate = BluetoothUUID(0x180D)
    /// Battery; no known ring has it.
    public static let battery = BluetoothUUID(0x180F)
    /// Human Interface Device, on rings that are a mouse for the system: R08, R12, some R09 and
    /// R10. The system may hold such a ring connected, so that it does not advertise.
    public static let humanInterface = BluetoothUUID(0x1812)
}
