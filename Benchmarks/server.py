"""nginx on two free ports of the loopback interface, the certificates it shows, the files it has, and the proxy that
stands before it where the network is to be slow."""

import contextlib
import json
import os
import random
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

from tools import Missing

system_store = Path("/etc/ssl/certs")  # hashed, on Debian and what descends from it
system_bundle = system_store / "ca-certificates.crt"


class Server:
    """Everything is in `folder`, and gone after `stop`."""

    def __init__(self, tools, folder: Path):
        self.tools, self.folder, self.root = tools, folder, folder / "www"
        self.root.mkdir()
        make_certificates(tools, folder)
        self.authority = folder / "authority.pem"
        self.log = folder / "access.log"
        for _ in range(8):
            self.http, self.https = free_port(), free_port()
            if self.start():
                return
        raise Missing("nginx does not start:\n" + (folder / "error.log").read_text())

    def start(self):
        configuration = self.folder / "nginx.conf"
        configuration.write_text(nginx_configuration(self.folder, self.root, self.http, self.https))
        log = self.folder / "error.log"
        command = [self.tools.nginx, "-p", self.folder, "-e", log, "-c", configuration]
        nothing = subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing)
        while self.process.poll() is None:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.https), 1).close()
                return True
            time.sleep(0.02)
        return False

    def stop(self):
        end(self.process)

    def port(self, secure):
        return self.https if secure else self.http

    def file(self, name, size):
        """A file of random bytes; the same one when asked for again."""
        path = self.root / name
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            chance = random.Random(name)
            with open(path, "wb") as out:
                for start in range(0, size, 1 << 20):
                    out.write(chance.randbytes(min(1 << 20, size - start)))
        return path

    def connections_since(self, position):
        """Connections and requests that the access log has beyond `position`, in bytes."""
        time.sleep(0.05)  # nginx logs a request after its last byte has gone
        with open(self.log) as log:
            log.seek(position)
            lines = [line.split() for line in log]
        return len({line[0] for line in lines}), len(lines)

    @contextlib.contextmanager
    def slowed(self, secure=False, **conditions):
        """A port behind the proxy, and after the block what the proxy saw."""
        words = [f"{name}={value}" for name, value in conditions.items()]
        program = self.tools.program("proxy")
        process = subprocess.Popen([program, str(self.port(secure)), *words], stdout=subprocess.PIPE, text=True)
        seen = {"port": int(process.stdout.readline())}
        try:
            yield seen
        finally:
            process.terminate()
            report = process.communicate()[0]
            with contextlib.suppress(ValueError):
                seen.update(json.loads(report))


def url(port, path, secure=False):
    return f"https://localhost:{port}{path}" if secure else f"http://127.0.0.1:{port}{path}"


def end(process):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_certificates(tools, folder):
    """An authority of our own, a certificate for this machine, and both of the system's stores with ours in them."""

    def openssl(*words):
        return subprocess.run([tools.openssl, *words], cwd=folder, check=True, capture_output=True, text=True).stdout

    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    ours = ["-keyout", "authority.key", "-out", "authority.pem", "-subj", "/CN=rawget benchmarks"]
    openssl("req", "-x509", *curve, "-days", "2", "-addext", "basicConstraints=critical,CA:TRUE", *ours)
    openssl("req", *curve, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    issued_by = ["-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial"]
    openssl("x509", "-req", "-in", "server.csr", *issued_by, "-days", "2", "-extfile", "names", "-out", "server.pem")

    store = folder / "store"
    store.mkdir()
    if system_store.is_dir():
        for entry in system_store.iterdir():
            if re.fullmatch(r"[0-9a-f]{8}\.\d", entry.name):
                shutil.copy(entry, store / entry.name)
    name = openssl("x509", "-hash", "-noout", "-in", "authority.pem").strip()
    shutil.copy(folder / "authority.pem", store / f"{name}.0")
    theirs = system_bundle.read_text() if system_bundle.exists() else ""
    (folder / "bundle.pem").write_text(theirs + (folder / "authority.pem").read_text())


def nginx_configuration(folder, root, http, https):
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    user = "user root;" if os.getuid() == 0 else ""
    return f"""
daemon off; {user} worker_processes 1; worker_rlimit_nofile 16384;
pid {folder}/nginx.pid;
events {{ worker_connections 8000; }}
http {{
  {temporary}
  default_type application/octet-stream;
  log_format connections '$connection $status $uri';
  access_log off;
  sendfile on; tcp_nodelay on;
  keepalive_requests 1000000; keepalive_timeout 120s;
  open_file_cache max=4000 inactive=600s; open_file_cache_valid 600s;
  ssl_certificate {folder}/server.pem; ssl_certificate_key {folder}/server.key;
  ssl_protocols TLSv1.3; ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256; ssl_session_tickets off;
  server {{
    listen 127.0.0.1:{http} backlog=4096;
    listen 127.0.0.1:{https} ssl backlog=4096;
    root {root};
    location /small/ {{ access_log {folder}/access.log connections; }}
    location /slow/ {{ rewrite ^ /slow break; }}
  }}
}}
"""
