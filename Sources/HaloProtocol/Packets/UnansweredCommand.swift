/// A command that a ring does not answer: it is done once it is sent.
public protocol UnansweredCommand: RequestCommand {}
