import TestSupport
import Testing

@testable import halo

/// Values as JSON on a line.
@Suite(.computes) struct JSONValueTests {
    @Test(
        arguments: [
            ("", "\"\""), ("a b", #""a b""#), ("\"\\", #""\"\\""#), ("a\nb\tc", #""a\nb\tc""#),
            ("\u{1F}\u{7F}~", #""\u001f\u007f~""#),
            ("é\u{202E}\u{E0041}", #""é\u202e\udb40\udc41""#), (-5, "0"),
            ("\u{3164}\u{2800}❤\u{FE0F}", "\"\\u3164\\u2800❤\u{FE0F}\""),
            (UInt64.max, "18446744073709551615"), (String?.none, "null"), (true, "true"),
            (false, "false"), (72.0, "72"), (-0.5, "-0.5"), (1e15, "1000000000000000.0"),
            (1e300, "1e+300"), (Double.nan, "null"), (Double.infinity, "null"),
            ([String](), "[]"), (["a", "b", "c"], #"["a","b","c"]"#),
            (
                ["a": Bool?.none, "\"": [[:] as JSONObject], "a": 1] as JSONObject,
                #"{"a":null,"\"":[{}],"a":1}"#
            ),
        ] as [(any JSONValue, String)])
    func isOneLine(_ value: any JSONValue, _ line: String) {
        var text = ""
        value.appendJSON(to: &text)
        #expect(text == line)
    }

    @Test func aRowBeginsWithItsType() {
        #expect((["a": 1] as JSONObject).row("x") == #"{"type":"x","a":1}"# + "\n")
    }
}
