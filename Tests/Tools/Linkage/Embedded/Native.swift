/// Runs the test as a program of the host.
@main struct Native {
    static func main() {
        print(selftest())
    }
}
