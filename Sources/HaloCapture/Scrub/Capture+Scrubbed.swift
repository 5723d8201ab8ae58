extension Capture {
    /// The capture without what it says of a person, and what was replaced; see ``Scrubber``.
    public func scrubbed(
        seed: UInt64, _ options: ScrubOptions = ScrubOptions()
    ) throws(CaptureError) -> (capture: Capture, report: ScrubReport) {
        var scrubber = Scrubber(seed: seed, options)
        for line in lines { scrubber.learn(line) }
        var capture = Capture()
        for line in lines {
            for new in scrubber.scrub(line) { try capture.append(new) }
        }
        return (capture, scrubber.report)
    }
}
