#if os(Linux)
extension BlueZErrorText {
    /// What older daemons say in place of ``abortedByLocal`` (bleak#239); by switch only, never
    /// seen.
    package static let softwareAbort = "Software caused connection abort"
}
#endif
