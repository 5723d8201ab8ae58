import TestSupport
import Testing

@testable import halo

/// The examples in the help texts.
@Suite(.computes) struct ExampleTests {
    @Test(arguments: VerbList.all.map { $0.syntax.name })
    func everyVerbHasTwoExamples(_ name: String) throws {
        let help = try #require(VerbList.all.first { $0.syntax.name == name }).syntax.help()
        let examples = help.split(separator: "\n").filter { $0.contains("  halo \(name)") }
        #expect(examples.count >= 2)
    }

    /// Whether a device or a file is there is not looked at.
    @Test(arguments: VerbList.all.map { $0.syntax.name })
    func examplesAreAccepted(_ name: String) throws {
        let verb = try #require(VerbList.all.first { $0.syntax.name == name })
        for example in verb.syntax.examples {
            let words = example.split(separator: " ")
            #expect(words.prefix(2) == ["halo", "\(name)"])
            let arguments = words.dropFirst(2).map { Argument(bytes: Array($0.utf8)) }
            _ = try verb.init(try ParsedArguments(arguments, verb.syntax.options))
        }
    }

    /// An option that verbs share is explained in one place.
    @Test func sharedOptionsAreExplainedOnce() throws {
        let live = LiveVerb.syntax.help()
        #expect(!live.contains("the time to look for the device"))
        #expect(live.contains("--wait"))
        #expect(Manual.sharedOptions().contains("the time to look for the device"))
        // simulate has an option of the same name that means something else.
        #expect(SimulateVerb.syntax.help().contains("--bus PLACE"))
    }
}
