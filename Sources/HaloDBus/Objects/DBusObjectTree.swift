#if os(Linux)
/// The objects that a connection exports, and what is asked of them and not answered.
struct DBusObjectTree: Sendable {
    /// What a call comes to.
    enum Outcome {
        case reply([DBusValue])
        case refuse(DBusRefusal)
        /// Somebody has to be asked.
        case request(DBusObjectRequest.Subject, DBusInterface)
    }

    private(set) var objects: [DBusObjectPath: DBusObject] = [:]
    private(set) var requests: [UInt64: DBusObjectRequest] = [:]
    private var lastID: UInt64 = 0
    /// How what cannot be answered is refused.
    var wording = DBusWording.plain
    /// What this computer calls itself.
    var machineID: String?

    mutating func add(_ object: DBusObject, at path: DBusObjectPath) -> Bool {
        guard objects[path] == nil else { return false }
        objects[path] = object
        return true
    }

    mutating func remove(_ path: DBusObjectPath) -> DBusObject? {
        objects.removeValue(forKey: path)
    }

    mutating func set(
        _ value: DBusValue?, _ name: String, _ interface: String, at path: DBusObjectPath
    ) {
        objects[path]?.values[interface, default: [:]][name] = value
    }

    mutating func add(_ make: (UInt64) -> DBusObjectRequest) -> DBusObjectRequest {
        lastID &+= 1
        let request = make(lastID)
        requests[lastID] = request
        return request
    }

    mutating func takeRequest(_ id: UInt64) -> DBusObjectRequest? {
        requests.removeValue(forKey: id)
    }

    mutating func forgetRequests() { requests = [:] }

    /// Those who tell of what is at a path: objects above it.
    func managers(of path: DBusObjectPath) -> [(DBusObjectPath, DBusObject.Management)] {
        objects.filter { $1.management != .none && $0 != path && path.isInside($0) }
            .map { ($0.key, $0.value.management) }.sorted { $0.0.text < $1.0.text }
    }

    /// What a call comes to.
    func answer(
        _ member: String, of interface: String?, at path: DBusObjectPath,
        _ arguments: [DBusValue]
    ) -> Outcome {
        // Whether anybody is there can be asked at any path.
        if interface == DBusInterface.peer.name { return peer(member) }
        let object = objects[path]
        let question = DBusWording.Question(
            member: member, interface: interface, arguments: arguments, path: path)
        if member == "Introspect",
            interface == nil || interface == DBusInterface.introspectable.name
        {
            let children = childNames(of: path)
            if object != nil || !children.isEmpty || path == .root {
                guard arguments.isEmpty else { return .refuse(wording.wrongTypes(question, [])) }
                return .reply([.string(DBusObject.description(of: object, children: children))])
            }
        }
        guard let object else { return .refuse(wording.unknownObject(question)) }
        let candidates = (object.interfaces + object.standardInterfaces).filter {
            interface == nil || $0.name == interface
        }
        guard !candidates.isEmpty else {
            return .refuse(wording.unknownInterface(question))
        }
        guard let found = candidates.first(where: { $0.method(member) != nil }),
            let method = found.method(member)
        else {
            return .refuse(wording.unknownMethod(question))
        }
        let types = method.inputs.map(\.type)
        guard types.count == arguments.count,
            zip(arguments, types).allSatisfy({ $0.isOf($1) })
        else { return .refuse(wording.wrongTypes(question, types)) }
        switch found.name {
        case DBusInterface.properties.name where object.interface(found.name) == nil:
            return property(member, object, path, arguments)
        case DBusInterface.objectManager.name where object.interface(found.name) == nil:
            return .reply([managedObjects(below: path, object.management)])
        case DBusInterface.peer.name where object.interface(found.name) == nil:
            return peer(member)
        default:
            return .request(.method(method.outputs.map(\.type)), found)
        }
    }

    private func peer(_ member: String) -> Outcome {
        switch member {
        case "Ping": return .reply([])
        case "GetMachineId":
            guard let machineID else { return .refuse(.failed("This machine has no id")) }
            return .reply([.string(machineID)])
        default: return .refuse(.unknownMethod(member, "", DBusInterface.peer.name))
        }
    }

    private func property(
        _ member: String, _ object: DBusObject, _ path: DBusObjectPath, _ arguments: [DBusValue]
    ) -> Outcome {
        guard case .string(let name)? = arguments.first else { return .reply([]) }
        guard let interface = object.interface(name) else {
            let isStandard = object.standardInterfaces.contains { $0.name == name }
            let isAll = name.isEmpty && wording.knowsAllInterfaces
            return member == "GetAll" && (isStandard || isAll)
                ? .reply([.properties(name.isEmpty ? object.allReadable : [:])])
                : .refuse(wording.unknownInterface(ofProperty: name, at: path))
        }
        if member == "GetAll" { return .reply([.properties(object.readable(interface))]) }
        guard arguments.count > 1, case .string(let propertyName) = arguments[1],
            let property = interface.property(propertyName)
        else {
            let name = arguments.dropFirst().first?.string ?? ""
            return .refuse(
                wording.unknownProperty(name, of: interface.name, isWritten: member == "Set"))
        }
        guard member == "Set" else {
            guard property.access != .write else {
                return .refuse(wording.notReadable(propertyName))
            }
            guard let value = object.values[interface.name]?[propertyName] else {
                return .refuse(
                    wording.unknownProperty(propertyName, of: interface.name, isWritten: false))
            }
            return .reply([.variant(value)])
        }
        guard property.access != .read else { return .refuse(.readOnly(propertyName)) }
        guard case .variant(let value)? = arguments.last, value.isOf(property.type) else {
            return .refuse(wording.wrongType(ofProperty: propertyName, property.type))
        }
        return .request(.property(propertyName, value), interface)
    }

    private func managedObjects(
        below path: DBusObjectPath, _ management: DBusObject.Management
    ) -> DBusValue {
        let found = objects.filter { $0.key != path && $0.key.isInside(path) }
            .sorted { $0.key.text < $1.key.text }
        return DBusInterface.dictionary(
            found.map { (path: $0.key, value: $0.value.description(management)) })
    }

    /// The next elements of the paths that lie below one.
    private func childNames(of path: DBusObjectPath) -> [String] {
        let skipped = path == .root ? 1 : path.text.utf8.count + 1
        var names: Set<String> = []
        for other in objects.keys where other != path && other.isInside(path) {
            let rest = other.text.utf8.dropFirst(skipped)
            names.insert(String(decoding: rest.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self))
        }
        return names.sorted()
    }
}

extension DBusObject {
    /// Everything that can be read of it.
    fileprivate var allReadable: [String: DBusValue] {
        interfaces.reduce(into: [:]) { $0.merge(readable($1)) { first, _ in first } }
    }
}
#endif
