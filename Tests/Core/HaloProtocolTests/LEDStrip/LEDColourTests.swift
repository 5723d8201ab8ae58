import HaloProtocol
import TestSupport
import Testing

/// Colours, and their texts.
@Suite(.computes) struct LEDColourTests {
    @Test(arguments: [
        ("#FF8000", "#FF8000"), ("ff8000", "#FF8000"), ("#0a0B0c", "#0A0B0C"),
        ("000000", "#000000"), ("#f80", "#FF8800"), ("1aB", "#11AABB"),
    ])
    func isReadFromItsText(text: String, colour: String) throws {
        #expect(try LEDColour(parsing: text).description == colour)
    }

    @Test(arguments: [
        ("", 0), ("#", 1), ("#12345", 6), ("12345", 5), ("1234567", 6), ("#1234567", 7),
        ("##123456", 1), ("12345g", 5), ("#-12345", 1), ("１23456", 0), ("12 3456", 2),
    ])
    func aWrongTextIsRefusedWithThePlace(text: String, offset: Int) {
        let error = #expect(throws: TextError.self) { try LEDColour(parsing: text) }
        #expect(error?.offset == offset)
    }

    @Test(arguments: [
        (0, "#FF0000"), (60, "#FFFF00"), (120, "#00FF00"), (180, "#00FFFF"), (240, "#0000FF"),
        (300, "#FF00FF"), (359, "#FF0005"), (360, "#FF0000"), (-120, "#0000FF"), (30, "#FF7F00"),
        (Int.max, "#FF1D00"), (Int.min, "#FF0022"),
    ])
    func huesGoRound(hue: Int, colour: String) {
        let found = LEDColour(hueDegrees: hue)
        #expect(found.description == colour)
        // At full brightness one lamp is full and one is dark.
        #expect(max(found.red, found.green, found.blue) == 255)
        #expect(min(found.red, found.green, found.blue) == 0)
    }

    @Test func everyHueIsNextToTheOneBefore() {
        for hue in 0..<360 {
            let one = LEDColour(hueDegrees: hue)
            let next = LEDColour(hueDegrees: hue + 1)
            let steps = [(one.red, next.red), (one.green, next.green), (one.blue, next.blue)].map {
                abs(Int($0) - Int($1))
            }
            #expect(steps.max() ?? 0 <= 5, "\(hue)")
            #expect(steps.reduce(0, +) > 0, "\(hue)")
        }
    }

    @Test(arguments: [
        (0, "#000000"), (-5, "#000000"), (500, "#804001"), (1000, "#FF8001"), (9000, "#FF8001"),
    ])
    func isDimmed(thousandths: Int, colour: String) {
        let orange = LEDColour(red: 255, green: 128, blue: 1)
        #expect(orange.dimmed(toThousandths: thousandths).description == colour)
    }

    @Test(arguments: [(-1, "#FF0010"), (0, "#FF0010"), (250, "#BF4010"), (1000, "#00FF10")])
    func isMixed(thousandths: Int, colour: String) {
        let mixed = LEDColour(red: 255, blue: 16)
            .mixed(with: LEDColour(green: 255, blue: 16), thousandths: thousandths)
        #expect(mixed.description == colour)
    }
}
