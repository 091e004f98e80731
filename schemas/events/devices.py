"""Card reader, Masque reader, shuffler and shoe: inspection, fault, repair."""

from typing import Literal

from schemas.payload import Payload
from schemas.values import Text


class DeviceInspected(Payload, frozen=True):
    """Inspection of a device by the floorperson."""

    device: Literal["card_reader", "masque_reader", "shuffler", "shoe"]
    staff: Text
    working: bool
    tampered: bool


class DeviceFault(Payload, frozen=True):
    """The device reports or is seen to fail."""

    device: Literal["card_reader", "masque_reader", "shuffler", "shoe"]
    fault: Literal["jam", "stopped", "incomplete_cycle", "malfunction"]


class DeviceRestored(Payload, frozen=True):
    """Back in use."""

    device: Literal["card_reader", "masque_reader", "shuffler", "shoe"]
    how: Literal["repaired", "replaced", "cleared"]


class DeviceOutOfServiceMarked(Payload, frozen=True):
    """The device is covered or carries an out-of-order sign."""

    device: Literal["card_reader", "masque_reader", "shuffler", "shoe"]
    how: Literal["covered", "signed"]
