import Glibc

/// Two named pipes to another program, with lines in both directions.
struct Pipe: Sendable {
    private let input: Int32
    private let output: Int32

    /// Opens both pipes, which the other program has made.
    init(reading: String, writing: String) throws(Complaint) {
        input = open(reading, O_RDONLY | O_CLOEXEC)
        output = open(writing, O_WRONLY | O_CLOEXEC)
        guard input >= 0, output >= 0 else {
            throw Complaint("\(reading) and \(writing) cannot be opened")
        }
    }

    /// Writes a line.
    func write(_ line: String) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
            guard written > 0 else { System.exit(1) }
            bytes = bytes.dropFirst(written)
        }
    }

    /// Reads lines on a thread of its own: the guest has only one processor, and a task that waits
    /// would hold it.
    func read(_ take: @escaping @Sendable (String) -> Void) {
        System.onThread { [input] in
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = Glibc.read(input, &buffer, buffer.count)
                guard count > 0 else { return }
                rest += buffer[..<count]
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    take(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
            }
        }
    }
}
