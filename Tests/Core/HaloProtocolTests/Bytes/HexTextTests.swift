import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct HexTextTests {
    @Test(arguments: [
        "03 A1 0f", "03a10F", "03:A1:0F", "03-a1-0f", "03, A1,\t0F", "\r\n03A1\n0F\n",
        "0x03 0XA1 0x0f", "0x030xA10x0F", "\\x03\\xa1\\x0f", "03 0xA1 \\x0F",
    ])
    func readsBytesAsPeopleWriteThem(text: String) throws {
        #expect(try HexText.parse(text) == [0x03, 0xA1, 0x0F])
    }

    @Test func anEmptyTextHasNoBytes() throws {
        for text in ["", " ", "\r\n", ":"] { #expect(try HexText.parse(text) == []) }
    }

    @Test(
        arguments: [
            ("0", .halfAByte, 2), ("03 4", .halfAByte, 5), ("0 3", .halfAByte, 2),
            ("0x", .halfAByte, 3), ("0x0", .halfAByte, 4), ("\\x", .halfAByte, 3),
            ("\\", .halfAByte, 2), ("0x 03", .notADigit, 3), ("0x0x03", .halfAByte, 4),
            ("\\x0x03", .halfAByte, 4), ("\\03", .notADigit, 2), ("\\\\x03", .notADigit, 2),
            ("\\ 03", .notADigit, 2), ("x03", .notADigit, 1), ("1x03", .halfAByte, 2),
            ("03G", .notADigit, 3), ("03+04", .notADigit, 3), ("０３", .notADigit, 1),
        ] as [(String, HexTextError.Kind, Int)])
    func refusesOtherText(text: String, kind: HexTextError.Kind, column: Int) {
        let error = #expect(throws: HexTextError.self) { try HexText.parse(text) }
        #expect(error?.kind == kind)
        #expect(error?.column == column)
    }
}
