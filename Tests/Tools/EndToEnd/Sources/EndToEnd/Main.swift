/// The program in the guest: `EndToEnd VERB ARGUMENT…`
///
/// After a failed expectation it prints it, and exits with status 1.
@main
enum Main {
    static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        do {
            switch arguments.popFirst() {
            case "independent": try await Independent.run()
            case "contract": try await Contract.run(Array(arguments))
            case "host": try await Hosting.run()
            case "faults": try await Faults.run(arguments.first ?? "")
            case "long-writes": try await LongWrites.run(arguments.first ?? "")
            case "pairing": try await Pairing.run(arguments.first ?? "")
            case "ring": try await RingClient.run()
            case let verb: throw Complaint("there is no verb \(verb ?? "")")
            }
        } catch {
            print("    it fails: \(error)")
            System.exit(1)
        }
    }
}
