internal import HaloProtocol
internal import HaloTransport

extension SimulationRun {
    /// Reads what the devices have seen.
    func readRecords() {
        for index in records.indices {
            for entry in records[index].take() {
                switch entry {
                case .arrived(_, let bytes):
                    let violation = requests[index].arrived(bytes, at: air.now) {
                        doublings(of: bytes)
                    }
                    note(violation)
                case .sent(let channel, let bytes):
                    requests[index].sent(bytes, on: channel)
                case .state(let ring, let moment):
                    requests[index].add(DeviceState(ring: ring, moment: moment))
                }
            }
        }
    }

    /// How often a fault has let a write arrive twice.
    private func doublings(of bytes: [UInt8]) -> Int {
        air.faultLog.records.count {
            $0.subject == .write && $0.fault == .duplication && $0.bytes == bytes
        }
    }

    /// Whether what went wrong is more than a session can know of.
    ///
    /// A ring answers a doubled write twice, and the second answer cannot be told from that to the
    /// next request of the command; nor can an answer that comes after the time for late ones.
    private func isBeyondKnowing(_ request: OpenRequest, _ index: Int) -> Bool {
        var late = Duration.zero
        for record in air.faultLog.records.reversed() {
            guard record.moment > air.now - .seconds(60) else { break }
            guard record.device == apps[index].device else { continue }
            switch record.fault {
            case .duplication:
                if record.subject == .write, request.asked.mark.asks(record.bytes) { return true }
            case .delay(let duration), .stall(let duration): late += duration
            case .loss, .reordering, .corruption, .truncation, .disconnection, .refusal,
                .silence, .refusedCommand, .shortPackets, .failedConnection:
                break
            }
        }
        return late > scenario.rules.lateAnswersWithin
    }

    /// Takes in everything that the air has to tell.
    func takeOutputs() {
        while air.now >= pausedUntil, let output = air.nextOutput() {
            take(output)
            readRecords()
        }
    }

    private func take(_ output: AirOutput) {
        switch output {
        case .connected(let link, let tag):
            let index = app(of: tag)
            trace(index, .link) { "the link has come about" }
            apps[index].connected(link, air)
        case .services(let services, let tag):
            apps[app(of: tag)].discovered(services, air)
        case .done(let tag):
            guard purpose(of: tag) == .subscribe else { return }
            let index = app(of: tag)
            guard apps[index].isCurrent(tag) else { return }
            if apps[index].subscribed(rules: scenario.rules) {
                requests[index].beginLink()
                trace(index, .link) { "the link can be used" }
            }
        case .failed(let error, let tag):
            let index = app(of: tag)
            trace(index, .link) { "failed: \(error)" }
            guard apps[index].isCurrent(tag) else { return }
            apps[index].failed(purpose(of: tag), air)
        case .event(let link, let event):
            take(event, link)
        case .heard, .value, .rssi, .timer: break
        }
    }

    private func take(_ event: LinkEvent, _ link: LinkNumber) {
        guard let index = apps.firstIndex(where: { $0.device == link.device }) else { return }
        switch event {
        case .value(let attribute, let bytes):
            guard apps[index].openLink == link,
                let channel = apps[index].channel(of: attribute)
            else { return }
            digest.add(bytes)
            trace(index, .delivered) { "← \(HexText.bytes(bytes, separator: " "))" }
            apps[index].session.receive(bytes, on: channel, at: air.now)
            drain(index)
        case .disconnected(let reason):
            trace(index, .link) { "the link has ended: \(reason)" }
            guard apps[index].disconnected(link, at: air.now) else { return }
            apps[index].session.disconnect(at: air.now)
            neglectedUntil = air.now
            drain(index)
            requests[index].leftOpen(at: air.now).forEach(note)
            streams[index].leftOpen(at: air.now).forEach(note)
            requests[index].beginLink()
            streams[index].beginLink()
        case .servicesChanged, .maximumLengthChanged: break
        }
    }

    /// Tells a session the time, if it wants to know.
    func tick(_ index: Int) {
        var rounds = 0
        while apps[index].openLink != nil, let due = apps[index].session.deadline, due <= air.now {
            apps[index].session.tick(at: air.now)
            drain(index)
            rounds += 1
            guard rounds < 1000 else {
                let details = "a session wants to be told the same time again and again"
                note(Violation(.endlessWork, at: air.now, details))
                isEndless = true
                return
            }
        }
    }

    /// Does what a session wants done, and checks that it does not forget to wait.
    func drain(_ index: Int) {
        guard air.now >= neglectedUntil else { return }
        var count = 0
        let open = requests[index].order.count + streams[index].open.count
        while let effect = apps[index].session.nextEffect() {
            count += 1
            perform(effect, index)
        }
        // Ends are never dropped, nor is what is to be written, of which there is little.
        if count > scenario.rules.effectLimit + open + 24 {
            let details = "\(count) effects had been waiting to be fetched"
            note(Violation(.unboundedMemory, at: air.now, details))
        }
        let waits = !requests[index].order.isEmpty || !streams[index].open.isEmpty
        if waits, apps[index].openLink != nil, apps[index].session.deadline == nil {
            let details = "requests or streams are open, and the session has no deadline"
            note(Violation(.noDeadline, at: air.now, details))
        }
    }

    private func perform(_ effect: RingSession.Effect, _ index: Int) {
        switch effect {
        case .write(let frame, _):
            write(Array(frame.bytes), on: .uart, index)
        case .writeRecord(let record, _):
            write(record.bytes, on: .bigData, index)
        case .finished(let completion):
            let request = requests[index].open[completion.number]
            var (fault, words) = requests[index].finished(completion, state(index))
            if fault != nil, let request, isBeyondKnowing(request, index) { fault = nil }
            digest.add(completion.number.rawValue)
            trace(index, .finished) { words }
            note(fault.map { Violation($0.kind, at: air.now, $0.details) })
        case .stream(let number, let report):
            digest.add(number.rawValue)
            trace(index, .stream) { "stream \(number.rawValue): \(report)" }
            note(streams[index].reported(number, report, at: air.now))
        case .event(let event):
            trace(index, .event) { "unasked: \(event)" }
        }
    }

    private func write(_ bytes: [UInt8], on channel: RingChannel, _ index: Int) {
        digest.add(bytes)
        trace(index, .written) { "→ \(HexText.bytes(bytes, separator: " "))" }
        note(requests[index].written(bytes, at: air.now))
        apps[index].write(bytes, on: channel, air)
    }

    private func app(of tag: UInt64) -> Int {
        min(SimulatedApp<Session>.index(of: tag), apps.count - 1)
    }

    private func purpose(of tag: UInt64) -> SimulatedApp<Session>.Purpose? {
        .init(rawValue: tag & 0xFF)
    }
}
