/// A command without a reply: the request ends once it is sent.
public protocol UnansweredCommand: RequestCommand {}
