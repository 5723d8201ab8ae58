import TestSupport
import Testing

@testable import HaloDBus

/// Descriptions of objects, byte for byte.
@Suite(.computes) struct IntrospectionTests {
    private static let head = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>

        """
    private static let introspectable = """
          <interface name="org.freedesktop.DBus.Introspectable">
            <method name="Introspect">
              <arg name="xml_data" type="s" direction="out"/>
            </method>
          </interface>

        """
    private static let properties = """
          <interface name="org.freedesktop.DBus.Properties">
            <method name="Get">
              <arg name="interface" type="s" direction="in"/>
              <arg name="name" type="s" direction="in"/>
              <arg name="value" type="v" direction="out"/>
            </method>
            <method name="Set">
              <arg name="interface" type="s" direction="in"/>
              <arg name="name" type="s" direction="in"/>
              <arg name="value" type="v" direction="in"/>
            </method>
            <method name="GetAll">
              <arg name="interface" type="s" direction="in"/>
              <arg name="properties" type="a{sv}" direction="out"/>
            </method>
            <signal name="PropertiesChanged">
              <arg name="interface" type="s"/>
              <arg name="changed_properties" type="a{sv}"/>
              <arg name="invalidated_properties" type="as"/>
            </signal>
          </interface>

        """
    private static let peer = """
          <interface name="org.freedesktop.DBus.Peer">
            <method name="Ping"/>
            <method name="GetMachineId">
              <arg name="machine_uuid" type="s" direction="out"/>
            </method>
          </interface>

        """
    private static let own = """
          <interface name="org.example.Thing">
            <method name="Add">
              <arg name="a" type="i" direction="in"/>
              <arg type="i" direction="in"/>
              <arg name="sum" type="i" direction="out"/>
            </method>
            <method name="Do"/>
            <signal name="Happened">
              <arg name="what" type="as"/>
            </signal>
            <signal name="Over"/>
            <property name="Name" type="s" access="readwrite"/>
            <property name="Level" type="y" access="read"/>
            <property name="Fixed" type="q" access="read"/>
            <property name="Absent" type="s" access="read"/>
          </interface>
          <interface name="org.example.&quot;&lt;Other&gt;&amp;&quot;">
            <property name="More" type="y" access="read"/>
            <property name="Name" type="y" access="read"/>
          </interface>

        """
    private static let end = """
          <node name="b"/>
          <node name="c"/>
        </node>

        """
    private static let manager = """
          <interface name="org.freedesktop.DBus.ObjectManager">
            <method name="GetManagedObjects">
              <arg name="objects" type="a{oa{sa{sv}}}" direction="out"/>
            </method>
            <signal name="InterfacesAdded">
              <arg name="object" type="o"/>
              <arg name="interfaces" type="a{sa{sv}}"/>
            </signal>
            <signal name="InterfacesRemoved">
              <arg name="object" type="o"/>
              <arg name="interfaces" type="as"/>
            </signal>
          </interface>

        """

    /// The whole text.
    @Test func theDescriptionIsXML() {
        let text = DBusObject.description(of: ObjectAnswerTests.object, children: ["b", "c"])
        let usual = Self.head + Self.introspectable
        #expect(text == usual + Self.properties + Self.peer + Self.own + Self.end)
        #expect(
            DBusObject.description(of: nil, children: []) == usual + Self.peer + "</node>\n")
        for management in [DBusObject.ObjectManagement.ownInterfaces, .allInterfaces] {
            #expect(
                DBusObject.description(of: DBusObject(objectManager: management), children: [])
                    == usual + Self.properties + Self.peer + Self.manager + "</node>\n")
        }
    }

    /// The names of the children, each once, in order.
    @Test(arguments: [
        ("/", ["org", "x"]), ("/org", ["a", "ab"]), ("/org/a", ["b"]), ("/org/a/b", []),
        ("/x", ["y"]),
    ])
    func descriptionsListTheChildren(_ place: String, _ children: [String]) throws {
        var tree = ObjectAnswerTests.tree()
        tree.objects[path("/org/ab")] = DBusObject()
        tree.objects[path("/x/y/z")] = DBusObject()
        let interface = "org.freedesktop.DBus.Introspectable"
        guard
            case .reply(let values) = tree.answer("Introspect", of: interface, at: path(place), [])
        else {
            Issue.record("\(place) has no description")
            return
        }
        let text = try #require(values.first?.string)
        let names = text.matches(of: /<node name="(.*)"\/>/).map { String($0.1) }
        #expect(names == children)
    }
}
