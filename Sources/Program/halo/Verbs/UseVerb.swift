struct UseVerb: Verb {
    private let text: String?
    private let forgets: Bool

    private static let forget = Flag("forget", "forgets the device")

    static let syntax = VerbSyntax(
        "use", "remembers the device that all verbs use", forms: ["[WHICH]"],
        words: DeviceKind.names,
        options: [forget, VirtualChoice.option],
        json: "one JSON object: type (use), device (null if none is remembered), source",
        examples: [
            "halo use R02_A1B2",
            "halo use --forget",
        ],
        """
        Remembers a device by its name or the beginning of a word in it, its address,
        \(DeviceKind.quotedNames); or, with --virtual, virtual devices. Without arguments prints
        what is remembered: a line of the file halo/device in XDG_CONFIG_HOME or ~/.config.
        HALO_DEVICE and --device take precedence.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        let word = try arguments.words(atMost: 1).first?.text
        forgets = arguments.has(Self.forget)
        if let word {
            _ = try DeviceRequest.Device(word, of: "use")
            try RememberedDevice.check(word)
        }
        guard try arguments.value(of: VirtualChoice.option) != nil else {
            text = word
            if word != nil, forgets { throw .wrongUsage("--forget takes no device") }
            return
        }
        if let word { throw .wrongUsage("write --virtual=\(word), or the device alone") }
        if forgets { throw .wrongUsage("give either --virtual or --forget") }
        let text = RememberedDevice.virtual(arguments.rawValue(of: VirtualChoice.option) ?? "")
        try RememberedDevice.check(length: text)
        self.text = text
    }

    func run(_ console: inout Console) throws(Failure) -> ExitStatus {
        if text != nil || forgets { try RememberedDevice.write(text) }
        let remembered = try RememberedDevice.current()
        if console.isJSON {
            console.write(type: "use", ["device": remembered?.text, "source": remembered?.source])
            return .success
        }
        let usual = DeviceKind.words(DeviceKind.all)
        console.write(
            remembered.map { "\($0.text.printable), from \($0.source.printable)\n" }
                ?? "no device is remembered: the nearest \(usual) is used\n")
        if let text, let remembered, text != remembered.text {
            console.remark("\(RememberedDevice.variable) takes precedence over 'halo use'")
        }
        return .success
    }
}
