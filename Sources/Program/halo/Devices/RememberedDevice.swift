import HaloCapture

/// The device that is used without `--device`: `HALO_DEVICE`, or else a line of a file that `halo
/// use` writes.
struct RememberedDevice {
    /// The text: as that of `--device`, or `virtual`, or `virtual=` and the text of `--virtual`.
    let text: String
    let source: String

    static let variable = "HALO_DEVICE"
    private static let virtualWord = "virtual"
    private static let lengthLimit = 4096

    static func virtual(_ choice: String) -> String {
        choice == "" ? virtualWord : "\(virtualWord)=\(choice)"
    }

    private static func virtualChoice(in text: String) -> String? {
        if text == virtualWord { return "" }
        return text.hasPrefix(virtualWord + "=")
            ? String(text.dropFirst(virtualWord.count + 1)) : nil
    }

    static func current() throws(Failure) -> RememberedDevice? {
        let given = TerminalEnvironment.variable(variable)
        if given != "" { return RememberedDevice(text: given, source: variable) }
        // Any other error stops the verb: without the chosen device, it would change the nearest.
        guard let path, let text = try path.firstLine(limit: lengthLimit) else { return nil }
        return RememberedDevice(text: text, source: path.text)
    }

    /// Refuses a name of a device that would be read back as something else.
    static func check(_ name: String) throws(Failure) {
        if virtualChoice(in: name) != nil {
            throw .wrongUsage(
                "'\(name)' is not a device name; --\(name) remembers virtual devices")
        }
        if name.utf8.contains(UInt8(ascii: "\n")) {
            throw .wrongUsage("the name of a remembered device cannot have several lines")
        }
        try check(length: name)
    }

    static func check(length text: String) throws(Failure) {
        guard text.utf8.count > lengthLimit else { return }
        throw .wrongUsage("a remembered device takes at most \(lengthLimit) bytes")
    }

    func request() throws(Failure) -> (device: DeviceRequest.Device?, virtual: VirtualChoice?) {
        do throws(Failure) {
            if let choice = Self.virtualChoice(in: text) {
                return (nil, try VirtualChoice(choice))
            }
            return (try DeviceRequest.Device(text), nil)
        } catch {
            throw .wrongUsage("\(source): \(error.message)")
        }
    }

    /// The file; `nil` without a home.
    static var path: FilePath? {
        .ofUser("halo/device", in: "XDG_CONFIG_HOME", or: ".config")
    }

    /// Remembers a text; forgets the device with `nil`. The file is replaced when the new one is
    /// whole, so that a full disk forgets nothing.
    static func write(_ text: String?) throws(Failure) {
        guard let path else {
            throw Failure(
                .unusable, "a device cannot be remembered: HOME is not set",
                advice: "Set \(variable) instead.")
        }
        guard let text else { return try path.removeIfThere() }
        try path.makeParent(mode: 0o755)
        try mapError(Failure.init) { () throws(FileError) in
            var file = try FileOutput(path)
            try file.write("\(text)\n".utf8)
            try file.commit()
        }
    }
}
