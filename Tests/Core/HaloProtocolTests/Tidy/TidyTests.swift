import TestSupport
import Testing

/// The house rules that a test can check; `Documentation/Style.md` has the reasons.
@Suite(.computes) struct TidyTests {
    private static let sources = TidySource.all
    private static let product = sources.filter { $0.target != nil }
    private static let suites = sources.filter {
        $0.path.hasPrefix("Tests/") && !$0.path.hasPrefix("Tests/Tools/")
    }
    private static let core = sources.filter { $0.target == "HaloProtocol" }
    private static let codecFolders = [
        "Ring/Packets", "Ring/Values", "Ring/Logs", "Ring/Commands", "Ring/BigData",
        "Ring/Firmware", "Characteristics", "Advertising", "LEDStrip", "Time", "Packets",
    ]

    @Test func linesHaveAtMostAHundredColumns() {
        let long = Self.sources.flatMap { source in
            zip(1..., source.lines).filter { $1.count > 100 }.map { "\(source.path):\($0.0)" }
        }
        #expect(long == [])
    }

    @Test func functionsHaveLessThanSixtyLines() {
        let long = Self.sources.flatMap { source in
            source.functions.filter { $0.length >= 60 }.map {
                "\(source.path):\($0.line): \($0.length) lines"
            }
        }
        #expect(long == [])
    }

    /// A time limit of Swift Testing measures how busy the computer is: it counts the wait for the
    /// others, of which there are thousands.
    @Test func limitsBeginWithATurn() {
        let limits = Self.suites.flatMap { $0.places { $0.contains(".timeLimit(") } }
        #expect(limits == [])
    }

    /// Swift Testing begins all tests at once. Suites within a suite take its turns.
    @Test func suitesTakeTurns() {
        let turns = [
            ".computes", ".passesTime", ".takesTurns", ".isAlone", ".waitsForPrograms", "TestTurn(",
        ]
        let without = Self.suites.flatMap { source in
            source.code.indices.filter { Self.beginsSuite(source.code[$0]) }.filter { line in
                let head = source.code[...line].reversed().prefix { !$0.isEmpty }.joined()
                return !turns.contains { head.contains($0) }
            }.map { "\(source.path):\($0 + 1)" }
        }
        #expect(without == [])
    }

    private static func beginsSuite(_ line: String) -> Bool {
        guard let first = line.first, first != " " else { return false }
        let words = words(line)
        return words.contains { $0.hasSuffix("Tests") }
            && (words.contains("struct") || words.contains("class"))
    }

    @Test func theCoreImportsNothing() {
        let imports = Self.core.flatMap { $0.places { Self.words($0).contains("import") } }
        #expect(imports == [])
    }

    @Test func foundationIsImportedInItsBridgeOnly() {
        let allowed: Set<String?> = [
            "HaloFoundation", "HaloCaptureFoundation", "HaloHealthFoundation", "HaloCoreBluetooth",
            "halo",
        ]
        let imports = Self.product.filter { !allowed.contains($0.target) }.flatMap {
            $0.places { line in
                let words = Self.words(line)
                return words.contains("import") && words.contains { $0.hasPrefix("Foundation") }
            }
        }
        #expect(imports == [])
    }

    /// An app that keeps a ring's history and shows its dates builds no captures for that.
    @Test func datesAndErrorsBringNoCaptures() {
        let targets: Set<String?> = ["HaloDevices", "HaloFoundation", "HaloHealth"]
        let imports = Self.product.filter { targets.contains($0.target) }.flatMap {
            $0.places { line in
                let words = Self.words(line)
                return words.contains("import") && words.contains { Self.captures.contains($0) }
            }
        }
        #expect(imports == [])
    }

    private static let captures: Set<Substring> = ["HaloCapture", "HaloTraffic"]

    /// HaloDBus and HaloBlueZ use the C library in one folder only, and of this package only what
    /// is below them. The backend and the fake daemon share the vocabulary only.
    @Test(arguments: ["HaloDBus", "BlueZVocabulary", "HaloBlueZ", "FakeBlueZ"])
    func backendsKeepTheirArrows(_ target: String) {
        var allowed: Set<Substring> = ["HaloTransport", "HaloProtocol", "Synchronization"]
        if target != "HaloDBus" { allowed.formUnion(["BlueZVocabulary", "HaloDBus"]) }
        let imports = Self.product.filter { $0.target == target }.flatMap {
            $0.places { line in
                let words = Self.words(line)
                return words.contains("import") && !allowed.contains(words.last ?? "")
            }
        }
        let systems = ["HaloDBus", "HaloBlueZ"].map { "Sources/Backends/\($0)/System/" }
        #expect(imports.filter { line in !systems.contains { line.hasPrefix($0) } } == [])
        #expect(imports.isEmpty == !["HaloDBus", "HaloBlueZ"].contains(target))
    }

    /// The compiler cannot see that a lock or a queue makes its value safe to share, nor that a
    /// class is used in turns of the loop only.
    private static let locks = [
        "Sources/Core/HaloTransport/Loop/",
        "Sources/Core/HaloTransport/Central/BLETransport+Connecting.swift:",
        "Sources/Core/HaloTransport/Central/BLETransport+Scanning.swift:",
        "Sources/Core/HaloTransport/Central/GATTClient.swift:",
        "Sources/Core/HaloTransport/Peripheral/PeripheralHost.swift:",
        "Sources/Core/HaloDevices/Connection/BLELink+DeviceInformation.swift:",
        "Sources/Backends/HaloCoreBluetooth/System/Confined.swift:",
        "Sources/Backends/HaloCoreBluetooth/System/Guarded.swift:",
    ]

    @Test(arguments: ["fatalError", "preconditionFailure", "unchecked"])
    func nothingStopsTheProgram(_ word: String) {
        let uses = Self.product.flatMap {
            $0.places { line in
                // A label `unchecked:` of our own is an ordinary word.
                word == "unchecked"
                    ? line.contains("@unchecked") : Self.words(line).contains { $0 == word }
            }
        }.filter { use in !Self.locks.contains { use.hasPrefix($0) } }
        #expect(uses == [])
    }

    @Test func nothingIsForced() {
        let uses = Self.product.flatMap { $0.places(Self.isForced) }
        #expect(uses == [])
        for forced in ["try! x()", "x as! Y", "x!", "x()!.y", "x[1]!", "var x: Int!"] {
            #expect(Self.isForced(forced), "\(forced)")
        }
        for free in ["a != b", "if !x {", "(!x)", "[!x]", "a !== b", "func ! (x: Y)"] {
            #expect(!Self.isForced(free), "\(free)")
        }
    }

    @Test(arguments: codecFolders)
    func codecsAreSafe(_ folder: String) {
        let codecs = Self.core.filter { $0.path.contains("/HaloProtocol/\(folder)/") }
        #expect(!codecs.isEmpty)
        let uses = codecs.flatMap {
            $0.places { Self.words($0).contains { $0.hasPrefix("unsafe") || $0 == "Unsafe" } }
        }
        #expect(uses == [])
    }

    @Test func theVirtualRingHasNoNumbersOfTheWire() {
        let ring = Self.product.filter { $0.path.contains("/HaloSimulator/Ring/") }
        #expect(ring.count > 15)
        #expect(ring.flatMap { $0.places { $0.contains("0" + "x") } } == [])
    }

    /// An open list of constants needs a description: `Kind(code: 3)` helps no reader.
    @Test func listsThatCanGrowHaveWords() {
        let lists = Self.product.flatMap { source in
            source.openLists.map { (source, $0) }
        }
        let code = Self.product.flatMap(\.code)
        let silent = lists.filter { source, name in
            let declaration = "struct \(name.split(separator: ".").last ?? ""): "
            let places =
                source.code.filter { $0.contains(declaration) }
                + code.filter { $0.hasPrefix("extension \(name): ") }
            return !places.contains { $0.contains("CustomStringConvertible") }
        }
        #expect(silent.map { "\($0.path): \($1)" } == [])
        #expect(Set(lists.map(\.1)).isSuperset(of: ["DeviceError.Kind", "BlueZFinding.Subject"]))
    }

    /// DocC has no page for a public member that an internal protocol gives to a public type, such
    /// as the `disconnect()` of a ring.
    @Test func publicMembersAreNotOfInternalProtocols() {
        // No program calls the members of these: they are a transport's, or Foundation's.
        let allowed: Set<Substring> = ["ForwardingTransport", "DescribedError", "UnreadableBytes"]
        let lines = Self.product.flatMap(\.code)
        let hidden = Set(
            lines.filter { !$0.hasPrefix(" ") }.map(Self.words)
                .filter { $0.contains("protocol") && !$0.contains("public") }
                .compactMap { $0.drop { $0 != "protocol" }.dropFirst().first })
        var owner: Substring?
        var found: Set<Substring> = []
        for line in lines {
            if line.hasPrefix("extension ") { owner = Self.words(line).dropFirst().first }
            if line.hasPrefix("}") { owner = nil }
            if let owner, hidden.contains(owner), line.hasPrefix("    public ") {
                found.insert(owner)
            }
        }
        #expect(found == allowed)
    }

    private static func words(_ line: String) -> [Substring] {
        line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    }

    /// Returns `true` if an exclamation mark follows an expression that it could force.
    private static func isForced(_ line: String) -> Bool {
        var previous: Character = " "
        for (index, character) in zip(line.indices, line) {
            if character == "!" {
                let next = line[line.index(after: index)...].first ?? " "
                let follows = previous.isLetter || previous.isNumber || "_)]?\"".contains(previous)
                if follows && next != "=" { return true }
            }
            previous = character
        }
        return false
    }
}
