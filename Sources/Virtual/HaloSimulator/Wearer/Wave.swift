/// An approximate sine made of two parabolas.
enum Wave {
    /// The wave over a period, −1024 to 1024: 0 at the beginning, the maximum at a quarter.
    static func value(at part: Int, of period: Int) -> Int {
        let turn = part * 2048 / period % 2048
        let half = turn % 1024
        let bow = half * (1024 - half) / 256
        return turn < 1024 ? bow : -bow
    }

    /// A bump from 0 to 1024 and back over `length`; 0 outside.
    static func bump(at part: Int, of length: Int) -> Int {
        guard part > 0, part < length else { return 0 }
        let place = part * 1024 / length
        return place * (1024 - place) / 256
    }
}
