"""Adapters for nginx and git, which have no parser to call: their answers show how they read URIs.

Neither connects to a network: nginx listens on a Unix domain socket in a private folder, and git
prints to which host it would connect.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from ._programs import find_program_version, make_failure, stop_process
from ._reading import Parser, Reading, UnreadError, create_reader

#: The schemes of URIs that git reads itself; libcurl reads those of http.
GIT_SCHEMES = frozenset({"git", "git+ssh", "ssh", "ssh+git"})

#: The time in which a program must start, and must answer, in seconds.
TIME_LIMIT = 20

#: The maximum length of a string in octets. It is below the size of nginx's buffer for the request
#: line, and below the length of an argument on Linux.
NGINX_LIMIT, GIT_LIMIT = 1_000_000, 100_000

#: The processes of git that run at the same time.
GIT_PROCESSES = 2

#: One process that stops with its parent's signal. It answers a request with the parts of its URI.
NGINX_CONFIGURATION = r"""
daemon off;
master_process off;
pid pid;
error_log error.log;
events { worker_connections 16; }
http {
    access_log off;
    client_body_temp_path body;
    fastcgi_temp_path fastcgi;
    proxy_temp_path proxy;
    scgi_temp_path scgi;
    uwsgi_temp_path uwsgi;
    keepalive_requests 1000000000;
    keepalive_timeout 1h;
    large_client_header_buffers 4 1m;
    server {
        listen unix:socket;
        location / { return 200 "$host\n$is_args$args\n$uri"; }
    }
}
"""

REQUEST = b"GET %s HTTP/1.1\r\nHost: other.invalid\r\n\r\n"

#: Matches the head of a response.
HEAD = re.compile(
    rb"HTTP/1\.1 (?P<status>\d+)[^\r]*\r\n(?:.*\r\n)*?Content-Length: (?P<length>\d+)\r\n"
    rb"(?:.*\r\n)*?Connection: (?P<connection>[a-z-]+)\r\n(?:.*\r\n)*?\r\n"
)

#: Matches the start of a request target in absolute form, which nginx accepts.
ABSOLUTE = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?:\[[^\]]*\]|[^:/?]*)(?::(?P<port>\d*))?"
)

#: Matches the lines that `git fetch-pack --diag-url` prints after the first, which repeats the URI.
#: A percent-decoded value may contain line breaks.
DIAGNOSIS = re.compile(
    r"Diag: protocol=(?P<protocol>.*?)\n"
    r"Diag: (?:userandhost=(?P<target>.*)\nDiag: port=(?P<port>.*)|hostandport=(?P<other>.*))\n"
    r"Diag: path=(?P<path>.*)\n",
    re.DOTALL,
)

GIT_SCHEME = re.compile(r"(?P<scheme>[A-Za-z0-9][A-Za-z0-9+.-]*)://")

#: Match the IP literal of a `git://` URI, and a port as the C function `strtol` reads it.
GIT_LITERAL = re.compile(r"\[(?P<address>[^\]]*)\]")
GIT_PORT = re.compile(r"\s*\+?0*[0-9]{1,10}", re.ASCII)

#: Matches an address for which git runs another program, such as `git-remote-ssh` for `ssh::a`.
GIT_HELPER = re.compile(r"[A-Za-z0-9][A-Za-z0-9+.-]*::")

#: Match the user names and the hosts that OpenSSH rejects since its release 9.6.
BAD_USER = re.compile(r"""\A\Z|\A-|['`";&<>|(){}]|\s-|\\\Z""", re.ASCII)
BAD_HOST = re.compile(r"""\A-|[\x00-\x20\x7f'`"$\\;&<>|(){}]""")


class RejectionError(Exception):
    """The program reports that the string is invalid."""


class Client:
    """A connection to nginx that sends each string as a request target."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection: socket.socket | None = None

    def parse(self, text: str) -> Reading:
        """Return how nginx reads a string that it receives as a request target.

        nginx does not report the scheme and the port, so they are read from the string. This is
        correct, because nginx accepts only digits as a port.
        """
        octets = encode_argument(text, NGINX_LIMIT)
        if not octets or re.search(rb"[ \r\n]", octets):
            raise UnreadError("a request target cannot be empty, nor contain spaces or line breaks")
        status, body = self.answer(REQUEST % octets)
        if status != 200:
            raise RejectionError(f"nginx answers with the status {status}")
        host, query, path = decode_output(body).split("\n", 2)
        absolute = ABSOLUTE.match(text)
        return Reading(
            "accepted",
            scheme=absolute["scheme"] if absolute else None,
            host=host if absolute else None,
            port=absolute["port"] if absolute else None,
            path=path,
            query=query[1:] if query else None,
        )

    def answer(self, request: bytes) -> tuple[int, bytes]:
        """Return the status and the body of nginx's response."""
        if self.connection is None:
            self.connection = socket.socket(socket.AF_UNIX)
            self.connection.settimeout(TIME_LIMIT)
            self.connection.connect(str(self.path))
        is_complete = False
        try:
            self.connection.sendall(request)
            response = b""
            while not (head := HEAD.match(response)):
                response += self.receive()
            while len(response) < head.end() + int(head["length"]):
                response += self.receive()
            is_complete = head["connection"] == b"keep-alive"
        finally:
            if not is_complete:
                self.close()
        return int(head["status"]), response[head.end() :]

    def receive(self) -> bytes:
        assert self.connection
        octets = self.connection.recv(65536)
        if not octets:
            raise ConnectionError("nginx closed the connection without a response")
        return octets

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


@contextmanager
def run_nginx() -> Generator[Path]:
    """Run nginx in a private folder, and yield the path of its socket."""
    with TemporaryDirectory(prefix="uriverse-nginx-") as name:
        folder = Path(name)
        (folder / "nginx.conf").write_text(NGINX_CONFIGURATION, "utf-8")
        command = ("nginx", "-p", name, "-c", "nginx.conf", "-e", "error.log")
        with subprocess.Popen(
            command,
            cwd=name,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                await_socket(process, folder / "socket")
                yield folder / "socket"
            finally:
                stop_process(process)


def await_socket(process: subprocess.Popen[bytes], path: Path) -> None:
    """Wait until nginx accepts connections."""
    start = monotonic()
    while process.poll() is None and monotonic() - start < TIME_LIMIT:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            sleep(0.01)
        else:
            return
    log = path.with_name("error.log")
    raise OSError(f"nginx does not start: {log.read_text('utf-8') if log.exists() else ''}")


def read_nginx(texts: Sequence[str]) -> list[Reading]:
    """Read strings with nginx, each as the target of an HTTP request."""
    try:
        with run_nginx() as path:
            client = Client(path)
            try:
                return create_reader(client.parse, [RejectionError])(texts)
            finally:
                client.close()
    except OSError as error:
        return [make_failure(str(error))] * len(texts)


def read_git(texts: Sequence[str]) -> list[Reading]:
    """Parse strings as repository addresses, with git.

    git passes http and https URIs to libcurl, so the adapter replaces their scheme with `ssh`, and
    returns the original scheme. git starts OpenSSH for this scheme, so a string that OpenSSH
    rejects counts as rejected. The path includes the query and the fragment, because git does not
    separate them; git rejects such a URI without a path. One process reads one string: about 300
    strings per second.
    """
    with TemporaryDirectory(prefix="uriverse-git-") as name:
        try:
            run_git(("init", "--quiet", "."), name)
        except (OSError, subprocess.SubprocessError) as error:
            return [make_failure(str(error))] * len(texts)
        read = create_reader(partial(parse_git, name), [RejectionError])
        with ThreadPoolExecutor(GIT_PROCESSES) as pool:
            return [reading for [reading] in pool.map(read, ([text] for text in texts))]


def parse_git(folder: str, text: str) -> Reading:
    """Start git in a repository, and return the components that it finds in a string."""
    if text.startswith("-"):
        raise UnreadError("git reads a string that starts with a hyphen as an option")
    address = re.sub(r"\Ahttps?://", "ssh://", encode_argument(text, GIT_LIMIT).decode())
    if GIT_HELPER.match(address):
        raise RejectionError("git runs another program for this address")
    process = run_git(("fetch-pack", "--diag-url", address), folder)
    if process.returncode:
        message = decode_output(process.stderr).strip()
        raise (RejectionError if message.startswith("fatal:") else RuntimeError)(message)
    diagnosis = DIAGNOSIS.fullmatch(
        decode_output(process.stdout).removeprefix(f"Diag: url={address}\n")
    )
    if diagnosis is None:
        raise RuntimeError(f"git printed {process.stdout!r}")
    scheme = GIT_SCHEME.match(text)
    # An address without "//", such as "host:path", is an SSH address.
    reading = Reading(
        "accepted",
        scheme=scheme["scheme"] if scheme else diagnosis["protocol"].partition("file")[0] or None,
        path=diagnosis["path"],
    )
    if diagnosis["other"] is not None:
        return add_git_authority(reading, diagnosis["other"])
    userinfo, at_sign, host = (diagnosis["target"] or "").rpartition("@")
    port = None if diagnosis["port"] in {None, "NONE"} else str(int(diagnosis["port"]))
    if (at_sign and BAD_USER.search(userinfo)) or BAD_HOST.search(host) or port == "0":
        raise RejectionError("OpenSSH rejects the user name, the host or the port")
    return reading._replace(userinfo=userinfo if at_sign else None, host=host or None, port=port)


def add_git_authority(reading: Reading, authority: str) -> Reading:
    """Add the host and the port of a `git://` URI, in which git knows no userinfo."""
    if "\n" in authority + (reading.path or ""):
        raise RejectionError("git rejects line breaks in a git:// URI")
    literal = GIT_LITERAL.match(authority)
    after_literal = authority[literal.end() :] if literal else authority
    name, _, digits = after_literal.partition(":")
    port = str(int(digits)) if GIT_PORT.fullmatch(digits) and int(digits) < 65536 else None
    host = literal["address"] if literal else name
    if not literal and digits and port is None:
        host = authority  # an invalid port counts as part of the host
    return reading._replace(host=host or None, port=port)


def run_git(arguments: Sequence[str], folder: str) -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder, ignoring the configuration of the user and of the system."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    configuration = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    return subprocess.run(
        ("git", *arguments),
        capture_output=True,
        check=False,
        cwd=folder,
        env=environment | configuration,
        stdin=subprocess.DEVNULL,
        timeout=TIME_LIMIT,
    )


def encode_argument(text: str, limit: int) -> bytes:
    """Encode a string as UTF-8; raise `UnreadError` if the string cannot be an argument."""
    if "\0" in text:
        raise UnreadError("the program cannot receive NUL")
    try:
        octets = text.encode()
    except UnicodeEncodeError:
        raise UnreadError("UTF-8 cannot represent a lone surrogate") from None
    if len(octets) > limit:
        raise UnreadError(f"the string is longer than {limit} octets")
    return octets


def decode_output(octets: bytes) -> str:
    return octets.decode(errors="backslashreplace")


def create_nginx_parser() -> Parser | None:
    path = shutil.which("nginx")
    version = find_program_version(path, "-v") if path else None
    return Parser("nginx", version, frozenset(), read_nginx) if version else None


def create_git_parser() -> Parser | None:
    path = shutil.which("git")
    version = find_program_version(path, "--version") if path else None
    return Parser("git", version, GIT_SCHEMES, read_git) if version else None


#: Functions that find the programs, by name. They return `None` if a program is not installed.
FINDERS: dict[str, Callable[[], Parser | None]] = {
    "nginx": create_nginx_parser,
    "git": create_git_parser,
}
