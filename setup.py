"""Build the compiled kernel and the archives. All other settings are in pyproject.toml.

The environment variable `URIVERSE_KERNEL` determines whether to build the kernel. With `auto`, the
default, the installation continues without the kernel if it cannot be compiled; with `require`, it
fails. With `disable`, the kernel is not compiled. A wheel without the kernel runs anywhere, so its
tag is `py3-none-any`.

If `SOURCE_DATE_EPOCH` is set, two builds of the same files give identical archives.
"""

import ast
import gzip
import os
import platform
import re
import tarfile
import tomllib
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

KERNEL = Path("src/uriverse/_kernel")

#: The modules whose docstrings and annotations the kernel gets.
REFERENCE = [
    Path("src/uriverse", name)
    for name in (
        *("_uri/pairs.py", "_uri/segments.py", "_uri/identifier.py"),
        *("_spec/percent.py", "_spec/domain.py"),
    )
]

#: A class or a function of the kernel that Python code can use.
DEFINITION = re.compile(r"^(?:cdef class (\w+)|( *)def (\w+)\((.*)\)):\n", re.MULTILINE)

choice = os.environ.get("URIVERSE_KERNEL", "auto")
if choice not in {"auto", "require", "disable"}:
    raise SystemExit(f"URIVERSE_KERNEL is {choice!r}; it can be auto, require or disable")


def reference() -> dict[str, ast.ClassDef | ast.FunctionDef]:
    """Return the classes, methods and functions of the reference implementation by their names."""
    found: dict[str, ast.ClassDef | ast.FunctionDef] = {}
    for path in REFERENCE:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                methods = [member for member in node.body if isinstance(member, ast.FunctionDef)]
                found |= {node.name: node, **{f"{node.name}.{each.name}": each for each in methods}}
            elif isinstance(node, ast.FunctionDef):
                found[node.name] = node
    return found


def described_kernel(source: str, found: dict[str, ast.ClassDef | ast.FunctionDef]) -> str:
    """Add the docstrings and the annotations of the reference implementation to kernel code."""
    current = ""

    def described(match: re.Match[str]) -> str:
        nonlocal current
        kind, indent, name, parameters = match.groups()
        current = kind or current
        node = found.get(kind or (f"{current}.{name}" if indent else name))
        if node is None:
            return match[0]
        head, docstring = match[0], ast.get_docstring(node)
        if isinstance(node, ast.FunctionDef):
            for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                if each.annotation:
                    annotated = f"{each.arg}: {ast.unparse(each.annotation)}"
                    parameters = re.sub(
                        rf"\b{each.arg}\b(?=[,=]|$)", annotated, parameters, count=1
                    )
            result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            head = f"{head[: match.start(4) - match.start()]}{parameters}){result}:\n"
        elif isinstance(new := found.get(f"{kind}.__new__"), ast.FunctionDef):
            # `inspect.signature` reads the signature of a compiled class in this form.
            for each in (*new.args.posonlyargs, *new.args.kwonlyargs):
                each.annotation = None
            signature = ast.unparse(new.args).removeprefix("cls, ")
            docstring = f"{kind}({signature})\n--\n\n{docstring}"
        return f"{head}{indent or ''}    {docstring!r}\n" if docstring else head

    return DEFINITION.sub(described, source)


class BuildKernel(build_ext):
    """Compile the kernel without debug data, and without the path of this folder."""

    def build_extension(self, ext: Extension) -> None:
        """Compile the kernel, or remove it from the distribution if that fails."""
        # Keep the debug data if CFLAGS contains -g, as in `tools/sanitized`.
        keep = any(flag.startswith("-g") for flag in os.environ.get("CFLAGS", "").split())
        if self.compiler.compiler_type == "unix":
            ext.extra_compile_args = [f"-ffile-prefix-map={Path.cwd()}=."]
            if not keep:
                ext.extra_compile_args += ["-g0"]
                # The linker of macOS has another option for the same purpose.
                ext.extra_link_args = ["-Wl,-x" if platform.system() == "Darwin" else "-Wl,-s"]
        elif self.compiler.compiler_type == "msvc":
            # Otherwise the compiler and the linker write the current time.
            ext.extra_compile_args = ext.extra_link_args = ["/Brepro"]
        ext.sources = [str(self.described_sources() / "identifier.pyx")]
        try:
            super().build_extension(ext)
        except Exception:
            # An earlier build may have left a kernel that does not match the Python files.
            Path(self.get_ext_fullpath(ext.name)).unlink(missing_ok=True)
            self.distribution.ext_modules = []
            raise

    def described_sources(self) -> Path:
        """Copy the kernel, with docstrings and annotations, to another folder; return its path."""
        folder = Path("build/kernel")
        folder.mkdir(parents=True, exist_ok=True)
        found = reference()
        for path in KERNEL.iterdir():
            if path.suffix in {".h", ".pxi", ".pyx"}:
                copy, source = folder / path.name, described_kernel(path.read_text("utf-8"), found)
                # Only what has changed is compiled again.
                if not copy.exists() or copy.read_text("utf-8") != source:
                    copy.write_text(source, "utf-8")
        return folder


class BuildWheel(bdist_wheel):
    """Compile the kernel first, because the tag of the wheel depends on the result."""

    def run(self) -> None:
        """Build the wheel."""
        self.run_command("build")
        self.root_is_pure = not self.distribution.has_ext_modules()
        super().run()


class BuildSource(sdist):
    """Write the same bytes for the same files: sorted, without owners, with fixed times."""

    def make_archive(self, base_name: str, *args: object, **options: object) -> str:
        """Create the archive, and then rewrite its metadata."""
        name: str = super().make_archive(base_name, *args, **options)
        epoch = os.environ.get("SOURCE_DATE_EPOCH")
        if epoch is None or not name.endswith(".tar.gz"):
            return name
        time = int(epoch)
        aside = Path(f"{name}.new")
        with (
            tarfile.open(name) as old,
            aside.open("wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=time) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as new,
        ):
            for member in sorted(old.getmembers(), key=lambda member: member.name):
                mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
                changed = member.replace(
                    mtime=time, mode=mode, uid=0, gid=0, uname="", gname="", deep=True
                )
                changed.pax_headers = {}
                new.addfile(changed, old.extractfile(member) if member.isfile() else None)
        aside.replace(name)
        return name


def described() -> str:
    """Return the README for package indexes, whose pages need absolute links."""
    project = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
    module = Path("src/uriverse/_uri/version.py").read_text("utf-8")
    [version] = re.findall(r'^__version__ = "(.+)"$', module, re.MULTILINE)
    release = f"v{version}"
    files = project["urls"]["Repository"]

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if link["image"] else "blob"
        return f"{link['image']}[{link['text']}]({files}/{kind}/{release}/{link['path']})"

    return re.sub(
        r"(?P<image>!?)\[(?P<text>[^]]*)\]\((?P<path>(?![a-z]+:|#)[^)]+)\)",
        absolute,
        Path("README.md").read_text("utf-8"),
    )


kernel = Extension(
    "uriverse._kernel.identifier",
    [str(KERNEL / "identifier.pyx")],
    depends=[
        "setup.py",
        *map(str, REFERENCE),
        *sorted(str(path) for path in KERNEL.iterdir() if path.suffix in {".h", ".pxi"}),
    ],
    optional=choice == "auto",
)
# On other interpreters, such as PyPy, the pure-Python code is faster than calls of a C extension.
suits = platform.python_implementation() == "CPython"
setup(
    cmdclass={"bdist_wheel": BuildWheel, "build_ext": BuildKernel, "sdist": BuildSource},
    ext_modules=[kernel] if choice == "require" or (suits and choice == "auto") else [],
    # `man` looks for pages in this folder, next to the folder of the command.
    data_files=[("share/man/man1", sorted(map(str, Path("docs/man").glob("*.1"))))],
    long_description=described(),
    long_description_content_type="text/markdown",
)
