/// Effects that wait to be fetched.
///
/// Events and reports are bounded: when there are as many as the limit, further ones are counted
/// by an event in their place. Writes and ends are kept: there are no more of them than requests.
struct EffectQueue: Sendable {
    private var effects: [RingSession.Effect?] = []
    private var first = 0
    private var droppableCount = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    var count: Int { effects.count - first }

    mutating func append(_ effect: RingSession.Effect) {
        guard effect.mayBeDropped else {
            effects.append(effect)
            return
        }
        if droppableCount < limit {
            droppableCount += 1
            effects.append(effect)
        } else if case .event(.dropped(let count))?? = effects.last {
            effects[effects.count - 1] = .event(.dropped(count &+ 1))
        } else {
            effects.append(.event(.dropped(1)))
        }
    }

    mutating func next() -> RingSession.Effect? {
        guard first < effects.count else { return nil }
        let effect = effects[first].take()
        first += 1
        if effect?.mayBeDropped == true { droppableCount -= 1 }
        if first == effects.count {
            effects.removeAll(keepingCapacity: true)
            first = 0
        } else if first > 64, first > effects.count / 2 {
            effects.removeFirst(first)
            first = 0
        }
        return effect
    }

    /// Nothing can be written any more. Answers whether all had been.
    mutating func removeWrites() -> Bool {
        effects.removeFirst(first)
        first = 0
        let count = count
        effects.removeAll { effect in
            switch effect {
            case .write, .writeRecord, nil: true
            case .finished, .stream, .event: false
            }
        }
        return self.count == count
    }
}

extension RingSession.Effect {
    /// Whether nobody waits for it; the event that counts what was dropped is not dropped.
    fileprivate var mayBeDropped: Bool {
        switch self {
        case .write, .writeRecord, .finished, .event(.dropped): false
        case .stream(_, .started), .stream(_, .ended): false
        case .stream, .event: true
        }
    }
}
