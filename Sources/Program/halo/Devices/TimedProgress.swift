import HaloProtocol
import HaloTransport

struct TimedProgress {
    private var progress: Progress
    private let time: any TransportTime
    private let begun: Moment
    private let last: Moment

    init(_ title: String, _ console: Console, _ time: any TransportTime, until end: Moment) {
        progress = console.progress(title)
        (self.time, begun, last) = (time, time.now(), end)
    }

    mutating func show() {
        progress.show(time.now().duration(since: begun) / last.duration(since: begun))
    }

    func end() { progress.end() }
}
