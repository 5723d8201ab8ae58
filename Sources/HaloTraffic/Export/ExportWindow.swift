import HaloCapture
import HaloProtocol

/// Finds out from the lines behind it what a line was, and holds it back until then.
///
/// A written value was a request if its acknowledgement or refusal follows, before another value is
/// written to the same channel; a value that was not asked for was an indication if its
/// confirmation follows, before another comes from there. What stays open for 30 s, after which no
/// answer counts, or for 1,024 lines, was neither.
struct ExportWindow: Sendable {
    struct Entry: Sendable {
        let link: Int
        let moment: Moment
        var step: ExportStep
        fileprivate var isOpen = false
    }

    static let longestWait: Int64 = 30_000_000
    private static let longestCount = 1024

    private struct Place {
        let link: Int
        let channel: CaptureChannel
    }

    /// Something of the channels of connections; that of one connection can be forgotten without
    /// a look at the others.
    private struct Places<Value: Sendable>: Sendable {
        private var links: [Int: [CaptureChannel: Value]] = [:]

        subscript(place: Place) -> Value? {
            get { links[place.link]?[place.channel] }
            set { links[place.link, default: [:]][place.channel] = newValue }
        }

        mutating func updateValue(_ value: Value, forKey place: Place) -> Value? {
            links[place.link, default: [:]].updateValue(value, forKey: place.channel)
        }

        mutating func removeValue(forKey place: Place) -> Value? {
            links[place.link]?.removeValue(forKey: place.channel)
        }

        mutating func removeAll(of link: Int) -> [Value] {
            links.removeValue(forKey: link).map { Array($0.values) } ?? []
        }
    }

    /// How many lines said something of others that are not there.
    private(set) var omissionCount = 0

    private var entries: [Entry] = []
    private var head = 0
    /// How many entries have left for good, so that places in `open` stay what they are.
    private var goneCount = 0
    private var openWrites = Places<Int>()
    private var openValues = Places<Int>()
    private var asked = Places<Asked>()
    private var announced: [Int: Int] = [:]
    private var strengths: [Int: Int8] = [:]

    private struct Asked {
        var count: Int
        var last: Int
    }

    /// Takes in what a line says by itself; what can be either is said to be the lesser.
    mutating func put(_ step: ExportStep, on link: Int, at moment: Moment) {
        var entry = Entry(link: link, moment: moment, step: step)
        let next = goneCount + entries.count
        switch step {
        case .written(let channel, _, _):
            let place = Place(link: link, channel: channel)
            close(openWrites.updateValue(next, forKey: place))
            entry.isOpen = true
        case .acknowledged(let channel):
            guard decideWrite(Place(link: link, channel: channel), moment) else { return omit() }
        case .refused(let channel, let code, _):
            let place = Place(link: link, channel: channel)
            let isRead = (asked[place]?.last ?? -1) > (openWrites[place] ?? -1)
            guard isRead ? answer(place) : decideWrite(place, moment) else { return omit() }
            entry.step = .refused(channel, code: code, isRead: isRead)
        case .asked(let channel):
            let place = Place(link: link, channel: channel)
            asked[place] = Asked(count: (asked[place]?.count ?? 0) &+ 1, last: next)
        case .sent(let channel, let bytes, _):
            let place = Place(link: link, channel: channel)
            if answer(place) {
                entry.step = .answered(channel, bytes)
            } else {
                close(openValues.updateValue(next, forKey: place))
                entry.isOpen = true
            }
        case .confirmed(let channel):
            let place = Place(link: link, channel: channel)
            guard let index = openValues.removeValue(forKey: place), isInTime(index, moment)
            else { return omit() }
            decide(index) { step in
                guard case .sent(let channel, let bytes, _) = step else { return step }
                return .sent(channel, bytes, isIndication: true)
            }
        case .announced(let strength):
            close(announced.updateValue(next, forKey: link))
            strengths[link] = strength
            entry.isOpen = true
        case .heard(let channel, let data, _):
            entry.step = .heard(channel, data, strength: strengths[link])
            if let index = announced.removeValue(forKey: link) { decide(index) { _ in .nothing } }
        case .connected, .disconnected:
            closeAll(of: link)
        default:
            break
        }
        entries.append(entry)
    }

    /// The next entry of which everything is known; `isAtEnd` if no line follows.
    mutating func next(isAtEnd: Bool) -> Entry? {
        guard head < entries.count else { return nil }
        let entry = entries[head]
        if entry.isOpen, !isAtEnd {
            let newest = entries[entries.count - 1].moment
            guard
                entries.count - head > Self.longestCount
                    || newest.microseconds(since: entry.moment) > Self.longestWait
            else { return nil }
        }
        if entry.isOpen { forget(goneCount + head, entry) }
        head += 1
        if head == entries.count || head > Self.longestCount {
            goneCount += head
            entries.removeFirst(head)
            head = 0
        }
        return entry
    }

    private mutating func omit() { omissionCount += 1 }

    private mutating func decideWrite(_ place: Place, _ moment: Moment) -> Bool {
        guard let index = openWrites.removeValue(forKey: place), isInTime(index, moment) else {
            return false
        }
        decide(index) { step in
            guard case .written(let channel, let bytes, _) = step else { return step }
            return .written(channel, bytes, isRequest: true)
        }
        return true
    }

    /// Whether an answer of that place is awaited; then it has come.
    private mutating func answer(_ place: Place) -> Bool {
        guard let asked = asked[place] else { return false }
        self.asked[place] = asked.count > 1 ? Asked(count: asked.count - 1, last: asked.last) : nil
        return true
    }

    /// Whether an answer still counts; what is too late leaves the entry as it is.
    private mutating func isInTime(_ index: Int, _ moment: Moment) -> Bool {
        let place = index - goneCount
        guard entries.indices.contains(place) else { return false }
        let wait = moment.microseconds(since: entries[place].moment)
        if wait > Self.longestWait { close(index) }
        return wait <= Self.longestWait
    }

    private mutating func decide(_ index: Int, _ change: (ExportStep) -> ExportStep) {
        let index = index - goneCount
        guard entries.indices.contains(index) else { return }
        entries[index].step = change(entries[index].step)
        entries[index].isOpen = false
    }

    private mutating func close(_ index: Int?) {
        if let index { decide(index) { $0 } }
    }

    private mutating func forget(_ index: Int, _ entry: Entry) {
        switch entry.step {
        case .written(let channel, _, _):
            let place = Place(link: entry.link, channel: channel)
            if openWrites[place] == index { openWrites[place] = nil }
        case .sent(let channel, _, _):
            let place = Place(link: entry.link, channel: channel)
            if openValues[place] == index { openValues[place] = nil }
        case .announced:
            if announced[entry.link] == index { announced[entry.link] = nil }
        default:
            break
        }
    }

    private mutating func closeAll(of link: Int) {
        for index in openWrites.removeAll(of: link) { close(index) }
        for index in openValues.removeAll(of: link) { close(index) }
        _ = asked.removeAll(of: link)
    }
}
