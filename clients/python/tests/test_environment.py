"""A client in various environments: proxies, certificates and settings that cannot be used."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from platform_double import API_KEY, ROBOT, Kind, close, outcome_of
from platform_robot_sdk import AsyncClient, PlatformConnectionError, PlatformSDKError
from platform_robot_sdk._network import Network, read_network
from scripted_server import ScriptedServer, answer

ELSEWHERE = "http://platform.test/rcs"
ELSEWHERE_TLS = "https://platform.test/rcs"
LOOPBACK = [
    "http://localhost:8080/rcs",
    "http://LOCALHOST./rcs",
    "http://viewer.localhost/rcs",
    "http://127.0.0.1:8080/rcs",
    "http://127.200.3.4/rcs",
    "http://[::1]:8080/rcs",
    "http://[::ffff:127.0.0.1]/rcs",
]
PROXY = "http://proxy.test:3128"
# Values that are not proxies, or not usable ones. Each contains the password that must not be repeated.
UNUSABLE_PROXIES = [
    "http://user:pa55word@:8080",
    "http://user:pa55word@",
    "http://user:pa55word@[::1",
    "http://user:pa55word@proxy.test:port",
    "http://user:pa55word@proxy.test:99999",
    "http://user:pa55word@b☃",
    "http://user:pa55word@a..b",
    "gopher://user:pa55word@proxy.test",
    "socks4://user:pa55word@proxy.test:1080",
    "http://user:pa55\nword@proxy.test",
]


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for scheme in ("http", "https", "all", "no"):
        for name in (f"{scheme}_proxy", f"{scheme.upper()}_PROXY"):
            monkeypatch.delenv(name, raising=False)
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR", "SSLKEYLOGFILE", "REQUEST_METHOD"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    server = ScriptedServer()
    server.script = lambda connection, head: connection.sendall(answer(json.dumps(ROBOT).encode()))
    yield server
    server.close()


def network_of(url: str) -> Network:
    return read_network(httpx.URL(url))


async def ask(kind: Kind, rcs_url: str) -> Any:
    client = kind(rcs_url=rcs_url, api_key=API_KEY, max_retries=0)
    try:
        return await outcome_of(client.robots.get("robot-1"))
    finally:
        await close(client)


@pytest.mark.parametrize(
    "variables",
    [
        {"NO_PROXY": "fd00::/8,[::1],bücher.example,☃,[fd00::1,10.0.0.0/99,http://,://x,a b", "HTTP_PROXY": PROXY},
        {"SSL_CERT_FILE": "/does/not/exist.pem"},
        {"SSL_CERT_FILE": "/"},
        {"SSL_CERT_FILE": __file__},
        {"SSL_CERT_DIR": "/does/not/exist"},
        {"SSLKEYLOGFILE": "/does/not/exist/keys"},
        {"ALL_PROXY": "socks5://proxy.test:1080"},
        *({"HTTP_PROXY": value, "HTTPS_PROXY": value, "ALL_PROXY": value} for value in UNUSABLE_PROXIES),
    ],
    ids=str,
)
async def test_a_client_of_this_machine_works_whatever_the_environment_says_of_proxies_and_certificates(
    kind: Kind, server: ScriptedServer, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert (await ask(kind, server.rcs_url)).name == "Ada"


@pytest.mark.parametrize("value", UNUSABLE_PROXIES)
@pytest.mark.parametrize(("name", "url"), [("HTTP_PROXY", ELSEWHERE), ("https_proxy", ELSEWHERE_TLS), ("ALL_PROXY", ELSEWHERE)])
def test_a_proxy_that_cannot_be_used_is_refused_by_the_name_of_its_variable_without_its_password(
    kind: Kind, name: str, url: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(PlatformSDKError, match=rf"{name} is not the address of a proxy.*NO_PROXY") as raised:
        kind(rcs_url=url, api_key=API_KEY)
    assert "pa55" not in f"{raised.value} {raised.value.__cause__} {raised.value.__context__}"


def test_a_socks_proxy_without_its_package_says_what_to_install(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://user:pa55word@proxy.test:1080")
    with pytest.raises(PlatformSDKError, match=r'ALL_PROXY.*pip install "httpx\[socks\]"') as raised:
        kind(rcs_url=ELSEWHERE, api_key=API_KEY)
    assert "pa55" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SSL_CERT_FILE", "/does/not/exist.pem"),
        ("SSL_CERT_FILE", "/"),
        ("SSL_CERT_FILE", __file__),
        ("SSL_CERT_DIR", "/does/not/exist:/nor/this"),
        ("SSLKEYLOGFILE", "/does/not/exist/keys"),
    ],
)
def test_a_file_of_tls_that_cannot_be_read_is_refused_by_the_name_of_its_variable(
    kind: Kind, name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(PlatformSDKError, match=f"{name} .*unset it"):
        kind(rcs_url=ELSEWHERE_TLS, api_key=API_KEY)
    kind(rcs_url=ELSEWHERE, api_key=API_KEY)


def test_the_certificates_of_the_environment_are_those_that_are_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = network_of(ELSEWHERE_TLS).tls.cert_store_stats()["x509_ca"]
    one = ssl.DER_cert_to_PEM_cert(network_of(ELSEWHERE_TLS).tls.get_ca_certs(binary_form=True)[0])
    (tmp_path / "own.pem").write_text(one)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "own.pem"))
    assert usual > 1
    assert network_of(ELSEWHERE_TLS).tls.cert_store_stats()["x509_ca"] == 1


def test_an_address_without_tls_reads_no_certificates() -> None:
    tls = network_of(ELSEWHERE).tls
    assert (tls.cert_store_stats()["x509_ca"], tls.verify_mode) == (0, ssl.CERT_REQUIRED)


@pytest.mark.parametrize("url", LOOPBACK)
def test_no_proxy_is_between_a_client_and_its_own_machine(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", PROXY)
    assert network_of(url).proxy is None


@pytest.mark.parametrize(
    ("no_proxy", "url", "is_direct"),
    [
        ("*", ELSEWHERE, True),
        ("platform.test", ELSEWHERE, True),
        ("PLATFORM.test", ELSEWHERE, True),
        ("test", ELSEWHERE, True),
        (".test", ELSEWHERE, True),
        ("*.test", ELSEWHERE, True),
        (".platform.test", ELSEWHERE, False),
        ("form.test", ELSEWHERE, False),
        ("platform.test:80", ELSEWHERE, True),
        ("platform.test:81", ELSEWHERE, False),
        ("https://platform.test", ELSEWHERE, False),
        ("http://platform.test", ELSEWHERE, True),
        ("bücher.example", "http://bücher.example/rcs", True),
        ("bücher.example", "http://xn--bcher-kva.example/rcs", True),
        ("10.0.0.0/8", "http://10.1.2.3/rcs", True),
        ("10.0.0.0/8", "http://11.1.2.3/rcs", False),
        ("10.1.2.3", "http://10.1.2.3:9/rcs", True),
        ("10.1.2.3:9", "http://10.1.2.3:9/rcs", True),
        ("fd00::/8", "http://[fd12::1]/rcs", True),
        ("fd00::/8", "http://[fe12::1]/rcs", False),
        ("fd00::1", "http://[fd00::1]/rcs", True),
        ("[fd00::1]", "http://[fd00::1]/rcs", True),
        ("[fd00::1]:81", "http://[fd00::1]/rcs", False),
        (" a b , ,☃,[::1", ELSEWHERE, False),
    ],
)
def test_no_proxy_names_hosts_domains_ports_and_ranges(
    no_proxy: str, url: str, is_direct: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", PROXY)
    monkeypatch.setenv("NO_PROXY", no_proxy)
    assert (network_of(url).proxy is None) is is_direct


@pytest.mark.parametrize("value", ["proxy.test:3128", PROXY, f" {PROXY} ", "http://us%20er:pässw@proxy.test:3128"])
def test_a_proxy_may_be_written_without_a_scheme_or_with_a_password(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", value)
    network = network_of(ELSEWHERE)
    assert network.proxy is not None
    assert (network.proxy.url.host, network.proxy.url.port) == ("proxy.test", 3128)
    assert "pässw" not in repr(network)


async def test_what_fails_through_a_proxy_names_the_variable(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = ScriptedServer()
    proxy.script = lambda connection, head: connection.sendall(
        b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
    )
    monkeypatch.setenv("HTTPS_PROXY", f"http://user:pa55word@127.0.0.1:{proxy.port}")
    with pytest.raises(PlatformConnectionError, match=r"proxy of HTTPS_PROXY.*NO_PROXY") as raised:
        await ask(kind, ELSEWHERE_TLS)
    assert "pa55" not in str(raised.value)
    proxy.close()


@pytest.mark.parametrize(
    "address",
    ["http://a:99999", "http://a:0", "http://a..b", f"http://{'a' * 64}", "http://xn--a", '"http://a/rcs"', "a:8080/rcs"],
)
def test_an_address_that_no_request_can_go_to_is_refused_by_name(kind: Kind, address: str) -> None:
    with pytest.raises(PlatformSDKError, match=r"PLATFORM_RCS_URL \(rcs_url\) is not an address"):
        kind(api_key=API_KEY, rcs_url=address)


@pytest.mark.parametrize("key", [f'"{API_KEY}"', f"'{API_KEY}'", "sk_live_\u200bsecret", "sk live", "sk_live\nsecret", "ключ"])
def test_a_key_that_was_pasted_wrongly_is_refused_by_the_name_of_its_variable(kind: Kind, key: str) -> None:
    with pytest.raises(PlatformSDKError, match=r"PLATFORM_API_KEY \(api_key\)") as raised:
        kind(api_key=key)
    assert key not in str(raised.value)


@pytest.mark.parametrize("limit_s", [1e10, 1e300])
async def test_a_time_limit_of_years_counts_as_the_longest_that_there_is(
    kind: Kind, server: ScriptedServer, limit_s: float
) -> None:
    client = kind(rcs_url=server.rcs_url, api_key=API_KEY, timeout=limit_s)
    assert (await outcome_of(client.robots.get("robot-1"))).name == "Ada"
    await close(client)


def test_the_environment_is_read_once_when_a_client_is_made(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = ScriptedServer()
    proxy.script = server.script
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
    client = AsyncClient(rcs_url=ELSEWHERE, api_key=API_KEY)
    monkeypatch.setenv("HTTP_PROXY", "http://[::1")

    async def name() -> str:
        found = (await client.robots.get("robot-1")).name
        await client._sender._by_loop[asyncio.get_running_loop()].aclose()
        return found

    assert [asyncio.run(name()), asyncio.run(name())] == ["Ada", "Ada"]
    proxy.close()
