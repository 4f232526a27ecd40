"""Connections with TLS."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from heliopause import Client, Unreachable
from heliopause.testing import Engine


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    cert, key = folder / f"{name}.pem", folder / f"{name}.key"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", "90", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command, "-out", cert, "-keyout", key], check=True, capture_output=True)
    return cert, key


def test_only_clients_that_trust_the_authority_connect(
    started: Callable[..., Engine], tmp_path: Path, name: str
) -> None:
    cert, key = certificate(tmp_path, "engine")
    other, _ = certificate(tmp_path, "other")
    address = f"https://{started('--tls-cert', str(cert), '--tls-key', str(key)).address}"
    with Client(address, tls_ca=cert) as client:
        assert client.register(name).name == name
        token = client.token
    for trusted in (other, None):
        with Client(address, tls_ca=trusted, token=token, patience=0) as wary, pytest.raises(Unreachable):
            wary.me()
    with Client(address.removeprefix("https://"), token=token, patience=0) as plain, pytest.raises(Unreachable):
        plain.me()
