import HaloCapture

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The device that is used without `--device`: `HALO_DEVICE`, or else a line of a file that `halo
/// use` writes.
struct RememberedDevice {
    /// The text: as that of `--device`, or `virtual`, or `virtual=` and the text of `--virtual`.
    let text: String
    /// Where the text is from, for an error.
    let source: String

    static let variable = "HALO_DEVICE"
    private static let virtualWord = "virtual"
    private static let lengthLimit = 4096

    /// The text for virtual devices.
    static func virtual(_ choice: String) -> String {
        choice == "" ? virtualWord : "\(virtualWord)=\(choice)"
    }

    /// The remembered device, if there is one.
    static var current: RememberedDevice? {
        let given = TerminalEnvironment.variable(variable)
        if given != "" { return RememberedDevice(text: given, source: variable) }
        guard let path, let text = read(path) else { return nil }
        return RememberedDevice(text: text, source: path.text)
    }

    /// The device, or the virtual devices, that the text names.
    func request() throws(ArgumentError) -> (
        device: DeviceRequest.Device?, virtual: VirtualChoice?
    ) {
        do throws(ArgumentError) {
            if text == Self.virtualWord { return (nil, VirtualChoice()) }
            if text.hasPrefix(Self.virtualWord + "=") {
                return (nil, try VirtualChoice(String(text.dropFirst(Self.virtualWord.count + 1))))
            }
            return (try DeviceRequest.Device(text), nil)
        } catch {
            guard case .wrongUsage(let reason) = error else { throw error }
            throw .wrongUsage("\(source): \(reason)")
        }
    }

    // MARK: The file

    /// The file: `halo/device` in `XDG_CONFIG_HOME`, or else in `.config` of the home folder; `nil`
    /// without a home.
    static var path: FilePath? {
        let (settings, home) = (
            TerminalEnvironment.variable("XDG_CONFIG_HOME"), TerminalEnvironment.variable("HOME")
        )
        if settings.hasPrefix("/") { return FilePath("\(settings)/halo/device") }
        return home.hasPrefix("/") ? FilePath("\(home)/.config/halo/device") : nil
    }

    private static func read(_ path: FilePath) -> String? {
        guard let file = fopen(path.text, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: lengthLimit)
        let count = fread(&bytes, 1, bytes.count, file)
        let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
        let text = String(decoding: line, as: UTF8.self)
        return text == "" ? nil : text
    }

    /// Remembers a text; forgets the device with `nil`.
    static func write(_ text: String?) throws(Failure) {
        guard let path else {
            throw Failure(
                .unusable, "there is no place to remember a device: HOME is not set",
                advice: "Set \(variable) instead.")
        }
        guard let text else {
            guard unlink(path.text) == 0 || errno == ENOENT else { throw failure(path) }
            return
        }
        var folder = ""
        for part in path.text.split(separator: "/").dropLast() {
            folder += "/\(part)"
            if mkdir(folder, 0o755) != 0, errno != EEXIST { throw failure(FilePath(folder)) }
        }
        guard let file = fopen(path.text, "we") else { throw failure(path) }
        let isWritten = fputs(text + "\n", file) >= 0
        guard fclose(file) == 0, isWritten else { throw failure(path) }
    }

    private static func failure(_ path: FilePath) -> Failure {
        Failure(.unusable, "\(path.quoted): \(String(cString: strerror(errno)))")
    }
}
