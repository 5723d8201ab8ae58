/// An output for figures.
protocol Report {
    mutating func add(_ row: Row, _ measurement: Measurement)
    func beginFigures()
    func add(_ figure: Figure)
    func end(missed: [String])
}

/// A table for people.
struct TableReport: Report {
    init(cores: Int) {
        print("\(cores) cores; nanoseconds of one operation, one call each, best of many passes")
        print("(an empty call is in all figures); C is the faster of -O2 and -O3")
        print("")
        print(line("", ["Swift", "C", "ratio", "limit", "allocations", "limit", "C's"]))
    }

    func add(_ figure: Figure) {
        let bound =
            switch figure.bound {
            case .atMost(let limit): decimal(limit)
            case .atLeast(let limit): ">= \(decimal(limit))"
            case nil: ""
            }
        let cells = [decimal(figure.value), figure.unit, bound]
        let padded = zip(cells, [12, 6, 10]).map { cell, width in
            String(repeating: " ", count: max(width - cell.count, 1)) + cell
        }
        let name = figure.name + String(repeating: " ", count: max(50 - figure.name.count, 1))
        print(name + padded.joined() + (figure.isMissed ? "  MISSED" : ""))
    }

    func beginFigures() {
        print("")
        print("Virtual devices and recordings; the last column is the limit")
        print("")
    }

    func add(_ row: Row, _ measurement: Measurement) {
        let cells = [
            decimal(measurement.subject), decimal(measurement.peer), decimal(measurement.ratio),
            row.limits.ratio.map { decimal($0) } ?? "",
            decimal(measurement.allocations, digits: 0),
            row.limits.allocations.map { decimal($0, digits: 0) } ?? "",
            decimal(measurement.peerAllocations, digits: 0),
        ]
        let verdict = row.limits.missed(by: measurement).isEmpty ? "" : "  MISSED"
        print(line(row.name, cells) + verdict)
    }

    func end(missed: [String]) {
        print("")
        print(missed.isEmpty ? "All limits are kept." : "Limits missed:")
        for miss in missed { print("  \(miss)") }
    }

    private func line(_ name: String, _ cells: [String]) -> String {
        let widths = [11, 11, 8, 7, 13, 7, 6]
        let padded = zip(cells, widths).map { cell, width in
            String(repeating: " ", count: max(width - cell.count, 1)) + cell
        }
        return name + String(repeating: " ", count: max(40 - name.count, 1)) + padded.joined()
    }
}

/// A line for each figure, for programs.
struct JSONReport: Report {
    init(cores: Int) {
        print(object("cores", Double(cores), "cores", nil))
    }

    func add(_ row: Row, _ measurement: Measurement) {
        print(object("\(row.name): time", measurement.subject, "ns", nil))
        print(object("\(row.name): time in C", measurement.peer, "ns", nil))
        print(
            object(
                "\(row.name): ratio", measurement.ratio, "times C",
                row.limits.ratio.map { .atMost($0) }))
        print(
            object(
                "\(row.name): allocations", measurement.allocations, "per operation",
                row.limits.allocations.map { .atMost($0) }))
    }

    func beginFigures() {}

    func add(_ figure: Figure) {
        print(object(figure.name, figure.value, figure.unit, figure.bound))
    }

    func end(missed: [String]) {}

    private func object(
        _ name: String, _ value: Double, _ unit: String, _ bound: Bound?
    ) -> String {
        let limit =
            switch bound {
            case .atMost(let limit): ", \"limit\": \(decimal(limit)), \"bound\": \"atMost\""
            case .atLeast(let limit): ", \"limit\": \(decimal(limit)), \"bound\": \"atLeast\""
            case nil: ""
            }
        return
            "{\"name\": \"\(name)\", \"value\": \(decimal(value)), \"unit\": \"\(unit)\"\(limit)}"
    }
}

/// A number with a few decimals; `null` for infinity, and for what is no number.
func decimal(_ number: Double, digits: Int = 2) -> String {
    let unit = digits == 0 ? 1 : 100
    guard let scaled = Int(exactly: (number * Double(unit)).rounded()) else { return "null" }
    if digits == 0 { return "\(scaled)" }
    let rest = scaled % unit
    return "\(scaled / unit).\(rest < 10 ? "0" : "")\(rest)"
}
