import Foundation
import TestSupport
import Testing

@testable import HaloBlueZ

/// The facts that the doctor collects on a computer whose files the test has made.
@Suite(.computes) struct ComputerFactsTests {
    /// A folder in place of a computer's root folder.
    struct Computer {
        let root = TestFolder()

        init(_ files: [String: String] = [:], folders: [String] = []) throws {
            for folder in folders { try make(URL(filePath: root.path(folder))) }
            for (path, text) in files {
                try make(URL(filePath: root.path(path)).deletingLastPathComponent())
                try root.write(text, to: path)
            }
        }

        private func make(_ folder: URL) throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        func facts(
            settingsPath: String = "/etc/bluetooth/main.conf", variables: [String: String] = [:]
        ) -> ComputerFacts {
            .collect(settingsPath: settingsPath, root: root.path, variables: { variables[$0] })
        }
    }

    @Test func aComputerWithoutAnythingHasNothing() throws {
        let facts = try Computer().facts()
        #expect(facts.isInGroup == nil)
        #expect(facts.container == nil && facts.containerEvidence == nil)
        #expect(!facts.isWSL)
        #expect(facts.controllers == nil)
        #expect(facts.switches == [])
        #expect(facts.settings.access == .missing)
        #expect(facts.settings.path == "/etc/bluetooth/main.conf")
        #expect(facts.daemonProgram == nil)
        #expect(facts.serviceManager == .none)
        #expect(facts.installCommand == nil)
        #expect(facts.isRoot == (geteuid() == 0))
    }

    @Test(arguments: [
        ("/.flatpak-info", ComputerFacts.Container.flatpak), ("/run/.containerenv", .podman),
    ])
    func aContainerLeavesAFile(_ path: String, _ container: ComputerFacts.Container) throws {
        let facts = try Computer([path: ""]).facts()
        #expect(facts.container == container)
        #expect(facts.containerEvidence == path)
    }

    @Test(arguments: [
        ("1 2 0:3 / / rw - overlay overlay rw\n", ComputerFacts.Container?.some(.docker)),
        ("1 2 0:3 / / rw - ext4 /dev/vda rw\n", nil),
    ])
    func theDockerFileAloneIsNoContainer(
        _ mounts: String, _ container: ComputerFacts.Container?
    ) throws {
        let computer = try Computer(["/.dockerenv": "", "/proc/self/mountinfo": mounts])
        #expect(computer.facts().container == container)
        let other = try Computer([
            "/.dockerenv": "", "/proc/self/mountinfo": mounts, "/run/systemd/container": "lxc",
        ])
        #expect(other.facts().container == container ?? .other)
    }

    @Test func environmentVariablesIdentifyContainers() throws {
        let snap = try Computer(["/run/.containerenv": ""]).facts(variables: ["SNAP_NAME": "a"])
        #expect(snap.container == .snap)
        #expect(snap.containerEvidence == "SNAP_NAME=a")
        let computer = try Computer(["/run/systemd/container": "lxc"])
        let told = computer.facts(variables: ["container": "nspawn"])
        #expect(told.container == .other)
        #expect(told.containerEvidence == "container=nspawn")
        #expect(computer.facts().containerEvidence == "container=lxc")
        #expect(computer.facts(variables: ["container": ""]).container == nil)
    }

    @Test(arguments: [("5.15.90-Microsoft-standard-WSL2\n", true), ("6.1.0-18-amd64\n", false)])
    func theKernelsReleaseIdentifiesWSL(_ release: String, _ isWSL: Bool) throws {
        #expect(try Computer(["/proc/sys/kernel/osrelease": release]).facts().isWSL == isWSL)
    }

    @Test func linksAreNotCountedAsControllers() throws {
        let folder = "/sys/class/bluetooth/"
        let computer = try Computer(
            folders: ["hci1", "hci0", "hci0:64", "rfcomm0"].map { folder + $0 })
        #expect(computer.facts().controllers == ["hci0", "hci1"])
        let bare = try Computer(folders: [folder])
        #expect(bare.facts().controllers == [])
    }

    @Test func onlyBluetoothSwitchesAreRead() throws {
        func files(_ number: Int, _ type: String, soft: String, hard: String) -> [String: String] {
            let folder = "/sys/class/rfkill/rfkill\(number)/"
            return [
                folder + "type": type + "\n", folder + "name": "hci\(number)\n",
                folder + "soft": soft + "\n", folder + "hard": hard + "\n",
            ]
        }
        let all = [
            files(0, "bluetooth", soft: "1", hard: "0"), files(1, "wlan", soft: "1", hard: "1"),
            files(2, "bluetooth", soft: "0", hard: "1"), ["/sys/class/rfkill/rfkill3/type": ""],
        ]
        let computer = try Computer(all.reduce(into: [:]) { $0.merge($1) { $1 } })
        #expect(
            computer.facts().switches == [
                .init(name: "hci0", isSoft: true), .init(name: "hci2", isHard: true),
            ])
    }

    @Test func theSettingsAreReadWhereTheDaemonHasThem() throws {
        let computer = try Computer(["/else/where.conf": "[General]\nName = a\n"])
        let facts = computer.facts(settingsPath: "/else/where.conf")
        #expect(facts.settings.access == .usable)
        #expect(facts.settings.path == "/else/where.conf")
        #expect(facts.settings["General", "Name"] == "a")
    }

    @Test(arguments: [
        "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd",
        "/usr/sbin/bluetoothd", "/usr/local/libexec/bluetooth/bluetoothd",
    ])
    func theDaemonsProgramLiesInOneOfManyPlaces(_ path: String) throws {
        #expect(try Computer([path: ""]).facts().daemonProgram == path)
    }

    @Test func theServiceManagerIsDetected() throws {
        let systemd = try Computer(folders: ["/run/systemd/system", "/run/openrc"])
        #expect(systemd.facts().serviceManager == .systemd)
        #expect(try Computer(folders: ["/run/openrc"]).facts().serviceManager == .openRC)
    }

    @Test(
        arguments: [
            ("ID=debian\n", "apt install bluez"),
            (
                "ID=mint\nID_LIKE=\"ubuntu debian\"\n",
                "apt install bluez"
            ),
            ("ID=ubuntu", "apt install bluez"), ("ID=fedora\n", "dnf install bluez"),
            ("ID=\"centos\"\nID_LIKE=\"rhel fedora\"\n", "dnf install bluez"),
            ("ID_LIKE='rhel'\n", "dnf install bluez"), ("ID=arch\n", "pacman -S bluez bluez-utils"),
            ("ID=alpine\n", "apk add bluez"), ("ID=\"opensuse-leap\"\n", "zypper install bluez"),
            ("ID=sles\nID_LIKE=\"suse\"\n", "zypper install bluez"), ("ID=plan9\n", nil),
            ("NAME=debian\n", nil), ("ID\n", nil),
        ] as [(String, String?)])
    func eachDistributionInstallsInItsWay(_ release: String, _ command: String?) throws {
        #expect(try Computer(["/etc/os-release": release]).facts().installCommand == command)
    }

    @Test func theGroupIsReadFromItsFile() throws {
        func isIn(_ text: String) throws -> Bool? {
            try Computer(["/etc/group": text]).facts().isInGroup
        }
        let own = getegid()
        #expect(try isIn("root:x:0:\nbluetooth:x:\(own):\n") == true)
        #expect(try isIn("bluetooth:x:4000000000:\n") == false)
        #expect(try isIn("bluetooth:x:4000000000") == false)
        #expect(try isIn("bluetoothd:x:\(own):\n") == nil)
        #expect(try isIn("bluetooth:x\n") == nil)
        #expect(try isIn("bluetooth:x:many:\n") == nil)
    }
}
