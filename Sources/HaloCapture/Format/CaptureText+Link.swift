/// Where connections have names, a tag ends with the one that it holds for: `on left`.
extension CaptureText {
    private static let linkWord = " on "

    /// What stands behind the value of a tag that holds for a connection.
    package static func ending(_ link: CaptureName?) -> String {
        link.map { "\(linkWord)\($0)" } ?? ""
    }

    /// A tag's value without its ending, and the connection that the ending names: nothing if it
    /// does not end like that. What a device is called can end so, too.
    static func split(_ tagged: String) -> (value: String, link: CaptureName)? {
        let bytes = Array(tagged.utf8)
        let word = Array(linkWord.utf8)
        guard let space = bytes.lastIndex(of: UInt8(ascii: " ")), space + 1 >= word.count,
            bytes[(space + 1 - word.count)...space].elementsEqual(word),
            let link = try? CaptureName(String(decoding: bytes[(space + 1)...], as: UTF8.self))
        else { return nil }
        return (String(decoding: bytes[..<(space + 1 - word.count)], as: UTF8.self), link)
    }
}
