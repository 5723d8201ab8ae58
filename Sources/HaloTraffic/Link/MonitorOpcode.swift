/// What a record of Linux' Bluetooth monitor is: `BTSNOOP_OPCODE_*` of BlueZ, `HCI_MON_*` of
/// the kernel.
enum MonitorOpcode: UInt16, Hashable, Sendable {
    case newIndex = 0
    case deleteIndex = 1
    case command = 2
    case event = 3
    case aclSent = 4
    case aclReceived = 5
    case synchronousSent = 6
    case synchronousReceived = 7
    case openIndex = 8
    case closeIndex = 9
    case indexInformation = 10
    case vendorDiagnostics = 11
    case systemNote = 12
    case userLogging = 13
    case controlOpen = 14
    case controlClose = 15
    case controlCommand = 16
    case controlEvent = 17
    case isochronousSent = 18
    case isochronousReceived = 19
}
