@testable import halo

/// A terminal as far as ``Screen`` uses one: what it shows after bytes.
///
/// It is strict: a line that wraps and a sequence that it does not know are faults.
struct TerminalEmulator {
    private(set) var columns: Int
    private(set) var rows: Int
    /// What went wrong, in words.
    private(set) var faults: [String] = []
    private(set) var isCursorVisible = true
    private(set) var wraps = true
    private(set) var isAlternate = false
    /// `true` between the marks of a synchronized update.
    private(set) var isUpdating = false

    /// The cells; the second cell of a wide character is empty text.
    private var cells: [[String]]
    private var main: [[String]] = []
    private var cursor = (row: 0, column: 0)

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// Changes the size, and leaves rubbish on the screen.
    mutating func resize(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Array(repeating: Array(repeating: "x", count: columns), count: rows)
        cursor = (0, 0)
    }

    /// The text of each row without spaces at its end.
    var lines: [String] {
        cells.map { row in
            var text = row.joined()[...]
            while text.last == " " { text.removeLast() }
            return String(text)
        }
    }

    mutating func receive(_ bytes: [UInt8]) {
        let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        var text = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            guard scalars[index] == "\u{1B}" else {
                text.append(scalars[index])
                index += 1
                continue
            }
            write(String(text))
            text.removeAll()
            var sequence = ""
            repeat {
                index += 1
                guard index < scalars.count else { return faults.append("cut sequence") }
                sequence.unicodeScalars.append(scalars[index])
            } while !("@"..."Z" ~= scalars[index] || "a"..."z" ~= scalars[index])
            index += 1
            obey(sequence)
        }
        write(String(text))
    }

    private mutating func write(_ text: String) {
        for character in text {
            let width = character.columnCount
            if character.unicodeScalars.contains(where: { $0.value < 0x20 }) {
                faults.append("control character")
            } else if width == 0 {
                guard cursor.column > 0 else { continue }
                cells[cursor.row][cursor.column - 1] += String(character)
            } else if cursor.column + width > columns {
                faults.append("wraps in row \(cursor.row)")
            } else {
                for offset in 0..<width { clearCell(cursor.column + offset) }
                cells[cursor.row][cursor.column] = String(character)
                if width == 2 { cells[cursor.row][cursor.column + 1] = "" }
                cursor.column += width
            }
        }
    }

    /// Clears a cell, and the other half of a wide character.
    private mutating func clearCell(_ column: Int) {
        let row = cursor.row
        if cells[row][column] == "", column > 0 { cells[row][column - 1] = " " }
        if column + 1 < columns, cells[row][column + 1] == "" { cells[row][column + 1] = " " }
        cells[row][column] = " "
    }

    private mutating func obey(_ sequence: String) {
        switch sequence {
        case "[?1049h":
            (main, isAlternate) = (cells, true)
            clear()
        case "[?1049l": (cells, isAlternate) = (main, false)
        case "[?25h": isCursorVisible = true
        case "[?25l": isCursorVisible = false
        case "[?7h": wraps = true
        case "[?7l": wraps = false
        case "[?2026h": isUpdating = true
        case "[?2026l": isUpdating = false
        case "[2J": clear()
        case "[H": cursor = (0, 0)
        case "[K":
            // After the last column the cursor stands on it.
            for column in min(cursor.column, columns - 1)..<columns { clearCell(column) }
        case _ where sequence.hasSuffix("m"): break
        case _ where sequence.hasSuffix("H"): move(sequence)
        default: faults.append("unknown sequence \(sequence)")
        }
    }

    private mutating func move(_ sequence: String) {
        let numbers = sequence.dropFirst().dropLast().split(separator: ";").compactMap { Int($0) }
        guard numbers.count == 2, 1...rows ~= numbers[0], 1...columns ~= numbers[1] else {
            return faults.append("moves to \(sequence)")
        }
        cursor = (numbers[0] - 1, numbers[1] - 1)
    }

    private mutating func clear() {
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }
}
