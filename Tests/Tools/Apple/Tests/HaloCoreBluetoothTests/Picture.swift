import UIKit

/// The images of the tests' pickers, in a file without Swift Testing: both modules together need a
/// third one, which exists on Apple's systems only.
enum Picture {
    static let ring = UIImage()
}
