#if os(Linux)
enum DBusMessageType: UInt8 {
    case call = 1
    case reply = 2
    case error = 3
    case signal = 4
}
#endif
