public import HaloCapture
internal import HaloProtocol

extension FuzzTarget {
    /// The body of `LLVMFuzzerTestOneInput`, the function that libFuzzer calls with each input. A
    /// broken promise is printed, and ends the process: libFuzzer keeps the input as a crash.
    ///
    ///     @_cdecl("LLVMFuzzerTestOneInput")
    ///     public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    ///         target.test(start, count)
    ///     }
    public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        do throws(ContractViolation) {
            try check(UnsafeBufferPointer(start: start, count: count).span)
        } catch {
            FuzzSystem.fail("\n\(error)")
        }
        return 0
    }

    /// Runs the target as a program without libFuzzer, and ends the process.
    ///
    ///     Lamp FILE…                       checks with each file as an input
    ///     Lamp --corpus FOLDER CAPTURE…    makes FOLDER/Lamp of the packets of captures, and
    ///                                      FOLDER/Lamp.dict of the target's words
    ///
    /// In a build with libFuzzer, libFuzzer's own `main` takes its place.
    public func runAsProgram(_ arguments: [String] = CommandLine.arguments) -> Never {
        let arguments = arguments.dropFirst()
        do {
            if arguments.first == "--corpus" {
                guard let folder = arguments.dropFirst().first else {
                    FuzzSystem.end(2, "--corpus needs a folder")
                }
                let captures = try arguments.dropFirst(2).map { try Capture(contentsOf: $0) }
                let count = try writeCorpus(to: folder, from: captures)
                FuzzSystem.end(0, "\(name): \(count) inputs")
            }
            if let option = arguments.first(where: { $0.hasPrefix("-") }) {
                FuzzSystem.end(2, "\(option): this program was built without libFuzzer")
            }
            guard !arguments.isEmpty else {
                FuzzSystem.end(2, "usage: \(name) FILE… | --corpus FOLDER CAPTURE…")
            }
            for path in arguments {
                let input = try FuzzSystem.contents(of: path)
                FuzzSystem.report("\(path): \(input.count) bytes")
                _ = input.withUnsafeBufferPointer { test($0.baseAddress, $0.count) }
            }
            FuzzSystem.end(0)
        } catch {
            FuzzSystem.end(1, "\(error)")
        }
    }

    /// Writes a corpus: the inputs that captures make, each in a file of its own in the folder of
    /// the target, and a dictionary of the words.
    ///
    /// - Returns: The number of different inputs.
    @discardableResult
    public func writeCorpus(to folder: String, from captures: [Capture]) throws -> Int {
        let inputs = Set(captures.flatMap(inputs(from:)))
        try writeCorpus(to: folder, of: inputs)
        if !words.isEmpty {
            try FuzzSystem.save(Array(dictionary.utf8), to: "\(folder)/\(name).dict")
        }
        return inputs.count
    }

    /// Writes inputs, each in a file of its own in the folder of the target. A file is named after
    /// its content.
    public func writeCorpus(
        to folder: String, of inputs: some Sequence<[UInt8]>
    ) throws(FileError) {
        let corpus = "\(folder)/\(name)"
        try FuzzSystem.createFolder(folder)
        try FuzzSystem.createFolder(corpus)
        for input in inputs { try FuzzSystem.save(input, into: corpus) }
    }

    /// The words in the format of libFuzzer's option `-dict`.
    public var dictionary: String {
        words.map { word in
            "\"" + word.map { "\\x" + HexText.byte($0) }.joined() + "\"\n"
        }.joined()
    }
}
