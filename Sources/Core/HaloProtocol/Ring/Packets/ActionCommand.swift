/// A command whose request is one of a few actions.
public protocol ActionCommand: Command {
    /// The actions of the command, one byte each.
    associatedtype Action: FieldCode
}
