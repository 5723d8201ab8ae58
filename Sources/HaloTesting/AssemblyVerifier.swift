public import HaloProtocol

/// Checks what joins the frames of a long answer.
///
/// What must hold, whatever the frames are and however they come:
/// - The assembly takes them or throws, and never says more than one thing.
/// - An answer, cut into frames and joined again, is the same answer, and not one frame too early.
/// - Where a frame is lost there is no answer; where frames come twice or in another order there
///   is none, or the same one. An answer is the truth or it is not given.
public enum AssemblyVerifier {
    /// Checks an assembly with frames; the bytes decide what is lost, doubled and misplaced.
    public static func verify(
        _ entry: CommandCatalog.Entry, _ frames: [Frame], chance: inout FuzzBytes
    ) throws(ContractViolation) {
        guard let joiner = entry.joiner else { return }
        let (answer, used, faults) = joiner.join(frames[...])
        guard used <= frames.count, used > 0 || frames.isEmpty, faults.count <= used,
            answer != nil || used == frames.count
        else {
            throw violation(entry, "used \(used) frames, with \(faults.count) faults", frames)
        }
        for fault in faults where fault.description == "" {
            throw violation(entry, "a fault says nothing", frames)
        }
        if case .value(let joined) = answer {
            try verify(entry, joiner, joined, chance: &chance)
        }
    }

    static func verify(
        _ entry: CommandCatalog.Entry, _ joiner: FrameJoiner, _ joined: FrameJoiner.Joined,
        chance: inout FuzzBytes
    ) throws(ContractViolation) {
        let frames = joined.frames
        guard case (.value(joined)?, frames.count, []) = joiner.join(frames[...]) else {
            throw violation(entry, "cut into frames and joined again, it is not the same", frames)
        }
        guard !frames.isEmpty else {
            throw violation(entry, "an answer is cut into no frame at all", frames)
        }
        let lost = chance.integer(in: 0...(frames.count - 1))
        var shortened = frames
        shortened.remove(at: lost)
        if case .value(let other)? = joiner.join(shortened[...]).answer {
            throw violation(
                entry, "without frame \(lost) there still is an answer: \(other.reading)", frames)
        }
        try verifyDisturbed(entry, joiner, joined, chance: &chance)
    }

    /// Frames that come twice, or in another order.
    private static func verifyDisturbed(
        _ entry: CommandCatalog.Entry, _ joiner: FrameJoiner, _ joined: FrameJoiner.Joined,
        chance: inout FuzzBytes
    ) throws(ContractViolation) {
        // Nobody knows where in a record of old sleep its place is said: its order must be right.
        if entry.opcode == OldSleep.opcode { return }
        let frames = joined.frames
        let twice = chance.integer(in: 0...(frames.count - 1))
        let place = chance.integer(in: 0...frames.count)
        var doubled = frames
        doubled.insert(frames[twice], at: place)
        try isTrue(entry, joiner, joined, doubled, "frame \(twice) again as frame \(place)")
        try isTrue(entry, joiner, joined, chance.shuffled(frames), "frames in another order")
    }

    private static func isTrue(
        _ entry: CommandCatalog.Entry, _ joiner: FrameJoiner, _ joined: FrameJoiner.Joined,
        _ frames: [Frame], _ what: String
    ) throws(ContractViolation) {
        guard case .value(let other)? = joiner.join(frames[...]).answer, other != joined else {
            return
        }
        throw violation(
            entry, "with \(what), \(joined.reading) becomes \(other.reading)", frames)
    }

    private static func violation(
        _ entry: CommandCatalog.Entry, _ what: String, _ frames: [Frame]
    ) -> ContractViolation {
        ContractViolation(
            what, packet: "\(entry.name).Reply", bytes: frames.flatMap { Array($0.bytes) })
    }
}
