import HaloProtocol
import TestSupport
import Testing

@testable import halo

/// The bar that shows the light of a simulated device.
@Suite(.computes) struct DeviceLightTests {
    /// Without colours the length is the brightness of the brightest lamp, rounded; with them the
    /// bar is whole.
    @Test(arguments: [
        (LEDColour.black, 0), (LEDColour(red: 5), 0), (LEDColour(green: 6), 1),
        (LEDColour(blue: 128), 12), (LEDColour(red: 1, green: 244, blue: 3), 23),
        (LEDColour(red: 245), 23), (LEDColour(red: 250), 24), (LEDColour.white, 24),
    ])
    func theBarIsAsLongAsTheLightIsBright(colour: LEDColour, length: Int) {
        let bar = colour.bar(columns: 24, colours: false)
        #expect(bar.columnCount == 24)
        #expect(bar.text.prefix { $0 == "█" }.count == length)
        #expect(colour.bar(columns: 24, colours: true).text == String(repeating: "█", count: 24))
    }
}
