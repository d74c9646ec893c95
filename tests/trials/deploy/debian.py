"""A bare Debian system in a folder: made by debootstrap once, then unpacked anew for each trial and entered by chroot.

The trial runs in namespaces of its own, so the system has all ports and host names to itself, and whatever it mounts or starts ends with
the trial. Only programs that fetch packages use the machine's network. Where packages come from is read from the machine's configuration.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.support.site_server import ROOT
from tests.trials.deploy import document
from tests.trials.lab.packages import programs
from tests.trials.lab.scorecard import NotRun

CACHE = ROOT / ".cache" / "deploy"
_HERE = Path(__file__).parent
_INSIDE = "DEPLOY_TRIAL_NETWORK"  # number of the open file that stands for the machine's network
_FETCHING = ("apt", "apt-get", "make")
NETWORK = "nsenter --net=/usr/local/lib/network"  # what follows uses the machine's network
_CLIENT_SETTINGS = re.compile(r"(?i)pip_|npm_config_|node_extra_ca|ssl_cert_file|requests_ca|curl_ca|.*_proxy$")
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_BASE = "python3,ca-certificates"  # with debootstrap's own choice, what Debian's installer calls a system without a desktop
_MAX_SECONDS = 1800


class CommandFailed(Exception):
    """A command of the guide failed: which, and the end of what it printed."""


def enter_namespaces() -> int | None:
    """Runs this program again in namespaces of its own and returns its exit code; None inside of them."""
    if _INSIDE in os.environ:
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        return None
    if os.geteuid() != 0:
        raise NotRun("needs root, to make a Debian system and to enter it")
    programs({"debootstrap": "debootstrap", "ip": "iproute2", "unshare": "util-linux", "openssl": "openssl"})
    base()
    network = os.open("/proc/self/ns/net", os.O_RDONLY)
    flags = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if subprocess.run(["unshare", *flags, "true"], capture_output=True).returncode:
        raise NotRun("needs namespaces for network, mounts and processes, which this machine does not allow")
    command = ["unshare", *flags, sys.executable, "-m", "tests.trials", *sys.argv[1:]]
    return subprocess.run(command, pass_fds=[network], env=os.environ | {_INSIDE: str(network)}).returncode


class Debian:
    """The unpacked system; `run` runs a command in it, `follow` the commands of a guide."""

    def __init__(self) -> None:
        self.root = CACHE / "root"
        self.log = CACHE / "trial.log"
        self._environment = {"PATH": _PATH, "HOME": "/root", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}

    def make(self) -> None:
        """Unpacks the base and connects it with this trial: caches, package sources, stand-ins for what cannot run here."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir(parents=True)
        self.log.write_text("")
        _run("tar", "--extract", "--numeric-owner", "--file", base(), "--directory", self.root)
        _run("mount", "--rbind", "/dev", self.root / "dev")
        _run("mount", "-t", "proc", "proc", self.root / "proc")
        for name, place in (("archives", "var/cache/apt/archives"), ("pip", "root/.cache/pip"), ("npm", "root/.npm")):
            (CACHE / name).mkdir(exist_ok=True)
            self._bind(CACHE / name, place)
        self._configure_apt()
        self._take_client_settings()
        (self.root / "usr/local/lib/network").touch()
        handle = f"/proc/self/fd/{os.environ[_INSIDE]}"
        subprocess.run(
            ["mount", "--no-canonicalize", "--bind", handle, self.root / "usr/local/lib/network"],
            check=True,
            pass_fds=[int(os.environ[_INSIDE])],
        )
        for name in _FETCHING:
            self._program(name, f'#!/bin/sh\nexec {NETWORK} /usr/bin/{name} "$@"\n')
        for name in ("systemctl", "journalctl"):
            self._program(name, (_HERE / "supervisor.py").read_text())
        self._program("certbot", (_HERE / "certbot.py").read_text())
        (self.root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        (self.root / "usr/sbin/policy-rc.d").chmod(0o755)
        self._take_sources()

    def name_hosts(self, *names: str) -> None:
        """Leads these names to the system, from inside and from the trial itself."""
        hosts = self.root / "etc/hosts"
        hosts.write_text(f"127.0.0.1 localhost {' '.join(names)}\n::1 localhost {' '.join(names)}\n")
        _run("mount", "--bind", hosts, "/etc/hosts")

    def run(self, command: str, *, stdin: str = "") -> str:
        """Runs a shell command in the system and returns its output; raises CommandFailed."""
        process = subprocess.run(
            ["chroot", self.root, "bash", "-c", command],
            input=stdin,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=_MAX_SECONDS,
            start_new_session=True,  # without a terminal: what asks for a password reads it from its input
        )
        with self.log.open("a") as log:
            log.write(f"$ {command}\n{process.stdout}\n")
        if process.returncode:
            raise CommandFailed(f"{command}: {process.stdout[-1500:]}")
        return process.stdout

    def follow(self, guide: str, heading: str, number: int, *, replace: Sequence[tuple[str, str]] = (), stdin: str = "") -> int:
        """Runs a code block of a guide in one shell, command by command; returns the number of commands.

        Each replacement must fit the block: a guide that has changed is not silently followed otherwise.
        """
        block = document.blocks((ROOT / guide).read_text(), heading)[number]
        for old, new in replace:
            if old not in block:
                raise LookupError(f"{guide}, {heading!r}: no {old!r} in block {number}")
            block = block.replace(old, new)
        parts = document.commands(block)
        try:
            self.run(document.script(parts), stdin=stdin)
        except CommandFailed as error:
            failed = re.search(r"failed: (\d+)\s*$", str(error))
            command = parts[int(failed[1])] if failed else block
            raise CommandFailed(f"{guide}, {heading!r}: `{command}` fails: {str(error)[-800:]}") from None
        return len(parts)

    def write(self, path: str, text: str) -> None:
        (self.root / path.lstrip("/")).write_text(text)

    def read(self, path: str) -> str:
        return (self.root / path.lstrip("/")).read_text(errors="replace")

    def _program(self, name: str, text: str) -> None:
        file = self.root / "usr/local/sbin" / name
        file.write_text(text)
        file.chmod(0o755)

    def _bind(self, source: Path, place: str) -> None:
        target = self.root / place.lstrip("/")
        if source.is_dir():
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch()
        _run("mount", "--bind", source, target)

    def _configure_apt(self) -> None:
        """Copies the machine's sources and keys; what it says of caches would empty ours."""
        skipped = shutil.ignore_patterns("docker-*", "auth.conf*", "preferences*")
        shutil.copytree("/etc/apt", self.root / "etc/apt", dirs_exist_ok=True, ignore=skipped, symlinks=True)
        if not Path("/etc/apt/sources.list").exists():
            self.write("etc/apt/sources.list", "")  # debootstrap's own line would name its source twice
        self.write("etc/apt/apt.conf.d/99trial", 'APT::Get::Assume-Yes "true";\nAPT::Keep-Downloaded-Packages "true";\n')
        shutil.copyfile("/etc/resolv.conf", self.root / "etc/resolv.conf")

    def _take_client_settings(self) -> None:
        """Takes over how the machine's pip and npm reach their packages, and what files and folders that names."""
        settings = {name: value for name, value in os.environ.items() if _CLIENT_SETTINGS.match(name)}
        listed = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True).stdout
        for key, value in re.findall(r"^(?:global|install)\.([\w-]+)='(.*)'$", listed, re.MULTILINE):
            settings.setdefault(f"PIP_{key.replace('-', '_').upper()}", value)
        if (npmrc := Path.home() / ".npmrc").exists():
            shutil.copyfile(npmrc, self.root / "root/.npmrc")
        for name, value in settings.items():
            for path in map(Path, re.findall(r"(?<![\w/])(?:file://)?(/[\w./-]+)", value)):
                if path.is_file():
                    copy = self.root / "opt/client" / path.name
                    copy.parent.mkdir(exist_ok=True)
                    shutil.copyfile(path, copy)
                    settings[name] = settings[name].replace(str(path), f"/opt/client/{path.name}")
                    continue
                folder = path.parent if path.name == "simple" else path  # an index beside its packages
                if folder.is_dir() and not (self.root / str(folder).lstrip("/")).exists():
                    self._bind(folder, str(folder))
        self._environment |= settings

    def _take_sources(self) -> None:
        """Offers the committed tree and the releases as a repository to clone."""
        bare = self.root / "srv/site.git"
        _run("git", "init", "--quiet", "--bare", "--initial-branch=main", bare)
        _run("git", "push", "--quiet", bare, "HEAD:refs/heads/main", "refs/tags/*:refs/tags/*")


def base() -> Path:
    """Returns the archive of a bare system, made from the source that this machine's own packages come from."""
    targets = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI) $(RELEASE)", "Created-By: Packages"],
        capture_output=True,
        text=True,
    ).stdout
    suite = re.search(r"^VERSION_CODENAME=(\w+)$", Path("/etc/os-release").read_text(), re.MULTILINE)
    source = re.search(rf"^Debian (\S+) {suite[1]}$", targets, re.MULTILINE) if suite else None
    if not suite or not source:
        raise NotRun("needs a Debian machine whose apt knows its packages: run apt-get update")
    archive = CACHE / f"{suite[1]}.tar"
    if not archive.exists():
        new, partial = CACHE / "new", archive.with_suffix(".part")
        shutil.rmtree(new, ignore_errors=True)
        CACHE.mkdir(parents=True, exist_ok=True)
        _run("debootstrap", f"--include={_BASE}", suite[1], new, source[1])
        _run("tar", "--create", "--numeric-owner", "--file", partial, "--directory", new, ".")
        partial.rename(archive)
        shutil.rmtree(new)
    return archive


def _run(*command: object) -> None:
    process = subprocess.run(list(map(str, command)), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if process.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {process.stdout[-1500:]}")
