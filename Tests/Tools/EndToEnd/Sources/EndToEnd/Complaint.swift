/// The error of a failed expectation.
struct Complaint: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Throws unless two values are equal.
    static func unless<Value: Equatable>(
        _ found: Value, is expected: Value, _ what: String
    ) throws(Complaint) {
        guard found == expected else {
            throw Complaint("\(what): expected \(expected), found \(found)")
        }
    }
}
