import Foundation

/// Compiles the copy with all mutants in it, and drops those that do not compile.
struct Build {
    private let copy: Copy
    private let root: String
    private let modules: [String]
    /// The packages that compile the modules.
    let packages: [TestPackage]
    /// The mutants in the build, with the numbers that switch them on.
    private(set) var planted: [(number: Int, mutant: Mutant)]
    /// The mutants that do not compile.
    private(set) var dropped: [Mutant] = []

    /// The mutants that did not compile in this scratch folder before.
    private var refused: KeyFile

    init(
        _ copy: Copy, root: String, scratch: String, _ mutants: [Mutant], modules: [String]
    ) {
        self.copy = copy
        self.root = root
        self.modules = modules
        packages = TestPackage.compiling(modules)
        refused = KeyFile(path: scratch + "/refused")
        // A mutant keeps its number from run to run, so that its file is not compiled again.
        var numbers: Set<Int> = []
        planted = mutants.map { mutant in
            var number = Int(mutant.lot(seed: 0) % UInt64(Self.numbers))
            while !numbers.insert(number).inserted { number = (number + 1) % Self.numbers }
            return (number, mutant)
        }
        dropped = mutants.filter { refused.keys.contains($0.key) }
        planted.removeAll { refused.keys.contains($0.mutant.key) }
    }

    /// The exclusive maximum of mutants' numbers.
    static let numbers = 1 << 20

    /// Compiles until all remaining mutants compile.
    mutating func run() throws {
        try copy.writeManifest(from: root, planted: modules)
        for package in packages { try copy.plantInside(package) }
        for round in 1...40 {
            for module in modules {
                let path = try copy.path(of: module)
                try copy.plant(
                    planted.filter { $0.mutant.path.hasPrefix("\(path)/") }, module: module)
            }
            guard let errors = try errors() else { return }
            let numbers = refusedNumbers(errors)
            guard !numbers.isEmpty else {
                throw Refusal("The copy does not compile:\n\(Self.messages(of: errors))")
            }
            let news = planted.filter { numbers.contains($0.number) }.map(\.mutant)
            planted.removeAll { numbers.contains($0.number) }
            dropped += news
            refused.insert(news.map(\.key))
            say("build \(round): \(news.count) faults do not compile and are left out")
        }
        throw Refusal("The copy does not compile, whatever is left out.")
    }

    /// Compiles the packages; returns the output of the first one that fails.
    private func errors() throws -> String? {
        for package in packages {
            let end = try Program.run(
                ["swift", "build", "--build-tests", "-Xswiftc", "-suppress-warnings"],
                in: "\(copy.root)/\(package.folder)")
            if end.status != 0 { return end.output }
        }
        return nil
    }

    /// The first errors in the output of a build, or its end if no line says that it is one.
    private static func messages(of output: String) -> String {
        let lines = output.split(separator: "\n").filter { $0.contains("error: ") }
        return lines.isEmpty
            ? String(output.suffix(4000)) : lines.prefix(20).joined(separator: "\n")
    }

    /// The mutants on the lines of compiler errors, or the nearest ones before them.
    private func refusedNumbers(_ output: String) -> Set<Int> {
        var numbers: Set<Int> = []
        var sources: [Substring: [Substring]] = [:]
        for message in output.split(separator: "\n") where message.contains(": error: ") {
            let parts = message.split(separator: ":", maxSplits: 3)
            guard parts.count == 4, let line = Int(parts[1]) else { continue }
            let lines =
                sources[parts[0]]
                ?? (try? String(contentsOfFile: String(parts[0]), encoding: .utf8))?
                .split(separator: "\n", omittingEmptySubsequences: false) ?? []
            sources[parts[0]] = lines
            for text in lines.prefix(line).reversed() {
                let found = Planter.numbers(in: text)
                guard !found.isEmpty else { continue }
                numbers.formUnion(found)
                break
            }
        }
        return numbers
    }
}
