import HaloProtocol
import HaloTransport

extension TransportContract {
    static var connecting: [Check] {
        [
            Check("a link is to the device that was meant, and open") { bench in
                let discovery = try await bench.find()
                let link = try await bench.transport.connect(to: discovery)
                try bench.equal(link.identity, discovery.identity, "the identity")
                try bench.equal(link.disconnectReason, nil, "the reason of an end")
                try await bench.device("the device knows", until: \.isConnected)
                await link.disconnect()
            },
            Check("the transport and its links have one loop") { bench in
                let loop = bench.transport.time.loop
                let link = try await bench.connect()
                try bench.check(link.time.loop === loop, "the link has another loop")
                try bench.check(bench.transport.time.loop === loop, "the time has a new loop")
                await link.disconnect()
            },
            Check("a device that is not there is not connected to") { bench in
                do throws(BLEError) {
                    _ = try await bench.transport.connect(
                        to: bench.harness.absentDevice, timeout: .seconds(2))
                } catch {
                    try bench.check(error.kind == .notFound || error.kind == .timedOut, "\(error)")
                    return
                }
                throw bench.violation("there is a link to nobody")
            },
            Check("connecting takes no longer than allowed", needs: .deviceControl) { bench in
                let discovery = try await bench.find()
                try await bench.order(.advertise(false))
                let before = bench.transport.time.now()
                try await bench.fails(.timedOut, "connecting to a silent device") {
                    try await bench.transport.connect(to: discovery, timeout: .seconds(2))
                }
                let taken = bench.transport.time.now().duration(since: before)
                try bench.check(taken >= .seconds(2), "it gave up after \(taken)")
                try await bench.order(.advertise(true))
                try await bench.connect().disconnect()
            },
            Check("a device that is connected cannot be connected again") { bench, link in
                try await bench.fails(.alreadyConnected, "connecting twice") {
                    try await bench.transport.connect(to: link.identity, timeout: .seconds(5))
                }
                let text = try await bench.characteristic(.text, of: link)
                try bench.equal(
                    try await link.read(text), ContractPeripheral.text, "the first link reads")
            },
            Check("a disconnected device can be connected again") { bench in
                for _ in 0..<3 {
                    let link = try await bench.connect()
                    await link.disconnect()
                    try await bench.device("the device knows", until: { !$0.isConnected })
                }
            },
            Check("a link that is no longer referenced is closed") { bench in
                _ = try await bench.connect()
                try await bench.device("the device knows", until: { !$0.isConnected })
                try await bench.connect().disconnect()
            },
            Check("cancelled before it begins, connecting leaves nothing behind") { bench in
                let discovery = try await bench.find()
                let result = try await bench.cancelling(after: 0) {
                    try await bench.transport.connect(to: discovery)
                }
                try await bench.leavesNothing(result)
            },
            Check("cancelled at any time, connecting leaves nothing behind") { bench in
                let discovery = try await bench.find()
                for turns in [1, 2, 3, 5, 8, 13, 21] {
                    let result = try await bench.cancelling(after: turns) {
                        try await bench.transport.connect(to: discovery)
                    }
                    try await bench.leavesNothing(result)
                }
            },
            Check("cancelled while the device is silent, connecting ends", needs: .deviceControl) {
                bench in
                let discovery = try await bench.find()
                try await bench.order(.advertise(false))
                let result = try await bench.cancelling(after: 0, pause: .seconds(1)) {
                    try await bench.transport.connect(to: discovery)
                }
                try bench.isOver(result, orElse: .timedOut)
                try await bench.order(.advertise(true))
                try await bench.connect().disconnect()
            },
        ]
    }
}

extension ContractBench {
    func wasCancelled<Value>(_ result: Result<Value, any Error>) throws {
        switch result {
        case .success(let value): throw violation("it went on, and gave \(value)")
        case .failure(let error):
            let kind = (error as? BLEError)?.kind
            try check(kind == .cancelled || error is CancellationError, "\(error)")
        }
    }

    func leavesNothing(_ result: Result<BLELink, any Error>) async throws {
        switch result {
        case .success(let link): await link.disconnect()
        case .failure: try wasCancelled(result)
        }
        try await device("the device is left alone", until: { !$0.isConnected })
        let link = try await connect()
        await link.disconnect()
        try await device("the device is left again", until: { !$0.isConnected })
    }
}
