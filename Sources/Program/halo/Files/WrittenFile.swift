import HaloCapture

struct WrittenFile {
    let path: FilePath
    let byteCount: Int
    let connectionCount: Int

    var members: JSONValue.Members {
        [
            ("path", .string(path.text)), ("bytes", .number(byteCount)),
            ("connections", .number(connectionCount)),
        ]
    }
}
