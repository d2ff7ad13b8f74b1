"""Watches a file grow: how much of it is right from its beginning on, averaged over the time."""

import contextlib
import mmap
import os
import threading
import time

piece = 1 << 18  # bytes


class Watch(threading.Thread):
    """Looks at the first of `paths` that is there, every 5 ms, until `mean` is asked for."""

    def __init__(self, paths, source):
        super().__init__(daemon=True)
        self.paths, self.size = paths, source.stat().st_size
        self.over = threading.Event()
        with open(source, "rb") as file:
            self.right = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)

    def run(self):
        self.began = last = time.monotonic()
        self.area, have = 0.0, 0
        while not self.over.wait(0.005):
            have = self.look(have)
            now = time.monotonic()
            self.area += have / self.size * (now - last)
            last = now

    def look(self, have):
        """Bytes that are right, `have` of which are known to be."""
        for path in self.paths:
            with contextlib.suppress(OSError):
                file = os.open(path, os.O_RDONLY)
                try:
                    return self.compare(file, have)
                finally:
                    os.close(file)
        return have

    def compare(self, file, have):
        while have < self.size:
            bytes_there = os.pread(file, piece, have)
            expected = self.right[have : have + len(bytes_there)]
            if not bytes_there:
                return have
            if bytes_there != expected:
                return have + next(i for i, (one, other) in enumerate(zip(bytes_there, expected)) if one != other)
            have += len(bytes_there)
        return have

    def mean(self):
        self.over.set()
        self.join()
        return self.area / max(time.monotonic() - self.began, 1e-9)
