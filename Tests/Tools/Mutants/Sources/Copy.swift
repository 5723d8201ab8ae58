import Foundation

/// The copy of the repository in which faults are planted.
///
/// Its `Sources` are unchanged, for tests that read them. A target with faults is compiled from
/// `Planted`, and a switch in C selects the active fault.
struct Copy {
    let root: String
    private let folder: URL
    private var files = FileManager.default

    /// Updates the copy from the repository; only changed files are written.
    init(of root: String, in scratch: String) throws {
        self.root = scratch + "/copy"
        folder = URL(filePath: self.root)
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let listed = try Program.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], in: root)
        var paths = Set(listed.output.split(separator: "\0").map(String.init))
        paths.remove("Package.swift")
        for path in paths { try copy(URL(filePath: root), path) }
        try removeStrangers(paths)
    }

    private func copy(_ source: URL, _ path: String) throws {
        let from = source.appending(path: path)
        let to = folder.appending(path: path)
        if let link = try? files.destinationOfSymbolicLink(atPath: from.path) {
            if (try? files.destinationOfSymbolicLink(atPath: to.path)) == link { return }
            try makeRoom(to)
            try files.createSymbolicLink(atPath: to.path, withDestinationPath: link)
            return
        }
        guard files.fileExists(atPath: from.path) else { return }
        if files.contentsEqual(atPath: from.path, andPath: to.path) { return }
        try makeRoom(to)
        try files.copyItem(at: from, to: to)
    }

    private func makeRoom(_ place: URL) throws {
        try files.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? files.removeItem(at: place)
    }

    /// Removes files that the repository no longer has.
    private func removeStrangers(_ paths: Set<String>) throws {
        for top in ["Sources", "Tests", "Fixtures", "Documentation"] {
            let names = files.enumerator(atPath: folder.appending(path: top).path)
            while let name = names?.nextObject() as? String {
                let path = "\(top)/\(name)"
                let type = names?.fileAttributes?[.type] as? FileAttributeType
                guard type != .typeDirectory, !path.contains("/.build"), !paths.contains(path)
                else {
                    continue
                }
                try files.removeItem(at: folder.appending(path: path))
            }
        }
    }

    /// Writes a file, unless it has that text already.
    func write(_ text: String, to path: String) throws {
        let place = folder.appending(path: path)
        if (try? String(contentsOf: place, encoding: .utf8)) == text { return }
        try makeRoom(place)
        try text.write(to: place, atomically: true, encoding: .utf8)
    }

    /// The folder of a module's sources, below that of its group.
    func path(of module: String) throws -> String {
        let groups = try files.contentsOfDirectory(atPath: folder.appending(path: "Sources").path)
        let paths = groups.map { "Sources/\($0)/\(module)" }
        guard
            let path = paths.first(where: {
                files.fileExists(atPath: folder.appending(path: $0).path)
            })
        else { throw Refusal("There are no sources of \(module).") }
        return path
    }

    /// Writes the sources of a module with the mutants in them, and its switch.
    func plant(_ mutants: [(number: Int, mutant: Mutant)], module: String) throws {
        let path = try path(of: module)
        let sources = folder.appending(path: path)
        let byPath = Dictionary(grouping: mutants, by: \.mutant.path)
        var written: Set<String> = ["Mutants.swift"]
        let names = files.enumerator(atPath: sources.path)
        while let name = names?.nextObject() as? String {
            guard name.hasSuffix(".swift") else { continue }
            let source = Array(try Data(contentsOf: sources.appending(path: name)))
            let planted = Planter(source, byPath["\(path)/\(name)"] ?? []).planted()
            try write(planted, to: "Planted/\(module)/\(name)")
            written.insert(name)
        }
        try write(Self.switchInSwift, to: "Planted/\(module)/Mutants.swift")
        let old = files.enumerator(atPath: folder.appending(path: "Planted/\(module)").path)
        while let name = old?.nextObject() as? String {
            guard name.hasSuffix(".swift"), !written.contains(name) else { continue }
            try files.removeItem(at: folder.appending(path: "Planted/\(module)/\(name)"))
        }
    }

    /// Writes the manifest: the original, with the planted modules and the switch added.
    func writeManifest(from root: String, planted modules: [String]) throws {
        let manifest = try String(contentsOfFile: root + "/Package.swift", encoding: .utf8)
        let names = modules.map { "\"\($0)\"" }.joined(separator: ", ")
        try write(
            manifest + """

                package.targets.append(.target(name: "MutantSwitch", path: "Planted/MutantSwitch"))
                package.products.append(.library(name: "MutantSwitch", targets: ["MutantSwitch"]))
                for target in package.targets where [\(names)].contains(target.name) {
                    target.path = "Planted/\\(target.name)"
                    target.dependencies.append("MutantSwitch")
                }

                """, to: "Package.swift")
        try write(Self.switchInC, to: "Planted/MutantSwitch/switch.c")
        try write("", to: "Planted/MutantSwitch/include/MutantSwitch.h")
    }

    /// Lets a package inside of the copy compile its module with the mutants, and use the switch of
    /// the copy.
    func plantInside(_ package: TestPackage) throws {
        guard let inner = package.inner else { return }
        let above = String(repeating: "../", count: package.folder.split(separator: "/").count)
        let sources = folder.appending(path: "\(package.folder)/Sources/\(inner.module)")
        try makeRoom(sources)
        try files.createSymbolicLink(
            atPath: sources.path, withDestinationPath: "\(above)../Planted/\(inner.module)")
        let manifest = "\(package.folder)/Package.swift"
        let text = try String(contentsOf: folder.appending(path: manifest), encoding: .utf8)
        try write(
            text + """

                for target in package.targets where target.name == "\(inner.target)" {
                    target.dependencies.append(
                        .product(name: "MutantSwitch", package: "\(folder.lastPathComponent)"))
                }

                """, to: manifest)
    }

    /// The declaration of the switch, repeated in each module, so that none has to import anything.
    private static let switchInSwift = """
        @usableFromInline @_silgen_name("halo_mutant")
        func \(Planter.name)(_ number: Int32) -> Bool

        """

    /// The switch in C. `HALO_MUTANT` is the number of the active fault. `HALO_MUTANTS_REACHED` is
    /// a file with a byte for each fault, which becomes 1 when its place is reached.
    private static let switchInC = """
        #include <fcntl.h>
        #include <stdbool.h>
        #include <stdint.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/stat.h>
        #include <unistd.h>

        static int32_t active = -1;
        static unsigned char *reached;
        static int32_t count;

        __attribute__((constructor)) static void halo_mutants_begin(void) {
            const char *number = getenv("HALO_MUTANT");
            if (number) active = atoi(number);
            const char *path = getenv("HALO_MUTANTS_REACHED");
            if (!path) return;
            int file = open(path, O_RDWR);
            struct stat facts;
            if (file < 0 || fstat(file, &facts) != 0) return;
            void *map = mmap(0, facts.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            close(file);
            if (map == MAP_FAILED) return;
            count = facts.st_size;
            reached = map;
        }

        bool halo_mutant(int32_t number) {
            if (reached && number < count) reached[number] = 1;
            return number == active;
        }

        """
}
