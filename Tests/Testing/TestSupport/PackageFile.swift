internal import Foundation

/// The path of a file or folder of the package.
package func packagePath(_ path: String) -> String {
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/" + path
}

/// The text of a file of the package.
package func packageText(_ path: String) throws -> String {
    try String(contentsOfFile: packagePath(path), encoding: .utf8)
}
