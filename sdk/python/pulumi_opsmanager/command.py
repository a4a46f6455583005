"""The command opsmanager, of the plugin whose version this package has."""

import json
import os
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path


def main() -> None:
    """Runs the command with this process's arguments, and ends with its exit code.

    It is a Node.js program in the plugin, which `pulumi` installs. The plugin is installed if it is missing.
    """
    node = shutil.which("node")
    if node is None:
        sys.exit("opsmanager needs Node.js 22.19 or newer on PATH, and there is no node.")
    plugin = json.loads(resources.files("pulumi_opsmanager").joinpath("pulumi-plugin.json").read_text("utf-8"))
    home = Path(os.environ.get("PULUMI_HOME") or Path.home() / ".pulumi")
    command = home / "plugins" / f"resource-opsmanager-v{plugin['version']}" / "dist" / "cli" / "main.js"
    if not command.exists():
        _install(plugin["version"], plugin["server"])
    if not command.exists():
        sys.exit(f"opsmanager needs the plugin opsmanager {plugin['version']}, and {command} is missing.")
    arguments = [node, str(command), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.call(arguments))
    # Signals reach the command, as if there were no Python.
    os.execv(node, arguments)


def _install(version: str, server: str) -> None:
    pulumi = shutil.which("pulumi")
    if pulumi is None:
        sys.exit(f"opsmanager needs the plugin opsmanager {version}, and there is no pulumi on PATH to install it.")
    install = [pulumi, "plugin", "install", "resource", "opsmanager", version, "--server", server]
    if subprocess.call(install, stdout=sys.stderr) != 0:
        sys.exit(f"opsmanager needs the plugin opsmanager {version}, and `{' '.join(install[1:])}` failed.")
