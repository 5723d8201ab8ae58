#if os(Linux)
/// The exported objects of a connection, and the requests that wait for a reply.
struct DBusObjectTree: Sendable {
    enum Outcome {
        case reply([DBusValue])
        case refuse(DBusRefusal)
        case request(DBusObjectRequest.Subject, DBusInterface)
    }

    var objects: [DBusObjectPath: DBusObject] = [:]
    var requests: [UInt64: DBusObjectRequest] = [:]
    private var lastID: UInt64 = 0
    var errorStyle = DBusErrorStyle.standard
    var machineID: String?

    /// Keeps a request under a new number; returns it with the number.
    mutating func add(_ request: DBusObjectRequest) -> DBusObjectRequest {
        lastID &+= 1
        var request = request
        request.id = lastID
        requests[lastID] = request
        return request
    }

    func managers(of path: DBusObjectPath) -> [(DBusObjectPath, DBusObject.ObjectManagement)] {
        objects.filter { $1.objectManager != .none && $0 != path && path.isInside($0) }
            .map { ($0.key, $0.value.objectManager) }.sorted { $0.0.text < $1.0.text }
    }

    /// Answers a call, or returns the request for a handler.
    func answer(
        _ member: String, of interface: String?, at path: DBusObjectPath,
        _ arguments: [DBusValue]
    ) -> Outcome {
        // Answered at any path.
        if interface == DBusInterface.peer.name { return peer(member) }
        let object = objects[path]
        let call = DBusErrorStyle.Call(
            member: member, interface: interface, arguments: arguments, path: path)
        if member == "Introspect",
            interface == nil || interface == DBusInterface.introspectable.name
        {
            let children = childNames(of: path)
            if object != nil || !children.isEmpty || path == .root {
                guard arguments.isEmpty else { return .refuse(errorStyle.wrongTypes(call, [])) }
                return .reply([.string(DBusObject.description(of: object, children: children))])
            }
        }
        guard let object else { return .refuse(errorStyle.unknownObject(call)) }
        let candidates = (object.interfaces + object.standardInterfaces).filter {
            interface == nil || $0.name == interface
        }
        guard !candidates.isEmpty else {
            return .refuse(errorStyle.unknownInterface(call))
        }
        guard let found = candidates.first(where: { $0.method(member) != nil }),
            let method = found.method(member)
        else {
            return .refuse(errorStyle.unknownMethod(call))
        }
        let types = method.inputs.map(\.type)
        guard arguments.areOf(types) else {
            return .refuse(errorStyle.wrongTypes(call, types))
        }
        switch found.name {
        case DBusInterface.properties.name where object.interface(found.name) == nil:
            return property(member, object, path, arguments)
        case DBusInterface.objectManager.name where object.interface(found.name) == nil:
            return .reply([managedObjects(below: path, object.objectManager)])
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
        default:
            return .refuse(
                DBusErrorStyle.standard.unknownMethod(
                    .init(
                        member: member, interface: DBusInterface.peer.name, arguments: [],
                        path: .root)))
        }
    }

    private func property(
        _ member: String, _ object: DBusObject, _ path: DBusObjectPath, _ arguments: [DBusValue]
    ) -> Outcome {
        // The arguments are strings, and the value that is written.
        let name = arguments.first?.string ?? ""
        guard let interface = object.interface(name) else {
            let isStandard = object.standardInterfaces.contains { $0.name == name }
            let isAll = name.isEmpty && errorStyle.knowsAllInterfaces
            return member == DBusProperties.getAll && (isStandard || isAll)
                ? .reply([.properties(name.isEmpty ? object.allValues : [:])])
                : .refuse(errorStyle.unknownInterface(ofProperty: name, at: path))
        }
        if member == DBusProperties.getAll {
            return .reply([.properties(object.values(of: interface))])
        }
        let propertyName = arguments.dropFirst().first?.string ?? ""
        let isWritten = member == DBusProperties.set
        let property = interface.property(propertyName)
        if isWritten, property?.access == .read { return .refuse(.readOnly(propertyName)) }
        guard let property, let value = object.values[interface.name]?[propertyName] else {
            return .refuse(
                errorStyle.unknownProperty(
                    propertyName, of: interface.name, isWritten: isWritten))
        }
        guard isWritten else { return .reply([.variant(value)]) }
        guard case .variant(let value)? = arguments.last, value.isOf(property.type) else {
            return .refuse(errorStyle.wrongType(ofProperty: propertyName, property.type))
        }
        return .request(.property(propertyName, value), interface)
    }

    private func managedObjects(
        below path: DBusObjectPath, _ management: DBusObject.ObjectManagement
    ) -> DBusValue {
        let found = objects.filter { $0.key != path && $0.key.isInside(path) }
            .sorted { $0.key.text < $1.key.text }
        return DBusInterface.dictionary(
            found.map { (path: $0.key, value: $0.value.description(management)) })
    }

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
    /// All values; for a name that two properties have, the first one's.
    fileprivate var allValues: [String: DBusValue] {
        interfaces.reduce(into: [:]) { $0.merge(values(of: $1)) { first, _ in first } }
    }
}
#endif
