enum ByteOrder: Hashable, Sendable {
    case big
    case little
}
