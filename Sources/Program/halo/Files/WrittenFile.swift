import HaloCapture

/// A file that was written.
struct WrittenFile {
    let path: FilePath
    let byteCount: Int
    let connectionCount: Int

    /// The members of the file in JSON.
    var members: JSONValue.Members {
        [
            ("path", .string(path.text)), ("bytes", .number(byteCount)),
            ("connections", .number(connectionCount)),
        ]
    }
}
