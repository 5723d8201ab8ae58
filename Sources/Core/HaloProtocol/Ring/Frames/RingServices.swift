/// The services of a ring and their characteristics.
///
///     uart     6E40FFF0-…   write   6E400002-…   notify  6E400003-…
///     bigData  DE5BF728-…   write   DE5BF72A-…   notify  DE5BF729-…
///
/// The UART service resembles Nordic's, which begins 6E400001. Rings also have
/// ``StandardServices/deviceInformation``; no known ring has a battery or a heart-rate service.
public enum RingServices {
    public static let uart = nordic(0x6E40_FFF0)
    /// The characteristic to which an app writes frames, with or without a response.
    public static let uartWrite = nordic(0x6E40_0002)
    /// The characteristic whose notifications are frames from the ring.
    public static let uartNotify = nordic(0x6E40_0003)

    public static let bigData = large(0xDE5B_F728)
    /// The characteristic to which an app writes frames without a response; most rings also allow
    /// one.
    public static let bigDataWrite = large(0xDE5B_F72A)
    /// The characteristic whose notifications are pieces of frames from the ring.
    public static let bigDataNotify = large(0xDE5B_F729)

    /// A 16-bit UUID that some rings advertise and the vendor's app scans for: one source.
    ///
    /// Many other devices have it, too.
    public static let advertisedShort = BluetoothUUID(0xFFF0)

    /// Tencent's service, on R10, H59 and some R02; an app does not need it.
    package static let weChat = BluetoothUUID(0xFEE7)
    /// A characteristic of ``weChat``: read, notify.
    package static let weChatNotify = BluetoothUUID(0xFEA1)
    /// A characteristic of ``weChat``: read, write, indicate.
    package static let weChatIndicate = BluetoothUUID(0xFEA2)
    /// A characteristic of ``weChat``: read.
    package static let weChatRead = BluetoothUUID(0xFEC9)

    private static func nordic(_ first: UInt32) -> BluetoothUUID {
        BluetoothUUID(high: UInt64(first) << 32 | 0xB5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)
    }

    private static func large(_ first: UInt32) -> BluetoothUUID {
        BluetoothUUID(high: UInt64(first) << 32 | 0xD711_4E47, low: 0xAF26_65E3_012A_5DC7)
    }
}
