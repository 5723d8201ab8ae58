import HaloCapture
import HaloProtocol
import HaloTraffic

/// Words that tables and JSON share.
enum TrafficWords {
    /// What an attribute is: its number, and its name where there is one.
    static func name(_ attribute: TrafficAttribute) -> String {
        if attribute.uuid.unnamedHandle != nil { return "?" }
        if let value = attribute.subscribes {
            return "switch of \(HandleText.text(value))"
        }
        return name(attribute.uuid)
    }

    static func name(_ uuid: BluetoothUUID) -> String {
        switch uuid {
        case RingServices.uartWrite: "uart, to write"
        case RingServices.uartNotify: "uart, notifies"
        case RingServices.bigDataWrite: "bigdata, to write"
        case RingServices.bigDataNotify: "bigdata, notifies"
        default:
            CharacteristicCatalog.entry(uuid).map { "\(uuid) \($0.name)" } ?? uuid.description
        }
    }

    /// Why a connection ended, said from the app's side: by the controller's reason.
    static func end(_ reason: UInt8?) -> String {
        switch reason {
        case nil: "ended"
        case ControllerReason.authenticationFailure: "ended: the keys did not fit"
        case ControllerReason.timeout: "ended: out of reach"
        case ControllerReason.remoteUser: "ended by the device"
        case ControllerReason.localHost: "ended by the app"
        case ControllerReason.neverEstablished: "ended: never established"
        case .some(let code): "ended for reason \(HexText.byte(code))"
        }
    }

    /// A number of things: `1 byte`, `2 bytes`.
    static func number(_ count: Int, _ thing: String) -> String {
        "\(count) \(thing)\(count == 1 ? "" : "s")"
    }

    static func counts(_ attribute: TrafficAttribute) -> String {
        var words: [String] = []
        for (count, verb) in [
            (attribute.written, "written"), (attribute.notified, "notified"),
            (attribute.read, "read"),
        ] where count.count > 0 {
            let length =
                count.shortest == count.longest
                ? number(count.shortest, "byte") : "\(count.shortest)–\(count.longest) bytes"
            words.append("\(count.count) \(verb) (\(length))")
        }
        if attribute.refusalCount > 0 { words.append("\(attribute.refusalCount) refused") }
        return words.joined(separator: ", ")
    }

    static func channel(_ entry: PacketCensus.Entry) -> String {
        channel(entry.channel)
    }

    static func channel(_ channel: CaptureChannel) -> String {
        if case .characteristic(let uuid) = channel, let handle = uuid.unnamedHandle {
            return HandleText.text(handle)
        }
        return channel.words
    }

    /// What a packet is: its type, else its code, else that nobody knows.
    static func packet(_ entry: PacketCensus.Entry) -> String {
        let code = entry.code.map { " \(HexText.byte($0))" } ?? ""
        if let packet = entry.packet { return "\(packet)\(code)" }
        return entry.faultCount == entry.count && entry.count > 0
            ? "no frame\(code)" : "unknown\(code)"
    }
}
