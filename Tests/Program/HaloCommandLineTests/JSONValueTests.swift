import Testing

@testable import halo

/// Values as JSON on a line.
struct JSONValueTests {
    @Test(
        arguments: [
            (.string(""), "\"\""), (.string("a b"), #""a b""#), (.string("\"\\"), #""\"\\""#),
            (.string("a\nb\tc"), #""a\nb\tc""#), (.string("\u{1F}\u{7F}~"), #""\u001f\u007f~""#),
            (.string("é\u{202E}\u{E0041}"), #""é\u202e\udb40\udc41""#), (.number(-5), "0"),
            (.number(UInt64.max), "18446744073709551615"), (.string(nil), "null"),
            (.boolean(true), "true"), (.boolean(false), "false"),
            (.decimal(72), "72"), (.decimal(-0.5), "-0.5"), (.decimal(1e15), "1000000000000000.0"),
            (.decimal(1e300), "1e+300"), (.decimal(.nan), "null"), (.decimal(.infinity), "null"),
            (.strings([]), "[]"), (.strings(["a", "b", "c"]), #"["a","b","c"]"#),
            (
                .object([("a", .boolean(nil)), ("\"", .array([.object([])])), ("a", .integer(1))]),
                #"{"a":null,"\"":[{}],"a":1}"#
            ),
        ] as [(JSONValue, String)])
    func isOneLine(_ value: JSONValue, _ line: String) {
        #expect(value.line == line)
    }

    @Test func aRowBeginsWithItsType() {
        #expect(
            JSONValue.row("x", [("a", .integer(1))]) == #"{"type":"x","a":1}"# + "\n")
    }
}
