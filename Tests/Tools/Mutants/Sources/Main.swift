import Foundation
import Synchronization

/// Plants faults, runs the tests, and counts the faults that they find.
@main
struct Main {
    static func main() {
        do {
            Program.endTogether()
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            exit(try run(options) ? 0 : 1)
        } catch let refusal as Refusal {
            say(refusal.message)
        } catch {
            say("\(error)")
        }
        exit(2)
    }

    /// Runs the tool; returns `true` if the demanded scores were reached.
    private static func run(_ options: Options) throws -> Bool {
        let root = FileManager.default.currentDirectoryPath
        let equivalents = try Equivalents(path: root + "/Tests/Tools/Mutants/equivalents")
        var samples: [(target: TargetUnderTest, mutants: [Mutant])] = []
        var equivalentCounts: [String: Int] = [:]
        for target in options.targets {
            let all = try mutants(of: target, root)
            if options.only == nil { try check(equivalents, target, all) }
            var drawn = all.filter { mutant in
                options.only.map { mutant.path.contains($0) || mutant.key.contains($0) } ?? true
            }.sorted { $0.lot(seed: options.seed) < $1.lot(seed: options.seed) }
            // Draws more than requested, because some will not compile.
            drawn = Array(drawn.prefix(options.count * 3 / 2 + 10))
            equivalentCounts[target.name] = drawn.prefix(options.count).count(
                where: equivalents.contains)
            drawn.removeAll(where: equivalents.contains)
            say("\(target.name): \(drawn.count) of \(all.count) places for a fault")
            samples.append((target, drawn))
        }
        if options.listsOnly {
            for sample in samples {
                for mutant in sample.mutants {
                    say("\(mutant.path):\(mutant.line): \(mutant.key)")
                }
            }
            return true
        }
        return try measure(options, root, samples, equivalentCounts)
    }

    private static func measure(
        _ options: Options, _ root: String,
        _ samples: [(target: TargetUnderTest, mutants: [Mutant])], _ equivalentCounts: [String: Int]
    ) throws -> Bool {
        let copy = try Copy(of: root, in: options.scratch)
        var build = Build(
            copy, root: root, scratch: options.scratch, samples.flatMap(\.mutants),
            modules: Set(samples.flatMap(\.target.modules)).sorted())
        let begun = Date()
        try build.run()
        say("built in \(Int(Date().timeIntervalSince(begun))) s")
        var runner = TestRunner(copy, packages: build.packages, scratch: options.scratch)
        try runner.learn(Set(samples.flatMap(\.target.tests)), workers: options.workers)
        var scores: [Score] = []
        for (target, drawn) in samples {
            let keys = Set(drawn.map(\.key))
            let planted = build.planted.filter { keys.contains($0.mutant.key) }.prefix(
                options.count)
            var score = try judge(Array(planted), target, runner, options)
            score.dropped = build.dropped.count { keys.contains($0.key) }
            score.equivalent = equivalentCounts[target.name] ?? 0
            scores.append(score)
        }
        let report = Report(scores: scores)
        report.print()
        let isEnough =
            report.total.percent >= Double(options.overall)
            && scores.allSatisfy { $0.percent >= Double(options.each) }
        let listed = report.total.equivalent
        if listed * 10 > listed + report.total.tried {
            say("More than a tenth of the sample is listed as equivalent.")
            return false
        }
        if !isEnough {
            say("Wanted: \(options.overall) % over all, and \(options.each) % in each of them.")
        }
        return isEnough
    }

    private static func judge(
        _ planted: [(number: Int, mutant: Mutant)], _ target: TargetUnderTest, _ runner: TestRunner,
        _ options: Options
    ) throws -> Score {
        let begun = Date()
        let score = Mutex(Score(target: target.name))
        let found = Mutex(KeyFile(path: options.scratch + "/found"))
        try forEach(planted.count, workers: options.workers) { index in
            let (number, mutant) = planted[index]
            let isKnown =
                options.asksSurvivorsOnly && found.withLock { $0.keys.contains(mutant.key) }
            let verdict =
                isKnown ? Verdict.found(by: "a test, before") : try runner.judge(number, of: target)
            found.withLock { found in
                if case .found = verdict {
                    found.insert([mutant.key])
                } else {
                    found.remove(mutant.key)
                }
            }
            score.withLock { $0.add(mutant, verdict) }
            switch verdict {
            case .found(let test):
                if options.isVerbose {
                    say("found     \(mutant.path):\(mutant.line) \(mutant.key)")
                    say("          by \(test)")
                }
            case .notReached: say("unreached \(mutant.path):\(mutant.line) \(mutant.key)")
            case .survived: say("survived  \(mutant.path):\(mutant.line) \(mutant.key)")
            }
        }
        let seconds = Int(Date().timeIntervalSince(begun))
        say("\(target.name): \(planted.count) faults in \(seconds) s")
        return score.withLock { $0 }
    }

    private static func mutants(of target: TargetUnderTest, _ root: String) throws -> [Mutant] {
        let listed = try Program.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--"]
                + target.sources.map { "\($0)/*.swift" }, in: root)
        var mutants: [Mutant] = []
        for path in listed.output.split(separator: "\n").map(String.init).sorted() {
            guard let source = try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
            else { continue }
            mutants += MutantFinder.mutants(in: source, path: path, target: target.name)
        }
        mutants.number()
        return mutants
    }

    /// Refuses an entry of the list without a mutant: it would mislead readers.
    private static func check(
        _ equivalents: Equivalents, _ target: TargetUnderTest, _ all: [Mutant]
    ) throws {
        let keys = Set(all.map(\.key))
        let stale = equivalents.reasons.keys.filter {
            $0.hasPrefix(target.name + " ") && !keys.contains($0)
        }
        guard stale.isEmpty else {
            throw Refusal(
                "Tests/Tools/Mutants/equivalents lists what no source has any more:\n"
                    + stale.sorted().joined(separator: "\n"))
        }
    }
}
