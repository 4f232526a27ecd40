"""Generates the code of the contract when a wheel or an editable installation is built.

The contract is in `../../proto` of a checkout and in `proto` of an sdist. Its messages are in the
package `heliopause`, so that they do not conflict with other users of protobuf. `google.rpc` comes
from googleapis-common-protos.
"""

import runpy
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).resolve().parent
PROTO = HERE / "proto" if (HERE / "proto").is_dir() else HERE.parents[1] / "proto"
PACKAGE = HERE / "src" / "heliopause"

HEAD = '''"""The calls of the contract with the types of requests and responses. Generated: do not edit."""

from heliopause._method import Duplex, Listening, Unary
'''


class ContractHook(BuildHookInterface):
    """Adds the contract to sdists, and the generated code to wheels."""

    def initialize(self, _version, build_data):
        """Runs before the build of a target."""
        if self.target_name == "sdist":
            build_data["force_include"][str(PROTO / "heliopause")] = "proto/heliopause"
            return
        # Remove code of messages that are no longer in the contract.
        for folder in list(PACKAGE.glob("**/v1")):
            shutil.rmtree(folder if folder.parent == PACKAGE else folder.parent)
        files = compile_contract()
        for folder in PACKAGE.glob("**/v1"):
            # pyright needs these files to see the types of the package.
            (folder / "__init__.py").touch()
            (folder.parent / "__init__.py").touch()
        (PACKAGE / "methods.py").write_text(methods(files))
        (PACKAGE / "sync.py").write_text(runpy.run_path(str(HERE / "facade.py"))["facade"](PACKAGE / "aio"))


def compile_contract():
    """Generates messages and stubs, and returns the descriptors of all files."""
    files = sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("heliopause/**/*.proto"))
    with tempfile.TemporaryDirectory() as scratch:
        descriptors = Path(scratch) / "contract.binpb"
        command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}", f"--descriptor_set_out={descriptors}"]
        command += [f"--python_out={PACKAGE.parent}", f"--mypy_out=quiet:{PACKAGE.parent}", *files]
        subprocess.run(command, check=True)
        return FileDescriptorSet.FromString(descriptors.read_bytes()).file


def methods(files):
    """Returns the text of `methods.py`: a class per service, a line per call."""
    file_of = {f".{file.package}.{message.name}": Path(file.name) for file in files for message in file.message_type}
    imports, classes = set(), []

    def name(message):
        path = file_of[message]
        package = ".".join(path.parent.parts)
        short = f"{path.stem}_pb2"
        # File names are not unique across packages.
        alias = short if package == "heliopause.v1" else f"{path.parent.parts[1]}_{short}"
        imports.add(f"from {package} import {short}" + (f" as {alias}" if alias != short else ""))
        return f"{alias}.{message.rpartition('.')[2]}"

    for file in sorted(files, key=lambda file: file.name):
        for service in file.service:
            full_name = f"{file.package}.{service.name}"
            lines = [f"class {service.name}:", f'    """The calls of {full_name}."""', ""]
            for method in service.method:
                kind = "Duplex" if method.client_streaming else "Listening" if method.server_streaming else "Unary"
                types = f"{name(method.input_type)}, {name(method.output_type)}"
                lines.append(f'    {method.name} = {kind}("/{full_name}/{method.name}", {types})')
            classes.append("\n".join(lines) + "\n")
    return "\n".join([HEAD + "\n".join(sorted(imports)) + "\n\n", "\n\n".join(classes)])
