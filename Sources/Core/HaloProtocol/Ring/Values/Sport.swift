/// A kind of exercise of a workout.
///
/// The list is the vendor's. Captured were ``run`` live, ``run`` and ``type2`` in stored records.
public enum Sport: UInt8, FieldCode {
    /// An undescribed sport, seen only in stored records: perhaps a walk that the ring detected.
    case type2 = 2
    case walk = 4
    case ropeSkipping = 5
    case run = 7
    /// The first of three kinds of hiking in the vendor's list.
    case hike = 8
    case cycle = 9
    case other = 10
    /// The second of three kinds of hiking in the vendor's list.
    case hiking = 20
    case badminton = 21
    case yoga = 22
    case aerobics = 23
    /// Spinning: cycling on the spot.
    case spinning = 24
    case kayak = 25
    case elliptical = 26
    case rowing = 27
    case tableTennis = 28
    case tennis = 29
    case golf = 30
    case basketball = 31
    case football = 32
    case volleyball = 33
    case climbing = 34
    case dance = 35
    case skating = 36
    /// The third of three kinds of hiking in the vendor's list.
    case outdoorHiking = 60

    public static let labels = FieldLabels<Sport>([
        .type2: "type 2, perhaps a walk", .elliptical: "elliptical trainer",
    ])
}
