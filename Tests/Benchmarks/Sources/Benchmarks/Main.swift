import Subjects

@main struct Main {
    static func main() {
        for row in Row.all {
            let b = Bench(row); if let d = b.disagreement() { print(row.name, "DISAGREE", d) };
            let m = b.measure();
            print(row.name, m.subject, m.peer, m.ratio, m.allocations, m.peerAllocations)
        }
    }
}
