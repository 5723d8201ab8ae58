internal import HaloTransport

/// The signal strength over a distance, in whole numbers.
///
/// It is −55 dBm at one metre, and each doubling of the distance costs 7.5 dB, as indoors. Each
/// packet fades by up to 6 dB either way. Below −96 dBm nothing is received: a room is covered
/// well, and the range ends at about forty metres.
enum AirPath {
    /// The strength at one metre in dBm.
    static let atOneMetre = -55
    /// The weakest received signal in dBm.
    static let sensitivity = -96

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

    /// The random deviation of one packet's strength, mostly small.
    static func fading(_ random: inout SplitMix) -> Int {
        let bits = random.next()
        return (bits & 0xFFF).nonzeroBitCount - 6
    }
}
