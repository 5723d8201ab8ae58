import HaloTransport

extension TransportContract {
    static var writing: [Check] {
        [
            Check("writes with a response arrive before they are complete, in order", of: .record) {
                bench, link, record in
                for byte in 0..<10 as Range<UInt8> {
                    try await link.write([byte], to: record)
                    let written = try await bench.device().written
                    try bench.equal(written.last, [byte], "the last one")
                }
            },
            Check("writes without a response all arrive, in order", of: .record) {
                bench, link, record in
                let values = (0..<60).map { [UInt8($0)] }
                for value in values { try await link.write(value, to: record, .withoutResponse) }
                try await bench.device("they arrive", until: { $0.written.count >= 60 })
                try bench.equal(try await bench.device().written, values, "what arrived")
            },
            Check("writes of both kinds keep their order among each other", of: .record) {
                bench, link, record in
                for byte in 0..<20 as Range<UInt8> {
                    try await link.write(
                        [byte], to: record,
                        byte.isMultiple(of: 3) ? .withResponse : .withoutResponse)
                }
                try await bench.device("they arrive", until: { $0.written.count >= 20 })
                try bench.equal(
                    try await bench.device().written, (0..<20).map { [$0] }, "what arrived")
            },
            Check("what is asked for at once is carried out in the order of asking", of: .record) {
                bench, link, record in
                let modes: [WriteMode] = [.withoutResponse, .withResponse]
                for byte in 0..<30 as Range<UInt8> {
                    link.submitWrite([byte], to: record, modes[Int(byte) / 3 % 2]) { _ in }
                }
                try await bench.device("they arrive", until: { $0.written.count >= 30 })
                try bench.equal(
                    try await bench.device().written, (0..<30).map { [$0] }, "what arrived")
            },
            Check("the longest value can be written, and no longer one", of: .record) {
                bench, link, record in
                for (count, mode) in zip(1..., WriteMode.allCases) {
                    let maximum = link.maximumWriteLength(for: mode)
                    // With a response, a value longer than a packet is written in pieces.
                    let (least, length) =
                        switch mode {
                        case .withResponse: (512, min(maximum, bench.harness.maximumWriteLength))
                        case .withoutResponse: (20, maximum)
                        }
                    try bench.check(maximum >= least, "\(maximum) bytes \(mode)")
                    let longest = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
                    try await link.write(longest, to: record, mode)
                    try await bench.device("it arrives", until: { $0.written.count == count })
                    try bench.equal(try await bench.device().written.last, longest, "the last")
                    try await bench.fails(.tooLong, "one more byte \(mode)") {
                        let tooLong = [UInt8](repeating: 0, count: maximum + 1)
                        try await link.write(tooLong, to: record, mode)
                    }
                }
                try bench.equal(try await bench.device().written.count, 2, "what arrived")
            },
            Check("an empty value can be written", of: .record) { bench, link, record in
                try await link.write([], to: record)
                try bench.equal(try await bench.device().written, [[]], "what arrived")
            },
        ]
    }
}
