import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import halo

/// Output on lines of 50 characters: no word is broken by the terminal, and no column is lost that
/// tells what a device is.
@Suite(.waitsForPrograms) struct NarrowTerminalTests {
    private static let width = 50

    private static func lines(_ arguments: [String]) throws -> [String] {
        try CommandLineProgram.run(arguments, environment: ["COLUMNS": "\(width)"]).lines
    }

    /// Examples, the forms of a command line and long words are not wrapped.
    @Test(
        arguments: [["help"], ["help", "options"], ["packets"]]
            + VerbList.all.map {
                ["help", $0.syntax.name]
            })
    func fits(_ arguments: [String]) throws {
        let lines = try Self.lines(arguments)
        #expect(lines.count > 8)
        let code = ["halo ", "source <"].map { "  " + $0 }
        for line in lines where line.count > Self.width {
            let isCode =
                code.contains { line.hasPrefix($0) } || line.hasPrefix("usage: ")
                || line.hasPrefix("       halo")
            let hasRoom = line.drop { $0 == " " }.contains(" ")
            #expect(isCode || !hasRoom, "\(line)")
        }
    }

    @Test(arguments: ["r02", "r10", "strap", "strip"]) func infoFits(_ model: String) throws {
        for line in try Self.lines(["info", "--virtual=\(model)"]) {
            #expect(line.count <= Self.width, "\(line)")
        }
    }

    @Test(arguments: ["r02", "r10"]) func settingsFit(_ model: String) throws {
        for line in try Self.lines(["settings", "--virtual=\(model)"]) {
            #expect(line.count <= Self.width, "\(line)")
        }
    }

    /// The lines that go to another program, too.
    @Test func aScanFits() throws {
        let lines = try Self.lines(["scan", "--virtual", "--for", "5s"])
        #expect(lines.count == DeviceKind.all.count)
        for line in lines {
            #expect(line.count <= Self.width && !line.contains(" dBm "), "\(line)")
        }
    }

    /// The same words stand on more lines.
    @Test(arguments: [["help", "simulate"], ["packets"], ["info", "--virtual=r10"]])
    func losesNothing(_ arguments: [String]) throws {
        let wide = try CommandLineProgram.run(arguments, environment: ["COLUMNS": "200"]).output
        let words = { (text: String) in text.split { " \n".contains($0) } }
        #expect(words(try Self.lines(arguments).joined(separator: "\n")) == words(wide))
    }

    @Test(arguments: [
        (100, true, true), (80, true, true), (79, false, true), (61, false, true),
        (60, false, false), (1, false, false),
    ])
    func aScanKeepsTheKind(_ columns: Int, hasAddress: Bool, hasSignal: Bool) {
        var list = DeviceList(showsAll: true) { _ in true }
        let size = TerminalSize(columns: columns, rows: 24)
        let ring = Discovery(PeripheralIdentity("30:34:35:36:2F:CA"), name: "R02_2FCA", rssi: -60)
        let other = Discovery(PeripheralIdentity("30:34:35:36:2F:CB"), name: nil, rssi: -70)
        for device in [ring, other] { _ = list.receive(device, at: .origin) }
        let lines = list.lines(at: .origin, size, .braille).map(\.text)
        let table = list.table(columns)
        #expect(table == Array(lines[1...2]))
        #expect(lines[0].contains("KIND") && lines[0].contains("ADDRESS") == hasAddress)
        #expect(table[0].contains("  ring  ") && table[1].contains("  unknown"))
        #expect(table[0].contains("-60 dBm") == hasSignal)
        #expect(table[0].contains("36:2F:CA") == hasAddress)
        // A device without a name is known by its address in any case.
        #expect(table[1].contains("30:34:35:36:2F:CB"))
        #expect(table[1].contains("(no name)") == hasAddress)
    }

    @Test func wrapsTheLastCellBelowItself() {
        let rows = [["a", "b b b b b b b b b b b b"], ["long", "c"]]
        #expect(
            TextLayout.lines(of: rows, width: 26) == [
                "a     b b b b b b b b b b", "      b b", "long  c",
            ])
        #expect(TextLayout.lines(of: [["a", "b c"]], width: 1) == ["a", "      b c"])
        #expect(
            TextLayout.lines(of: [["a long cell", "b c d e f g h i j k"]], width: 30) == [
                "a long cell", "      b c d e f g h i j k",
            ])
        // Beside other cells there is room for 20 columns, or the cell stands below them.
        let long = [["a long cell", "b c d e f g h i j k l m n o p"]]
        #expect(
            TextLayout.lines(of: long, width: 33) == [
                "a long cell  b c d e f g h i j k", "             l m n o p",
            ])
        #expect(
            TextLayout.lines(of: long, width: 32) == [
                "a long cell", "      b c d e f g h i j k l m n", "      o p",
            ])
        #expect(TextLayout.lines(of: rows)[0] == "a     b b b b b b b b b b b b")
        #expect(TextLayout.wrapped(["x y z", "w"], separator: " ", width: 3) == ["x y", "z w"])
        #expect(TextLayout.wrapped(["long-word"], separator: " ", width: 3) == ["long-word"])
        #expect(TextLayout.wrapped("two  spaces", width: 11) == ["two  spaces"])
        #expect(TextLayout.wrapped("two  spaces", width: 10) == ["two spaces"])
    }
}
