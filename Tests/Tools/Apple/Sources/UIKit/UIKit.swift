public import Foundation

/// An image, of which this module knows only the name.
public final class UIImage: NSObject, Sendable {
    /// The name that the image was created with.
    private let name: String

    /// Creates an image without content.
    public override init() { name = "" }

    /// Creates an image of the app's catalogue; `nil` without a name.
    public init?(named name: String) {
        guard !name.isEmpty else { return nil }
        self.name = name
    }

    /// Creates an image of the system's symbols; `nil` without a name.
    public init?(systemName name: String) {
        guard !name.isEmpty else { return nil }
        self.name = name
    }

    /// The name that the image was created with.
    public override var description: String { "UIImage(\(name))" }
}

/// A controller of a screen, whose views nobody sees.
@MainActor
open class UIViewController: NSObject {
    /// Creates a controller; the program that shows it calls ``viewDidLoad()``.
    public override init() { super.init() }

    /// Does nothing; a subclass sets up its views here.
    open func viewDidLoad() {}
}

/// A view with text.
@MainActor
open class UILabel: NSObject {
    /// The text.
    open var text: String?

    /// Creates a label without text.
    public override init() { super.init() }
}
