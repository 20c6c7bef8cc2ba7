"""The structures of the Arrow C data interface.

https://arrow.apache.org/docs/format/CDataInterface.html#structure-definitions
"""

import ctypes
from ctypes import Structure, c_char_p, c_int32, c_int64, c_void_p
from typing import Any


class Schema(Structure):
    _fields_ = (
        *((name, c_void_p) for name in ("format", "name", "metadata")),
        *((name, c_int64) for name in ("flags", "n_children")),
        *((name, c_void_p) for name in ("children", "dictionary", "release", "private_data")),
    )


class Array(Structure):
    _fields_ = (
        *((key, c_int64) for key in ("length", "null_count", "offset", "n_buffers", "n_children")),
        *((name, c_void_p) for name in ("buffers", "children", "dictionary", "release")),
        ("private_data", c_void_p),
    )


class DeviceArray(Structure):
    _fields_ = (
        *(("array", Array), ("device_id", c_int64), ("device_type", c_int32)),
        *(("sync_event", c_void_p), ("reserved", c_int64 * 3)),
    )


class Stream(Structure):
    _fields_ = tuple(
        (name, c_void_p)
        for name in ("get_schema", "get_next", "get_last_error", "release", "private_data")
    )


def capsule(made: Structure, name: bytes) -> Any:
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, (c_void_p, c_char_p, c_void_p)
    return new(ctypes.addressof(made), name, None)


def content(capsule: Any, name: bytes) -> int:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = c_void_p, (ctypes.py_object, c_char_p)
    address: int = get(capsule, name)
    return address
