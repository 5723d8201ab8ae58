internal import HaloProtocol

/// A queue of events ordered by moment. Each source has at most one event, which can be moved.
///
/// The length is therefore bounded by the number of sources. Events at the same moment run in the
/// order of scheduling.
struct EventQueue {
    private struct Entry {
        let moment: Int64
        let order: UInt64
        let source: Int

        func precedes(_ other: Entry) -> Bool {
            moment != other.moment ? moment < other.moment : order < other.order
        }
    }

    private var heap: [Entry] = []
    /// The heap index of each source's entry, −1 if there is none.
    private var places: [Int] = []
    private var purposes: [Air.Purpose] = []
    private var unused: [Int] = []
    private var order: UInt64 = 0

    mutating func makeSource(_ purpose: Air.Purpose) -> Int {
        if let source = unused.popLast() {
            purposes[source] = purpose
            return source
        }
        purposes.append(purpose)
        places.append(-1)
        return places.count - 1
    }

    mutating func release(_ source: Int) {
        cancel(source)
        unused.append(source)
    }

    var next: Moment? { heap.first.map { Moment(microseconds: $0.moment) } }

    func moment(of source: Int) -> Moment? {
        let place = places[source]
        return place < 0 ? nil : Moment(microseconds: heap[place].moment)
    }

    /// Schedules a source's event, in place of the one that it had.
    mutating func schedule(_ source: Int, at moment: Moment) {
        let entry = Entry(moment: moment.microseconds, order: order, source: source)
        order &+= 1
        let place = places[source]
        if place < 0 {
            heap.append(entry)
            rise(entry, from: heap.count - 1)
        } else if entry.precedes(heap[place]) {
            rise(entry, from: place)
        } else {
            sink(entry, from: place)
        }
    }

    mutating func cancel(_ source: Int) {
        let place = places[source]
        guard place >= 0 else { return }
        places[source] = -1
        guard let last = heap.popLast(), last.source != source else { return }
        if place > 0, last.precedes(heap[(place - 1) / 2]) {
            rise(last, from: place)
        } else {
            sink(last, from: place)
        }
    }

    mutating func popFirst() -> (source: Int, purpose: Air.Purpose, moment: Moment)? {
        guard let first = heap.first else { return nil }
        cancel(first.source)
        return (first.source, purposes[first.source], Moment(microseconds: first.moment))
    }

    private mutating func rise(_ entry: Entry, from start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            let above = heap[parent]
            guard entry.precedes(above) else { break }
            heap[place] = above
            places[above.source] = place
            place = parent
        }
        heap[place] = entry
        places[entry.source] = place
    }

    private mutating func sink(_ entry: Entry, from start: Int) {
        var place = start
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
            let below = heap[child]
            guard below.precedes(entry) else { break }
            heap[place] = below
            places[below.source] = place
            place = child
        }
        heap[place] = entry
        places[entry.source] = place
    }
}
