/// The name of a ring's circuit board, with which its versions begin: `R02`, `RT03CR`, `H59`.
///
/// It is not the name that the ring is sold under: RT03CR is sold as R10, RT11CR as R12.
public struct BoardCode: Hashable, Sendable {
    /// Letters and digits, at most sixteen.
    let characters: InlineBytes

    /// Whether the code begins with these letters.
    func hasPrefix(_ prefix: StaticString) -> Bool {
        characters.hasPrefix(prefix)
    }

    /// Who made the chip on the board.
    ///
    /// RT is Realtek; RY, and R with a number, is BlueX. Nothing is known of H59. The switch
    /// "Realtek chip" in a ring's capabilities does not help: an RT03CR and an RT11CR had it clear.
    public var chip: RingFact<ChipFamily> {
        if hasPrefix("RT") {
            return RingFact(.realtek, "from the board code, which begins with RT")
        }
        if hasPrefix("RY") { return RingFact(.blueX, "from the board code, which begins with RY") }
        let second = characters.dropFirst().first
        if hasPrefix("R"), let second, VersionScanner.isDigit(second) {
            return RingFact(.blueX, "from the board code, which is R and a number")
        }
        return .unknown("the board code is none whose chip is known")
    }
}

extension BoardCode: CustomStringConvertible {
    /// The code as text.
    public var description: String { PrintableText.escaped(characters) }
}
