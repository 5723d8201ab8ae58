struct ExitStatus: Hashable, Sendable {
    let code: Int32

    static let success = ExitStatus(code: 0)
    /// The input differs from what it should be, or something in it could not be decoded.
    static let difference = ExitStatus(code: 1)
    static let wrongUsage = ExitStatus(code: 2)
    /// A file or a device could not be used.
    static let unusable = ExitStatus(code: 3)
    static let notFound = ExitStatus(code: 4)
}

extension ExitStatus: Comparable {
    /// Compares how far two ends are from success.
    static func < (left: ExitStatus, right: ExitStatus) -> Bool { left.code < right.code }
}
