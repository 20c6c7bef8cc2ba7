"""Build the compiled kernel and the archives. All other settings are in pyproject.toml.

The environment variable `URIVERSE_KERNEL` determines whether to build the kernel. With `auto`, the
default, the installation continues without the kernel if it cannot be compiled; with `require`, it
fails. With `disable`, the kernel is not compiled. A wheel without the kernel runs anywhere, so its
tag is `py3-none-any`.

If `SOURCE_DATE_EPOCH` is set, two builds of the same files give identical archives.
"""

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

choice = os.environ.get("URIVERSE_KERNEL", "auto")
if choice not in {"auto", "require", "disable"}:
    raise SystemExit(f"URIVERSE_KERNEL is {choice!r}; it can be auto, require or disable")


class BuildKernel(build_ext):
    """Compile the kernel without debug data, and without the path of this folder."""

    def initialize_options(self) -> None:
        """Write the C file of the kernel to the build folder."""
        super().initialize_options()
        self.cython_c_in_temp = True

    def build_extension(self, ext: Extension) -> None:
        """Compile a module of the kernel."""
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
        try:
            super().build_extension(ext)
        except Exception:
            # An earlier build may have left a module that does not match the Python files.
            Path(self.get_ext_fullpath(ext.name)).unlink(missing_ok=True)
            raise

    def build_extensions(self) -> None:
        """Compile both modules, or remove both if one fails, as neither works alone."""
        modules = [Path(self.get_ext_fullpath(ext.name)) for ext in self.extensions]
        try:
            super().build_extensions()
        finally:
            if not all(path.exists() for path in modules):
                for path in modules:
                    path.unlink(missing_ok=True)
                self.distribution.ext_modules = []


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


def kernel_module(name: str) -> Extension:
    """Return a module of the kernel, which is compiled again if a file that it includes changes."""
    present = {*KERNEL.iterdir()}
    files = [KERNEL / f"{name}.pyx", KERNEL / "core.pxd"]
    for path in files:
        included = {KERNEL / file for file in re.findall(r'"(\w+\.\w+)"', path.read_text("utf-8"))}
        files += sorted(included & present - {*files})
    return Extension(
        f"uriverse._kernel.{name}",
        [str(files[0])],
        depends=["setup.py", *map(str, files[1:])],
        optional=choice == "auto",
    )


# On other interpreters, such as PyPy, the pure-Python code is faster than calls of a C extension.
suits = platform.python_implementation() == "CPython"
setup(
    cmdclass={"bdist_wheel": BuildWheel, "build_ext": BuildKernel, "sdist": BuildSource},
    ext_modules=(
        [kernel_module("core"), kernel_module("columns")]
        if choice == "require" or (suits and choice == "auto")
        else []
    ),
    # `man` looks for pages in this folder, next to the folder of the command.
    data_files=[("share/man/man1", sorted(map(str, Path("docs/man").glob("*.1"))))],
    long_description=described(),
    long_description_content_type="text/markdown",
)
