/// An object of JSON, with its members in the order of the output.
struct JSONObject: JSONValue, ExpressibleByDictionaryLiteral {
    private var members: [(key: String, value: any JSONValue)]

    /// The largest number that every reader of JSON keeps exactly.
    static let largestExactNumber: UInt64 = 1 << 53

    init(_ members: [(key: String, value: any JSONValue)]) { self.members = members }

    init(dictionaryLiteral members: (String, any JSONValue)...) { self.members = members }

    static func list<Element>(
        _ elements: some Sequence<Element>, _ object: (Element) -> JSONObject
    ) -> [JSONObject] {
        elements.map(object)
    }

    static func + (left: JSONObject, right: JSONObject) -> JSONObject {
        JSONObject(left.members + right.members)
    }

    /// The object on a line that begins with its type.
    func row(_ type: String) -> String {
        var text = ""
        (["type": type] + self).appendJSON(to: &text)
        return text + "\n"
    }

    func appendJSON(to text: inout String) {
        text += "{"
        for (index, member) in members.enumerated() {
            if index > 0 { text += "," }
            member.key.appendJSON(to: &text)
            text += ":"
            member.value.appendJSON(to: &text)
        }
        text += "}"
    }
}
