internal import HaloTransport

/// How strong a signal arrives over a distance, in whole numbers.
///
/// One metre costs the strength down to −55 dBm, and each doubling of the distance 7.5 dB more, as
/// indoors; each packet fades by up to 6 dB more or less. Nothing is heard below −96 dBm, so that
/// a room is well covered and some forty metres are the end.
enum AirPath {
    /// The strength at one metre.
    static let atOneMetre = -55
    /// What a receiver hears just so.
    static let sensitivity = -96

    /// The mean strength in dBm.
    static func rssi(atCentimetres distance: Int) -> Int {
        let distance = max(distance, 1)
        // In sixteenths of a doubling: whole ones by the highest bit, the rest in proportion.
        let bit = Int.bitWidth - 1 - distance.leadingZeroBitCount
        let fraction = bit >= 4 ? distance >> (bit - 4) & 15 : distance << (4 - bit) & 15
        let sixteenths = bit * 16 + fraction - metre
        return atOneMetre - sixteenths * 15 / 32
    }

    /// A hundred centimetres in sixteenths of a doubling.
    private static let metre = 6 * 16 + 9

    /// How much stronger or weaker one packet arrives: mostly little.
    static func fading(_ random: inout SplitMix) -> Int {
        let bits = random.next()
        return (bits & 0xFFF).nonzeroBitCount - 6
    }
}
