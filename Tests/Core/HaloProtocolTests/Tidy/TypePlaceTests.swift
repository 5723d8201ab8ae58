import Foundation
import TestSupport
import Testing

/// A type stands where its name says: in a file of its name, or nested in a type that does.
@Suite(.computes) struct TypePlaceTests {
    /// A type that is declared outside of others.
    private struct Place: Hashable {
        let name: String
        let path: String
        let line: Int

        /// `true` if the file is named after the type.
        var isNamedAfterIt: Bool {
            let file = path.split(separator: "/").last?.prefix { $0 != "." && $0 != "+" }
            return file == name[...]
        }
    }

    /// The compiler of the toolchain, whose parser reads the sources.
    private static let compiler = OutsideProgram.path("swiftc")

    /// The types that are not private, as the compiler has parsed them.
    ///
    /// The parser leaves out what is conditional, so it gets copies without conditions.
    private static func places(_ compiler: String) throws -> [Place] {
        let sources = TidySource.all.filter { $0.target != nil }
        let folder = TestFolder()
        defer { withExtendedLifetime(folder) {} }
        for source in sources {
            let url = URL(filePath: folder.path(source.path))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            let lines = source.lines.map { $0.hasPrefix("#") ? "" : $0 }
            try folder.write(lines.joined(separator: "\n"), to: source.path)
        }
        let output = try dump(compiler, sources.map(\.path), in: URL(filePath: folder.path))
        let lines = Dictionary(uniqueKeysWithValues: sources.map { ($0.path, $0.lines) })
        let declaration =
            /^  \((?:struct|enum|class|protocol)\w* .*range=\[([^:]+):(\d+):\d+ - .*\] "(\w+)"/
            .anchorsMatchLineEndings()
        return output.matches(of: declaration).compactMap { match in
            let (path, name) = (String(match.1), String(match.3))
            guard let line = Int(match.2), let text = lines[path]?[line - 1] else { return nil }
            return text.contains("private ") ? nil : Place(name: name, path: path, line: line)
        }
    }

    private static func dump(
        _ compiler: String, _ paths: [String], in folder: URL
    ) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: compiler)
        process.arguments =
            ["-frontend", "-dump-parse"] + paths.flatMap { ["-primary-file", $0] }
        process.currentDirectoryURL = folder
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    private static let found = Result { try compiler.map(places) ?? [] }

    @Test(.enabled("swiftc is not in PATH") { compiler != nil })
    func mostTypesStandInAFileOfTheirName() throws {
        let places = try Self.found.get()
        #expect(places.count > 1000)
        let elsewhere = places.filter { !$0.isNamedAfterIt }
        #expect(
            elsewhere.count * 10 <= places.count,
            "\(elsewhere.map { "\($0.path):\($0.line): \($0.name)" }.joined(separator: "\n"))")
    }

    @Test(.enabled("swiftc is not in PATH") { compiler != nil })
    func noNameStandsForTwoTypes() throws {
        let places = try Self.found.get()
        // One file may have a type for each system.
        let twice = Dictionary(grouping: places, by: \.name).filter {
            Set($1.map(\.path)).count > 1
        }
        #expect(twice.values.flatMap { $0.map { "\($0.path):\($0.line): \($0.name)" } } == [])
    }
}
