/// A command that can destroy data or a ring: it decodes, so that logs can name it.
///
/// Nothing in this package sends one. The names of the types and of their initialisers say so.
public protocol DangerousCommand: RequestCommand {
    /// What would be sent: bytes, where the layout is not known.
    associatedtype Request = DangerousRequest<Self>
}
