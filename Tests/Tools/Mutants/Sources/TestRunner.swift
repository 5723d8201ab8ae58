import Foundation
import Synchronization

/// The tests of one suite, which run together.
struct Suite: Hashable, Sendable {
    let package: TestPackage
    let target: String
    let name: String

    /// The argument with which the test runner finds the suite.
    var filter: String { name.contains("(") ? "\(target)\\.\(name)" : "\(target)\\.\(name)/" }
}

/// The result of a mutant.
enum Verdict: Sendable {
    /// No test reaches the position.
    case notReached
    /// All tests passed.
    case survived
    /// A test failed, or the program crashed, hung, or ran out of memory.
    case found(by: String)
}

/// Runs the tests of the copy: first all without a fault, then with one mutant after the other.
struct TestRunner: Sendable {
    /// The behaviour of a suite without a fault.
    private struct Habit: Sendable {
        let seconds: Double
        /// The mutants whose positions the suite reaches.
        let reached: Set<Int>
    }

    private let root: String
    private let packages: [TestPackage]
    private let scratch: String
    private var habits: [Suite: Habit] = [:]

    /// Creates a runner for the tests of a built copy.
    init(_ copy: Copy, packages: [TestPackage], scratch: String) {
        root = copy.root
        self.packages = packages
        self.scratch = scratch
    }

    /// Runs each suite alone without a fault, and records the reached mutants.
    mutating func learn(_ targets: Set<String>, workers: Int) throws {
        let all = try Set(packages.flatMap(suites)).filter { targets.contains($0.target) }
            .sorted { ($0.target, $0.name) < ($1.target, $1.name) }
        let learnt = Mutex<[Suite: Habit]>([:])
        let failures = Mutex<[String]>([])
        let runner = self
        try forEach(all.count, workers: workers) { index in
            let suite = all[index]
            let file = "\(runner.scratch)/reached-\(index)"
            _ = FileManager.default.createFile(
                atPath: file, contents: Data(count: Build.numbers))
            let begun = Date()
            var failure = try runner.firstFailure(
                [suite], seconds: 300, ["HALO_MUTANTS_REACHED": file])
            if failure != nil {
                // A computer that is busy with other work can break a time limit once.
                failure = try runner.firstFailure(
                    [suite], seconds: 300, ["HALO_MUTANTS_REACHED": file])
            }
            let bytes = (try? Data(contentsOf: URL(filePath: file))) ?? Data()
            try? FileManager.default.removeItem(atPath: file)
            let reached = Set(bytes.enumerated().filter { $0.element != 0 }.map(\.offset))
            let habit = Habit(seconds: Date().timeIntervalSince(begun), reached: reached)
            learnt.withLock { $0[suite] = habit }
            if let failure {
                failures.withLock { $0.append("\(suite.target).\(suite.name): \(failure)") }
            }
        }
        habits = learnt.withLock { $0 }
        let failed = failures.withLock { $0 }
        guard failed.isEmpty else {
            throw Refusal(
                "The tests are not green without a fault:\n"
                    + failed.sorted().joined(separator: "\n"))
        }
        let seconds = Int(habits.values.map(\.seconds).reduce(0, +))
        say("\(all.count) suites are green, in \(seconds) s one after the other")
    }

    /// The suites in the tests of a package; one entry for each of their tests.
    private func suites(of package: TestPackage) throws -> [Suite] {
        let listed = try Program.run(
            [root + "/" + package.binary, "--testing-library", "swift-testing", "--list-tests"],
            in: root)
        return listed.output.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ".", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            let path = parts[1].split(separator: "/")
            let name =
                path.count > 1 ? String(path[0]) : String(parts[1].prefix { $0 != "(" }) + "\\("
            return Suite(package: package, target: String(parts[0]), name: name)
        }
    }

    /// Switches a mutant on, and runs the suites that reach its position, the target's own first.
    func judge(_ number: Int, of target: TargetUnderTest) throws -> Verdict {
        let suites = habits.filter {
            $0.value.reached.contains(number) && target.tests.contains($0.key.target)
        }
        if suites.isEmpty { return .notReached }
        let own = suites.filter { $0.key.target == target.tests[0] }
        let others = suites.filter { $0.key.target != target.tests[0] }
        for group in [own, others] where !group.isEmpty {
            let usual = group.values.map(\.seconds).reduce(0, +)
            let failure = try firstFailure(
                Array(group.keys), seconds: Int(usual * 3) + 30, ["HALO_MUTANT": "\(number)"])
            if let failure { return .found(by: failure) }
        }
        return .survived
    }

    /// The first failure of suites of one package; `nil` if there is none.
    private func firstFailure(
        _ suites: [Suite], seconds: Int, _ variables: [String: String]
    ) throws -> String? {
        guard let package = suites.first?.package else { return nil }
        let folder = "\(root)/\(package.folder)"
        let filter = suites.map(\.filter).sorted().joined(separator: "|")
        // 8 GiB of address space: a test that floods the memory fails to allocate.
        let command = "ulimit -v 8388608; exec timeout -k 5 \(seconds) \"$@\""
        let arguments = [
            "bash", "-c", command, "bash", "\(root)/\(package.binary)",
            "--testing-library", "swift-testing", "--filter", "^(\(filter))",
        ]
        var environment = variables
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["NO_COLOR"] = "1"
        // The tests start programs of their own, which inherit this.
        let run = (name: "HALO_MUTANTS_RUN", value: UUID().uuidString)
        environment[run.name] = run.value
        let end = try Program.run(
            arguments, in: folder, environment: environment, until: Self.isFailure,
            afterwards: { Program.killAll(with: "\(run.name)=\(run.value)") })
        if let line = end.output.split(separator: "\n").first(where: Self.isFailure) {
            return String(line.drop { !$0.isLetter })
        }
        switch end.status {
        case 0: return nil
        // 69: no test has this name. 126 and 127: there is no such program.
        case 69, 126, 127: throw Refusal("No test ran:\n\(end.output.suffix(400))")
        case 124, 137: return "hangs"
        default: return "ends with status \(end.status): \(end.output.suffix(200))"
        }
    }

    private static func isFailure(_ line: Substring) -> Bool {
        line.contains(" recorded an issue") || line.contains(" failed after ")
    }
}
