// The types of other modules in the values, options and functions of devices: an app that writes
// their names needs no import beside HaloDevices.
@_exported public import struct HaloProtocol.Capabilities
@_exported public import struct HaloProtocol.CivilDate
@_exported public import struct HaloProtocol.CivilDateTime
@_exported public import struct HaloProtocol.CivilTime
@_exported public import struct HaloProtocol.DeviceInformation
@_exported public import struct HaloProtocol.Dialect
@_exported public import struct HaloProtocol.FirmwareVersion
@_exported public import struct HaloProtocol.HardwareVersion
@_exported public import struct HaloProtocol.LEDColour
@_exported public import enum HaloProtocol.LEDStripMode
@_exported public import struct HaloProtocol.Moment
@_exported public import enum HaloProtocol.RingLanguage
@_exported public import struct HaloProtocol.RingRecognition
@_exported public import struct HaloProtocol.SessionRules
@_exported public import enum HaloProtocol.Sport
@_exported public import struct HaloTransport.PeripheralIdentity
