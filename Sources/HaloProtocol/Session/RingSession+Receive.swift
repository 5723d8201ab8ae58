/// What comes from the ring, and whose it is: the rules 2, 6 and 7.
extension RingSession {
    /// The most bytes of a broken frame that are reported: no value on a link is longer.
    private static var longestReport: Int { 512 }

    mutating func receiveFrame(_ bytes: some Sequence<UInt8>) {
        let copy = ContiguousArray(bytes)
        do throws(FrameError) {
            receive(try Frame(decoding: copy.span))
        } catch {
            report(.brokenFrame(Array(copy.prefix(Self.longestReport)), error))
        }
    }

    mutating func receiveRecord(_ bytes: some Sequence<UInt8>) {
        reassembler.receive(bytes)
        drainReassembler()
        recordEnds = reassembler.pendingByteCount > 0 ? after(rules.answerWithin) : nil
        if recordEnds != nil { line.extendRecord(until: after(rules.answerWithin)) }
    }

    /// Gives up what is half received on the second service.
    mutating func giveUpRecord() {
        recordEnds = nil
        reassembler.abandon()
        drainReassembler()
    }

    private mutating func drainReassembler() {
        while let event = reassembler.nextEvent() {
            switch event {
            case .frame(let record): receive(record)
            case .uart(let frame): receive(frame)
            case .fault(let fault): report(.brokenRecord(fault))
            }
        }
    }

    private mutating func receive(_ frame: Frame) {
        let isAnswer = takeForActive(.frame(frame))
        let isReport = takeForStream(frame)
        if isAnswer || isReport || takeRefusal(frame) { return }
        if takeLate(.frame(frame)) { return }
        if frame.refusedOpcode != nil {
            report(.unsolicited(frame))
        } else if frame.opcode == RingNotification.opcode {
            do throws(PacketError) {
                report(.notification(try RingNotification.Reply(decoding: frame)))
            } catch {
                report(.brokenPacket(frame, error))
            }
        } else {
            let isKnown = CommandCatalog.entry(opcode: frame.opcode) != nil
            report(isKnown ? .unsolicited(frame) : .unknown(frame))
        }
    }

    private mutating func receive(_ record: BigDataFrame) {
        if takeForActive(.record(record)) { return }
        if takeLate(.record(record)) { return }
        report(.unsolicitedRecord(record))
    }

    /// Takes a part of an answer that was given up: the line is busy for a moment after it, too.
    private mutating func takeLate(_ incoming: Incoming) -> Bool {
        guard line.note(incoming, at: now) else { return false }
        line.freeAt = max(line.freeAt, after(rules.spacing))
        report(incoming.asLate)
        return true
    }
}

extension RequestLine {
    /// A record arrives piece by piece: the request that may have asked for it waits on.
    fileprivate mutating func extendRecord(until moment: Moment) {
        guard var active, active.phase == .answer, case .record = active.request.packet else {
            return
        }
        active.phaseEnds = moment
        self.active = active
    }
}
