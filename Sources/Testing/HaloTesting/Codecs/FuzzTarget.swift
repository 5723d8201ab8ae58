/// A fuzz target: an entrance of bytes into the code, with a check that throws if the code breaks a
/// promise.
public struct FuzzTarget: Sendable {
    /// The name of the target, of its executable, and of the folder with its regressions.
    public let name: String

    private let check: @Sendable (Span<UInt8>) throws(ContractViolation) -> Void

    /// Creates a target from its name and its check.
    public init(
        _ name: String, check: @escaping @Sendable (Span<UInt8>) throws(ContractViolation) -> Void
    ) {
        self.name = name
        self.check = check
    }

    /// Creates a target whose check uses the bytes for decisions.
    public init(
        deciding name: String,
        check: @escaping @Sendable (inout FuzzBytes) throws(ContractViolation) -> Void
    ) {
        self.init(name) { bytes throws(ContractViolation) in
            var bytes = FuzzBytes(bytes)
            try check(&bytes)
        }
    }

    /// Runs the check with the given bytes.
    public func run(_ bytes: Span<UInt8>) throws(ContractViolation) {
        try check(bytes)
    }

    /// Runs the check with the bytes of any sequence.
    public func run(_ bytes: some Sequence<UInt8>) throws(ContractViolation) {
        let copy = ContiguousArray(bytes)
        try check(copy.span)
    }
}
