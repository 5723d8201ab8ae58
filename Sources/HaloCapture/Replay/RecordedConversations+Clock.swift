import HaloProtocol
package import HaloTransport

extension RecordedConversations {
    /// What the clock on the wall showed at the beginning: the tag `clock:`. Without an offset
    /// from UTC, that is taken for zero.
    package var clock: WallClock? { tags["clock"].flatMap(Self.clock) }

    /// `2025-12-11 22:54:15`, and perhaps ` +08:00`.
    private static func clock(_ text: String) -> WallClock? {
        let words = text.split(separator: " ")
        guard words.count >= 2 else { return nil }
        let day = words[0].split(separator: "-").map { Int($0) ?? -1 }
        let time = words[1].split { $0 == ":" || $0 == "." }.map { Int($0) ?? -1 }
        guard day.count == 3, time.count >= 3,
            let date = try? CivilDate(year: day[0], month: day[1], day: day[2]),
            let moment = try? CivilTime(hour: time[0], minute: time[1], second: time[2])
        else { return nil }
        let offset = words.count > 2 ? seconds(words[2]) : nil
        return WallClock(local: CivilDateTime(date, moment), secondsFromUTC: offset ?? 0)
    }

    /// How many seconds `+08:00` is.
    private static func seconds(_ text: Substring) -> Int? {
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let parts = text.dropFirst().split(separator: ":").map { Int($0) ?? -1 }
        guard parts.count == 2, 0...14 ~= parts[0], 0...59 ~= parts[1] else { return nil }
        return (parts[0] * 3_600 + parts[1] * 60) * (sign == "-" ? -1 : 1)
    }
}
