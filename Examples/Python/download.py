#!/usr/bin/env python3
"""Downloads one file through librawget.so: download.py LIBRARY URL FILE"""
import ctypes
import sys
from ctypes import c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_void_p


class Options(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("url", c_char_p), ("file", c_char_p), ("directory", c_char_p),
                ("user_data", c_void_p), ("mirrors", c_void_p), ("fields", c_void_p), ("checksum", c_char_p),
                ("ca_file", c_char_p), ("proxy", c_char_p), ("user_agent", c_char_p), ("flags", c_uint32),
                ("existing", c_int32), ("connections", c_int32), ("retries", c_int32), ("connect_timeout", c_int64),
                ("response_timeout", c_int64), ("idle_timeout", c_int64), ("total_timeout", c_int64),
                ("rate_limit", c_int64), ("length_limit", c_int64)]


class Event(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("download", c_void_p), ("user_data", c_void_p), ("kind", c_int32),
                ("status", c_int32), ("kept", c_int64), ("complete_length", c_int64), ("delay", c_int64),
                ("reason", c_char_p), ("uri", c_char_p)]


FINISHED = 2
ABI_VERSION = 1


def main(library, url, file):
    rawget = ctypes.CDLL(library)
    if rawget.rawget_abi_version() != ABI_VERSION:
        return 16
    rawget.rawget_download_create.restype = c_void_p
    loop = c_void_p()
    if rawget.rawget_loop_create(ctypes.byref(loop)) != 0:
        return 1
    options = Options(size=ctypes.sizeof(Options), url=url.encode(), file=file.encode())
    download = c_void_p(rawget.rawget_download_create(ctypes.byref(options)))
    rawget.rawget_loop_add(loop, download)
    event = Event(size=ctypes.sizeof(Event))
    while event.kind != FINISHED:
        if rawget.rawget_loop_run(loop, c_int64(500), ctypes.byref(event)) != 0:
            return 1
        if event.kind == 0:  # nothing happened for half a second
            print("still there")
    print(f"status {event.status}, {event.kept} bytes")
    rawget.rawget_download_free(download)
    rawget.rawget_loop_free(loop)
    return event.status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]) if len(sys.argv) == 4 else 2)
