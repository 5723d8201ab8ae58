import HaloCapture
import HaloProtocol

/// A secret in every form that could be found in a capture, also across packets.
struct PlantedSecret {
    let name: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    init(_ name: String, text: String) {
        self.init(name, Array(text.utf8))
    }

    /// The forms of the bytes: unchanged, reversed, UTF-16, hexadecimal text.
    var forms: [[UInt8]] {
        var forms = [bytes, bytes.reversed()]
        forms.append(bytes.flatMap { [$0, 0] })
        forms.append(bytes.flatMap { [0, $0] })
        for run in [bytes, bytes.reversed()] {
            for separator in ["", ":", "-", " "] {
                let hex = HexText.bytes(run, separator: separator)
                forms += [Array(hex.utf8), Array(hex.lowercased().utf8)]
            }
        }
        return forms
    }

    /// The places where the secret is still found.
    func findings(in capture: Capture) -> [String] {
        var findings: [String] = []
        let text = Array(capture.text.utf8)
        let lines = text.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
        var channels: [String: [UInt8]] = [:]
        for packet in capture.packets {
            let way = packet.direction == .toDevice ? ">" : "<"
            channels["\(way)\(packet.channel)", default: []] += packet.bytes
            channels["\(packet.channel)", default: []] += packet.bytes
            channels[way, default: []] += packet.bytes
            channels["all", default: []] += packet.bytes
            // What stands in frames, without what holds them together.
            if packet.channel == .uart {
                channels["payloads", default: []] += packet.bytes.dropFirst().dropLast()
            }
        }
        // Four digits stand somewhere in any long row of digits.
        for form in forms where form.count > 4 || bytes.count > 4 {
            if text.contains(form) { findings.append("\(name) in the text as \(form)") }
            if lines.contains(form) { findings.append("\(name) across lines as \(form)") }
        }
        for form in forms {
            for (channel, bytes) in channels where bytes.contains(form) {
                findings.append("\(name) in \(channel) as \(form)")
            }
        }
        return findings
    }
}

extension [UInt8] {
    /// `true` if these bytes contain the other ones.
    func contains(_ other: [UInt8]) -> Bool {
        guard let first = other.first, other.count <= count else { return other.isEmpty }
        return withUnsafeBufferPointer { bytes in
            for start in 0...(bytes.count - other.count) where bytes[start] == first {
                if bytes[start..<(start + other.count)].elementsEqual(other) { return true }
            }
            return false
        }
    }
}
