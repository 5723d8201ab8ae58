/// The name of a ring's circuit board, the prefix of its versions: `R02`, `RT03CR`, `H59`.
///
/// Rings are sold under other names: RT03CR as R10, RT11CR as R12.
public struct BoardCode: Hashable, Sendable, CustomStringConvertible {
    /// One to sixteen letters and digits.
    let characters: InlineBytes

    func hasPrefix(_ prefix: StaticString) -> Bool {
        characters.hasPrefix(prefix)
    }

    /// The maker of the chip on the board.
    ///
    /// RT is Realtek; RY, and R with a digit, is BlueX. H59 is unknown. The flag "Realtek chip" in
    /// a ring's capabilities is unreliable: it is clear on an RT03CR and an RT11CR.
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

    /// The code as text.
    public var description: String { PrintableText.escaped(characters) }
}
