/// The device's Bluetooth address.
public enum BluetoothAddress: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x2E, "BluetoothAddress", "Bluetooth address")
    }
    public static var secrecyOfBytes: FieldSecrecy { .address }
}
