"""How each client is told to fetch: one URL into one file, or a list of them into a folder.

The same for all: nobody's configuration, no display, one connection unless the section says otherwise, the certificate
verified (but for axel, whose check of the host name refuses a certificate that the others accept).
"""

from pathlib import Path

from tools import builds, peers


def is_ours(client):
    return client in builds


def is_peer(case):
    """A case is named for its client, perhaps with how it is told to work: `curl -Z`."""
    return case.split(" ")[0] in peers


def fetch(tools, client, url, out, trust=None, connections=1):
    """The command; `trust` is a file of certificates, None where the client has to find its own."""
    out = Path(out)
    many = str(connections)
    if is_ours(client):
        command = [tools.builds[client], "--no-config", "-q", *option("--cacert", trust)]
        return command + (["-x", many] if connections > 1 else []) + ["-o", out, url]
    if client == "curl":
        return ["curl", "-q", "-sS", "-f", *option("--cacert", trust), "-o", out, url]
    if client in ("wget", "wget2"):
        return [client, "--no-config", "-q", *joined("--ca-certificate", trust), "-O", out, url]
    if client == "aria2c":
        to = ["-d", out.parent, "-o", out.name, "-x", many, "-s", many, "-k", "1M"]
        return aria2(trust) + to + [url]
    if client == "axel":
        return ["axel", "-q", *(["-k"] if trust else []), "-n", many, "-o", out, url]
    raise ValueError(client)


def fetch_list(tools, client, urls, folder, jobs, trust=None):
    """The command for all of the file `urls`, a URL a line, `jobs` at once; None where the client has no such thing."""
    if is_ours(client):
        command = [tools.builds[client], "--no-config", "-q", *option("--cacert", trust)]
        return [*command, "-j", str(jobs), "-i", urls, "-P", folder]
    if client == "curl":
        at_once = ["-Z", "--parallel-immediate", "--parallel-max", str(min(jobs, 300))] if jobs > 1 else []
        return ["curl", "-q", "-sS", "-f", *at_once, "-K", curl_list(urls, folder, trust)]
    if client == "wget" and jobs == 1:
        return ["wget", "--no-config", "-q", *joined("--ca-certificate", trust), "-i", urls, "-P", folder]
    if client == "wget2":
        at_once = f"--max-threads={jobs}"
        return ["wget2", "--no-config", "-q", at_once, *joined("--ca-certificate", trust), "-i", urls, "-P", folder]
    if client == "aria2c":
        return aria2(trust) + ["-j", str(jobs), "-x", "1", "-s", "1", "-i", urls, "-d", folder]
    return None


def leftovers(out):
    """What a client that was interrupted may have left of `out`."""
    out = Path(out)
    return [out] + [out.with_name(out.name + end) for end in (".part", ".part.meta", ".aria2", ".st")]


def aria2(trust):
    # By the system's resolver: its own finds no localhost in a network without a server of names.
    plain = ["--no-conf", "-q", "--async-dns=false", "--file-allocation=none"]
    plain += ["--allow-overwrite=true", "--auto-file-renaming=false"]
    return ["aria2c", *plain, *joined("--ca-certificate", trust)]


def curl_list(urls, folder, trust):
    """curl reads its list as a configuration."""
    certificates = f'cacert = "{trust}"\n' if trust else ""
    path = Path(urls).with_suffix(".curl")
    with open(path, "w") as out:
        for url in Path(urls).read_text().split():
            out.write(f'url = "{url}"\noutput = "{folder}/{url.rsplit("/", 1)[1]}"\n{certificates}')
    return path


def option(name, value):
    return [name, value] if value else []


def joined(name, value):
    return [f"{name}={value}"] if value else []
