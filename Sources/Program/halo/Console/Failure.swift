/// The reason why a verb cannot go on.
struct Failure: Error {
    let status: ExitStatus
    /// What is wrong, with what: a sentence for people.
    let message: String
    /// What to do about it.
    let advice: String?
    /// More members of the error in JSON.
    let members: JSONValue.Members
    /// `true` if only the end of the program's task is to blame.
    var isCancellation = false

    init(
        _ status: ExitStatus, _ message: String, advice: String? = nil,
        _ members: JSONValue.Members = []
    ) {
        self.status = status
        self.message = message
        self.advice = advice
        self.members = members
    }
}
