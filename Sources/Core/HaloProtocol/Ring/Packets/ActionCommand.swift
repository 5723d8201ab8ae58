/// A command whose request is one of a few actions.
public protocol ActionCommand: RequestCommand where Request == ActionRequest<Self> {
    /// The actions of the command, one byte each.
    associatedtype Action: FieldCode
}
