import HaloCapture

struct WrittenFile {
    let path: FilePath
    let byteCount: Int
    let connectionCount: Int

    var members: JSONObject {
        ["path": path.text, "bytes": byteCount, "connections": connectionCount]
    }
}
