import Foundation
import Glibc
import TestSupport
import Testing

@testable import HaloBlueZ

/// Files and variables of this computer, and the limits of reading them.
@Suite(.computes) struct LocalSystemTests {
    private let folder = TestFolder()

    /// The content of a file, up to 65,536 bytes.
    @Test(arguments: [
        (0, 0), (1, 1), (4095, 4095), (4096, 4096), (4097, 4097), (65_536, 65_536),
        (65_537, 65_536), (100_000, 65_536),
    ])
    func filesAreReadSoFar(_ length: Int, _ read: Int) throws {
        let text = String((0..<length).map { Character(UnicodeScalar(UInt8(97 + $0 % 26))) })
        let path = try folder.write(text, to: "file")
        #expect(LocalSystem.content(path) == String(text.prefix(read)))
    }

    @Test func onlyFilesHaveContent() throws {
        #expect(LocalSystem.content(folder.path("nothing")) == nil)
        #expect(LocalSystem.content(folder.path) == nil)
        // A pipe is not waited for.
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        #expect(LocalSystem.content(folder.path("pipe")) == "")
        #expect(LocalSystem.access(folder.path("nothing")) == .missing)
        #expect(LocalSystem.access(folder.path("pipe"), writes: true) == .usable)
        #expect(LocalSystem.access(folder.path) == .usable)
    }

    /// The names in a folder, in order, at most 256 of them.
    @Test(arguments: [(0, 0), (3, 3), (300, 256)])
    func foldersAreReadSoFar(_ count: Int, _ read: Int) throws {
        for number in 0..<count {
            try folder.write("", to: "\(number)")
        }
        let names = try #require(LocalSystem.names(in: folder.path))
        #expect((read - 2...read).contains(names.count))
        #expect(names == names.sorted() && Set(names).count == names.count)
        #expect(names.allSatisfy { Int($0) != nil })
        if count < 256 { #expect(names == (0..<count).map { "\($0)" }) }
        #expect(LocalSystem.names(in: folder.path("nothing")) == nil)
    }

    @Test func aThreadReturnsItsAnswer() async {
        let (own, other) = (pthread_self(), await LocalSystem.onThread { pthread_self() })
        #expect(pthread_equal(own, other) == 0)
    }

    @Test func theUserIsKnown() {
        #expect(LocalSystem.userID == geteuid())
        #expect(LocalSystem.groupIDs.contains(getegid()))
        var groups = [gid_t](repeating: 0, count: 1024)
        let count = Int(getgroups(1024, &groups))
        #expect(Set(LocalSystem.groupIDs) == Set(groups.prefix(count) + [getegid()]))
        #expect(LocalSystem.environment("PATH") == ProcessInfo.processInfo.environment["PATH"])
        #expect(LocalSystem.environment("HALO_NOTHING_OF_THE_KIND") == nil)
    }

    /// A fault of the package's own code stops a debug build; a release build goes on and reports
    /// it.
    @Test func faultsAreReported() async throws {
        #if DEBUG
        await #expect(processExitsWith: .failure) { LocalSystem.reportFault("a test's") }
        #else
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) { LocalSystem.reportFault("a test's") }
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("a test's"))
        #endif
    }
}
