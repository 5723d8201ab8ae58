internal import HaloDevices
internal import HaloTransport

/// The rows of one table as bytes: a row begins with its time, has the values of the columns in
/// their order, and ends.
///
/// A million rows a second are wanted, so numbers and times are written digit by digit: no row
/// makes a `String` or an array.
struct RowWriter: Sendable {
    let table: HistoryTable
    /// The bytes of the caller, while it appends.
    var bytes: [UInt8] = []
    private(set) var rows = 0
    private(set) var rowsWithoutUTC = 0

    private let format: HistoryFormat
    private let assumedSecondsFromUTC: Int?
    private let rowStart: [UInt8]
    /// The bytes before the value of each column; `nil` for a column that the format leaves out.
    private let beginnings: [[UInt8]?]
    private var header: [UInt8]

    private var column = 0
    private var start = 0
    private var utc: CivilDateTime?
    private var hasField = false
    /// The date that was written last, which most rows share with the one before.
    private var lastDate: (date: CivilDate, text: [UInt8])?

    init(
        _ table: HistoryTable, _ format: HistoryFormat, ring: String?,
        assuming assumedSecondsFromUTC: Int?
    ) {
        self.table = table
        self.format = format
        self.assumedSecondsFromUTC = assumedSecondsFromUTC
        let columns = table.columns
        let name = ring.map { format.written($0) } ?? []
        header = []
        switch format {
        case .csv:
            rowStart = name
            beginnings = columns.indices.map { $0 == 0 && ring == nil ? [] : Array(",".utf8) }
            let names = (ring == nil ? [] : ["ring"]) + columns
            header = Array((names.joined(separator: ",") + "\r\n").utf8)
        case .jsonLines:
            let label = ring == nil ? [] : Array(",\"ring\":".utf8) + name
            let type = HistoryFormat.inCamelCase(table.rawValue)
            rowStart = Array("{\"type\":\"\(type)\"".utf8) + label
            beginnings = columns.map { Array(",\"\(HistoryFormat.inCamelCase($0))\":".utf8) }
        case .influx:
            // A tag without a value is an error.
            let label = name.isEmpty ? [] : Array(",ring=".utf8) + name
            rowStart = Array(table.rawValue.utf8) + label
            beginnings = columns.map {
                HistoryTable.timeColumns.contains($0) ? nil : Array("\($0)=".utf8)
            }
        }
    }

    /// `false` for a format whose rows need a moment.
    var hasRowsOfDays: Bool {
        if case .influx = format { false } else { true }
    }

    /// Writes the line of column names, the first time.
    mutating func appendHeader() {
        bytes += header
        header = []
    }

    // MARK: Rows

    /// Begins a row; returns `false` if it is left out, as the format needs UTC.
    mutating func begin(_ time: CivilDateTime?, secondsFromUTC: Int?) -> Bool {
        column = 0
        hasField = false
        start = bytes.count
        if case .influx = format {
            utc = time.flatMap { self.utc($0, secondsFromUTC) }
            guard utc != nil else {
                rowsWithoutUTC += 1
                return false
            }
            // The columns of time and UTC are not written, and UTC is known.
            bytes += rowStart
            column = 2
            return true
        }
        bytes += rowStart
        self.time(time)
        self.utc(time, secondsFromUTC: secondsFromUTC)
        return true
    }

    /// Begins a row that is of a day, and of no moment.
    mutating func begin(day: CivilDate) {
        column = 0
        hasField = false
        bytes += rowStart
        self.day(day)
    }

    mutating func end() {
        switch format {
        case .csv:
            byte("\r")
        case .jsonLines:
            byte("}")
        case .influx:
            guard hasField, let utc else {
                bytes.removeLast(bytes.count - start)
                return
            }
            byte(" ")
            digits(UInt64(utc.secondsSince1970))
            bytes += Self.nanoseconds
        }
        byte("\n")
        rows += 1
    }

    private static let nanoseconds = [UInt8](repeating: UInt8(ascii: "0"), count: 9)

    private func utc(_ time: CivilDateTime, _ secondsFromUTC: Int?) -> CivilDateTime? {
        let offset = secondsFromUTC ?? assumedSecondsFromUTC
        return offset.map { WallClock(local: time, secondsFromUTC: $0).utc }
    }

    // MARK: Values

    /// Writes what comes before the value of the next column; returns `false` if the format leaves
    /// the value out.
    private mutating func beginValue(isMissing: Bool, isField: Bool = false) -> Bool {
        defer { column += 1 }
        guard beginnings.indices.contains(column), let beginning = beginnings[column] else {
            return false
        }
        if case .influx = format {
            if isMissing { return false }
            byte(isField && !hasField ? " " : ",")
            hasField = hasField || isField
        }
        bytes += beginning
        guard isMissing else { return true }
        if case .jsonLines = format { bytes += Self.null }
        return false
    }

    private static let null = Array("null".utf8)

    mutating func whole(_ value: Int?) {
        guard beginValue(isMissing: value == nil, isField: true), let value else { return }
        if value < 0 { byte("-") }
        digits(UInt64(value.magnitude))
        if case .influx = format { byte("i") }
    }

    mutating func flag(_ value: Bool?) {
        guard beginValue(isMissing: value == nil, isField: true), let value else { return }
        bytes += (value ? "true" : "false").utf8
    }

    /// Writes a number with at most three decimals, or as many as it needs.
    mutating func decimal(_ value: Double?) {
        let value = value.flatMap { $0.isFinite ? $0 : nil }
        guard beginValue(isMissing: value == nil, isField: true), let value else { return }
        let thousandths = (value * 1000).rounded()
        guard abs(thousandths) < 1e15, thousandths / 1000 == value else {
            bytes += "\(value)".utf8
            return
        }
        if value < 0 { byte("-") }
        let magnitude = UInt64(abs(thousandths))
        digits(magnitude / 1000)
        var rest = magnitude % 1000
        guard rest > 0 else { return }
        byte(".")
        var place: UInt64 = 100
        while rest > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / place))
            rest %= place
            place /= 10
        }
    }

    mutating func word(_ text: String?) {
        guard beginValue(isMissing: text == nil), let text else { return }
        bytes += format.written(text)
    }

    mutating func time(_ time: CivilDateTime?) {
        guard beginValue(isMissing: time == nil), let time else { return }
        quote()
        dateAndTime(time)
        quote()
    }

    mutating func utc(_ time: CivilDateTime?, secondsFromUTC: Int?) {
        let utc = time.flatMap { self.utc($0, secondsFromUTC) }
        guard beginValue(isMissing: utc == nil), let utc else { return }
        quote()
        dateAndTime(utc)
        byte("Z")
        quote()
    }

    mutating func day(_ day: CivilDate) {
        guard beginValue(isMissing: false) else { return }
        quote()
        date(day)
        quote()
    }

    // MARK: Digits

    private mutating func byte(_ scalar: Unicode.Scalar) { bytes.append(UInt8(ascii: scalar)) }

    private mutating func quote() {
        if case .jsonLines = format { byte("\"") }
    }

    private mutating func digits(_ number: UInt64) {
        var place: UInt64 = 1
        while number / place >= 10 { place *= 10 }
        while place > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / place % 10))
            place /= 10
        }
    }

    private mutating func twoDigits(_ number: Int) {
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10 % 10))
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    private mutating func date(_ date: CivilDate) {
        if let lastDate, lastDate.date == date {
            bytes += lastDate.text
            return
        }
        let first = bytes.count
        defer { lastDate = (date, Array(bytes[first...])) }
        let year = date.year
        twoDigits(year / 100)
        twoDigits(year)
        byte("-")
        twoDigits(date.month)
        byte("-")
        twoDigits(date.day)
    }

    private mutating func dateAndTime(_ moment: CivilDateTime) {
        date(moment.date)
        byte("T")
        let time = moment.time
        twoDigits(time.hour)
        byte(":")
        twoDigits(time.minute)
        byte(":")
        twoDigits(time.second)
    }
}
