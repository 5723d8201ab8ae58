public import HaloCapture

/// A boundary where bytes come into the code, with a check that throws if the code breaks a
/// promise, for any bytes.
///
/// A conforming type is a libFuzzer target (``test(_:_:)``), a program that runs given inputs and
/// makes a corpus from captures (``runAsProgram(_:)``), and a test with seeded inputs and former
/// crashes (``checkSeededInputs(_:upTo:)``, ``checkFiles(in:)``). For packets, there is
/// ``PacketTarget``.
///
///     struct LampTarget: FuzzTarget {
///         let name = "Lamp"
///
///         func check(_ input: Span<UInt8>) throws(ContractViolation) {
///             var bytes = FuzzBytes(input)
///             …
///         }
///     }
public protocol FuzzTarget: Sendable {
    /// The name of the target, its executable, and the folders with its corpus and its regressions.
    var name: String { get }

    /// Runs the code with an input, and throws if it breaks a promise.
    func check(_ input: Span<UInt8>) throws(ContractViolation)

    /// Bytes that a fuzzer cannot guess easily, such as opcodes and markers; by default, none.
    var words: [[UInt8]] { get }

    /// Returns the inputs that the packets of a capture make; by default, none.
    func inputs(from capture: Capture) -> [[UInt8]]
}

extension FuzzTarget {
    /// No words.
    public var words: [[UInt8]] { [] }

    /// Returns no inputs.
    public func inputs(from capture: Capture) -> [[UInt8]] { [] }

    /// Runs the code with the bytes of any sequence, and throws if it breaks a promise.
    public func check(_ input: some Sequence<UInt8>) throws(ContractViolation) {
        let copy = ContiguousArray(input)
        try check(copy.span)
    }

    /// Checks with a number of seeded inputs of up to `length` bytes. The inputs are the same on
    /// every machine.
    public func checkSeededInputs(
        _ count: Int, upTo length: Int = 600
    ) throws(ContractViolation) {
        for seed in 0..<UInt64(max(count, 0)) {
            var chance = FuzzBytes(seed: ~seed, count: 5)
            // Half of the inputs are short: most packets are.
            let limit = chance.flag() ? min(32, length) : length
            try check(FuzzBytes(seed: seed, count: chance.integer(in: 0...max(limit, 0))).all)
        }
    }

    /// Checks with each file of a folder, such as former crashes, in the order of their names.
    ///
    /// - Returns: The number of files. A test should expect that there are some.
    @discardableResult
    public func checkFiles(in folder: String) throws -> Int {
        let files = try FuzzSystem.files(in: folder)
        for file in files { try check(try FuzzSystem.contents(of: file)) }
        return files.count
    }
}
