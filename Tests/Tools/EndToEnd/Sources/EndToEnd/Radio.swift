import HaloProtocol
import HaloTesting
import HaloTransport
import Synchronization

/// Runs the contract's device on a radio of another make: `guest/radio.py`, which describes the
/// lines.
final class Radio: Sendable {
    private struct State {
        var device = ContractPeripheral()
        var isConnected = false
    }

    private let state = Mutex(State())
    private let pipe: Pipe

    /// The radio of this machine.
    init() throws {
        pipe = try Pipe(reading: "/run/radio.told", writing: "/run/radio.said")
        pipe.read { [weak self] line in self?.heard(line) }
    }

    /// `true` while a central is connected.
    var isConnected: Bool { state.withLock(\.isConnected) }

    /// Starts with a new device.
    func begin() {
        state.withLock { state in
            state.device = ContractPeripheral()
            pipe.write("device")
            offer(state.device.services)
            let clock = CivilDateTime(secondsSince1970: 1_700_000_000)
            handle(.started(WallClock(local: clock, secondsFromUTC: 0)), &state)
        }
    }

    /// Changes the device, and notifies it.
    func modify<Result>(_ change: (inout ContractPeripheral) -> Result) -> Result {
        state.withLock { state in
            let result = change(&state.device)
            handle(.changed, &state)
            return result
        }
    }

    private func handle(_ event: PeripheralEvent, _ state: inout State) {
        var effects = PeripheralEffects()
        state.device.handle(event, at: .origin, into: &effects)
        for effect in effects.all { carryOut(effect, state.device) }
    }

    // MARK: What happens to the device

    private func heard(_ line: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        state.withLock { state in
            guard let event = Self.event(words) else { return }
            if case .connected = event { state.isConnected = true }
            if case .disconnected = event { state.isConnected = false }
            handle(event, &state)
        }
    }

    private static func event(_ words: [String]) -> PeripheralEvent? {
        let number = words.count > 1 ? UInt32(words[1]) : nil
        switch (words[0], number) {
        case ("connected", _): return .connected
        case ("disconnected", _): return .disconnected
        case ("longest", let number?): return .maximumLength(Int(number))
        case ("confirmed", let number?): return .confirmed(AttributeID(number))
        default: break
        }
        guard let number, words.count > 2 else { return nil }
        let attribute = AttributeID(number)
        let token = UInt32(words[2]).map { ResponseToken($0) }
        let value = words.count > 3 ? bytes(words[3]) : []
        switch (words[0], token) {
        case ("read", let token?): return .read(attribute, offset: 0, token: token)
        case ("write", let token?): return .write(attribute, value, token: token)
        case ("command", _): return .write(attribute, value, token: nil)
        case ("subscription", _): return .subscription(attribute, isOn: words[2] == "1")
        default: return nil
        }
    }

    // MARK: What the device does

    private func carryOut(_ effect: PeripheralEffect, _ device: ContractPeripheral) {
        switch effect {
        case .value(let value, let token): pipe.write("value \(token.rawValue) \(Self.text(value))")
        case .done(let token): pipe.write("done \(token.rawValue)")
        case .refuse(let error, let token): pipe.write("refuse \(token.rawValue) \(error.code)")
        case .notify(let attribute, let value):
            pipe.write("notify \(attribute.rawValue) \(Self.text(value))")
        case .indicate(let attribute, let value):
            pipe.write("indicate \(attribute.rawValue) \(Self.text(value))")
        case .disconnect: pipe.write("disconnect")
        case .servicesChanged: offer(device.services)
        case .advertise(let advertisement?):
            let answer = advertisement.scanResponse?.bytes ?? []
            pipe.write("advertise \(Self.text(advertisement.data.bytes)) \(Self.text(answer))")
        case .advertise(nil): pipe.write("advertise")
        case .wake, .requestParameters: break
        }
    }

    private func offer(_ services: [GATTService]) {
        for service in services {
            pipe.write("service \(service.uuid)")
            for characteristic in service.characteristics {
                let properties = characteristic.properties.rawValue
                pipe.write(
                    "characteristic \(characteristic.id.rawValue) \(characteristic.uuid) "
                        + "\(properties)")
                for descriptor in characteristic.descriptors {
                    pipe.write("descriptor \(descriptor.id.rawValue) \(descriptor.uuid)")
                }
            }
        }
        pipe.write("offer")
    }

    // MARK: Bytes as text

    private static func text(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func bytes(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}
