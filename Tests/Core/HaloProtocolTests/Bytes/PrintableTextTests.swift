import HaloProtocol
import TestSupport
import Testing

/// Text from outside, before it is shown.
@Suite(.computes) struct PrintableTextTests {
    /// A text, and what is shown of it: `·` stands for an unprintable scalar.
    @Test(arguments: [
        ("", ""), ("R02 ~é 指輪 ½", "R02 ~é 指輪 ½"), ("a\u{1F}\u{7F}\u{9B}b\n", "a···b·"),
        // Marks of direction and line ends.
        ("\u{200E}\u{200F}\u{61C}\u{202A}\u{202E}\u{2066}\u{2069}", "·······"),
        ("\u{2028}\u{2029}\u{85}", "···"),
        // Fillers, joiners, blanks, tags.
        ("\u{3164}\u{115F}\u{1160}\u{FFA0}\u{2800}", "·····"),
        ("\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}\u{AD}\u{34F}\u{17B4}\u{180E}", "·········"),
        ("\u{E0001}\u{E0041}\u{E0100}\u{FE00}\u{1D173}", "·····"),
        // The style of an emoji, and of nothing.
        ("❤\u{FE0F} a\u{FE0F}1\u{FE0F}❤\u{FE0F}\u{FE0F}", "❤\u{FE0F} a·1·❤\u{FE0F}·"),
        ("e\u{301} \u{A0} ⣿\u{2801}", "e\u{301} \u{A0} ⣿\u{2801}"),
    ])
    func hasNothingHidden(_ text: String, _ shown: String) {
        let printable = PrintableText.printable(text, substitute: "·")
        #expect(printable.unicodeScalars.elementsEqual(shown.unicodeScalars), "\(printable)")
        #expect(PrintableText.isPrintable(text) == !shown.contains("·"))
    }

    /// Unicode's whole class, in each plane.
    @Test func noDefaultIgnorableScalarIsPrintable() {
        let shown = (0x80...0xE_0FFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init)
            .filter { scalar in
                (scalar.properties.isDefaultIgnorableCodePoint
                    || scalar.properties.generalCategory == .format)
                    && PrintableText.isPrintable(String(scalar))
            }
        #expect(Array(shown) == [])
    }

    @Test(arguments: [
        ("\u{1B}", "\\u001b"), ("\u{3164}", "\\u3164"), ("\u{E0041}", "\\udb40\\udc41"),
    ])
    func isEscapedAsJSONDoes(_ text: String, _ escaped: String) {
        var json = ""
        for scalar in text.unicodeScalars { PrintableText.appendJSONEscape(scalar, to: &json) }
        #expect(json == escaped)
    }
}
