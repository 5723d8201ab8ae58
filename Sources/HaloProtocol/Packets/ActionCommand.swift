/// A command whose request is one of a few actions.
public protocol ActionCommand: Command {
    /// What a ring can be told to do.
    associatedtype Action: FieldCode
}
