#if os(Linux)
/// The calls that wait for an answer, by serial number.
struct DBusPendingCalls: Sendable {
    /// For whom a call is made.
    enum Purpose: Hashable, Sendable {
        case user
        case hello
        case match(String)
        case owner(String)
    }

    struct Call: Sendable {
        let serial: UInt32
        let purpose: Purpose
        let deadline: Int64
    }

    private var calls: [UInt32: Call] = [:]
    /// Not later than the earliest deadline.
    private var earliest = Int64.max

    var count: Int { calls.count }
    var isEmpty: Bool { calls.isEmpty }

    var deadline: Int64? { calls.isEmpty ? nil : earliest }

    func contains(_ serial: UInt32) -> Bool { calls[serial] != nil }

    mutating func add(_ call: Call) {
        earliest = calls.isEmpty ? call.deadline : min(earliest, call.deadline)
        calls[call.serial] = call
    }

    mutating func take(_ serial: UInt32) -> Call? { calls.removeValue(forKey: serial) }

    /// Those whose deadline has come, the earliest first.
    mutating func takeDue(at now: Int64) -> [Call] {
        guard !calls.isEmpty, earliest <= now else { return [] }
        let due = calls.values.filter { $0.deadline <= now }
            .sorted { ($0.deadline, $0.serial) < ($1.deadline, $1.serial) }
        for call in due { calls[call.serial] = nil }
        earliest = calls.values.map(\.deadline).min() ?? .max
        return due
    }

    /// All of them, in the order in which they were made.
    mutating func takeAll() -> [Call] {
        defer { calls = [:] }
        return calls.values.sorted { $0.serial < $1.serial }
    }
}
#endif
