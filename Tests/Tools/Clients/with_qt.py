"""Qt's QtBluetooth, by PySide6: an event loop in C++, over QtDBus."""

import sys

from PySide6 import QtBluetooth as bluetooth
from PySide6.QtCore import QByteArray, QCoreApplication, QEventLoop, QTimer, QUuid

import facts
from facts import expect

Controller = bluetooth.QLowEnergyController
Service = bluetooth.QLowEnergyService


def wait(what, signal, action=lambda: None, condition=lambda: True):
    """Does something, and runs the event loop until a signal has come and a condition is true."""
    loop = QEventLoop()
    done = []

    def look():
        if condition():
            done.append(True)
            loop.quit()

    connection = signal.connect(lambda *_: look())
    # The signal may come before this returns.
    action()
    if not done:
        QTimer.singleShot(facts.WAIT * 1000, loop.quit)
        loop.exec()
    signal.disconnect(connection)
    if not done:
        raise TimeoutError(f"{what}: not within {facts.WAIT} s")


def find():
    """Scans until the ring and the strap are found; returns them."""
    agent = bluetooth.QBluetoothDeviceDiscoveryAgent()
    found = {}
    agent.deviceDiscovered.connect(lambda device: found.setdefault(device.name(), device))

    def rings():
        return [device for name, device in found.items() if name.startswith(facts.RING_PREFIX)]

    wait("the ring and the strap are found", agent.deviceDiscovered,
         lambda: agent.start(agent.DiscoveryMethod.LowEnergyMethod),
         lambda: rings() and facts.STRAP in found)
    agent.stop()
    return rings()[0], found[facts.STRAP]


def identifier(uuid):
    return bluetooth.QBluetoothUuid(QUuid(uuid))


class Device:
    """A device that is connected, and its services."""

    def __init__(self, info):
        self.name = info.name()
        self.controller = Controller.createCentral(info)
        self.lost = []
        self.controller.disconnected.connect(lambda: self.lost.append(self.name))
        wait(f"{self.name} is connected", self.controller.connected,
             self.controller.connectToDevice)
        wait(f"the services of {self.name}", self.controller.discoveryFinished,
             self.controller.discoverServices)

    def service(self, uuid):
        """A service with its characteristics, whose values have been read."""
        service = self.controller.createServiceObject(identifier(uuid))
        expect(f"{self.name} has {uuid}", service is not None, True)
        wait(f"the characteristics of {uuid}", service.stateChanged, service.discoverDetails,
             lambda: service.state() == Service.ServiceState.RemoteServiceDiscovered)
        return service


def characteristic(service, uuid):
    found = service.characteristic(identifier(uuid))
    expect(f"{uuid} is there", found.isValid(), True)
    return found


def listen(service, uuid):
    """Subscribes to a characteristic; returns the list to which its values are added."""
    values = []
    source = characteristic(service, uuid)
    service.characteristicChanged.connect(
        lambda changed, value: changed.uuid() == source.uuid() and values.append(value.data()))
    descriptor = source.clientCharacteristicConfiguration()
    wait(f"{uuid} is subscribed to", service.descriptorWritten,
         lambda: service.writeDescriptor(descriptor, QByteArray(b"\x01\x00")))
    return values


def read(service, uuid):
    values = []
    service.characteristicRead.connect(lambda _, value: values.append(value.data()))
    wait(f"{uuid} is read", service.characteristicRead,
         lambda: service.readCharacteristic(characteristic(service, uuid)))
    return values[0]


def main():
    ring_info, strap_info = find()
    ring = Device(ring_info)
    facts.check_firmware(read(ring.service(facts.DEVICE_INFORMATION), facts.FIRMWARE_REVISION))

    uart = ring.service(facts.UART)
    values = listen(uart, facts.UART_NOTIFY)
    write = characteristic(uart, facts.UART_WRITE)

    def replies():
        return [value for value in values if facts.is_battery_reply(value)]

    def request(content, mode=Service.WriteMode.WriteWithResponse):
        uart.writeCharacteristic(write, QByteArray(content), mode)

    wait("the ring replies", uart.characteristicChanged,
         lambda: request(facts.BATTERY_REQUEST), replies)
    battery = facts.check_battery_reply(replies()[0])
    wait("the ring replies again", uart.characteristicChanged,
         lambda: request(facts.BATTERY_REQUEST, Service.WriteMode.WriteWithoutResponse),
         lambda: len(replies()) == 2)
    expect("the second reply", replies()[1], replies()[0])

    strap = Device(strap_info)
    facts.check_strap(
        read(strap.service(facts.DEVICE_INFORMATION), facts.MANUFACTURER_NAME),
        read(strap.service(facts.BATTERY), facts.BATTERY_LEVEL))
    heart_rate = strap.service(facts.HEART_RATE)
    rates = listen(heart_rate, facts.HEART_RATE_MEASUREMENT)
    wait("heart rates come", heart_rate.characteristicChanged,
         condition=lambda: len(rates) >= facts.HEART_RATES)
    count = facts.check_heart_rates(rates)

    expect("who was lost before its time", ring.lost + strap.lost, [])
    wait("the link is lost", ring.controller.disconnected,
         lambda: request(facts.POWER_OFF_REQUEST))
    expect("the ring's state", ring.controller.state(), Controller.ControllerState.UnconnectedState)
    expect("who is lost", ring.lost + strap.lost, [ring.name])
    wait("the strap is disconnected", strap.controller.disconnected,
         strap.controller.disconnectFromDevice)
    facts.passed("found", "connected", "read", f"battery {battery} %", f"{count} heart rates",
                 "lost link")


application = QCoreApplication(sys.argv)
main()
