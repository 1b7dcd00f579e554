"""The route of a client's requests: which proxy, and which certificates.

A client talks to one host, so the environment is read once for all its requests. httpx reads the environment too, but its
errors name no variable, and it also fails for a host that needs neither proxy nor certificate.
"""

from __future__ import annotations

import importlib.util
import ipaddress
import os
import ssl
from dataclasses import dataclass, field
from urllib.request import getproxies, getproxies_environment

import httpx

from .errors import PlatformSDKError

_DEFAULT_PORTS = {"http": 80, "https": 443}
_PROXY_SCHEMES = ("http", "https", "socks5", "socks5h")


@dataclass(frozen=True, slots=True)
class Network:
    """The network settings, read and checked. Printing them shows no password."""

    proxy: httpx.Proxy | None = field(repr=False)
    proxy_variable: str
    """The variable that names the proxy."""
    tls: ssl.SSLContext = field(repr=False)

    def hint(self, cause: BaseException | None) -> str:
        """Returns what to check besides the address if a request fails: a sentence with a leading space, or an empty
        string.
        """
        if _is_about_certificates(cause):
            return " Its certificate is not trusted here: set SSL_CERT_FILE to the certificates of its authority."
        if self.proxy is None:
            return ""
        return f" The request goes through the proxy of {self.proxy_variable}: check that too, or list the host in NO_PROXY."


def read_network(service: httpx.URL) -> Network:
    """Reads the environment for requests to this address.

    Raises PlatformSDKError, which names the unusable variable. Variables that this address does not need are not checked.
    """
    scheme = service.scheme
    proxies = {} if is_loopback(service.host) else getproxies()
    named = next((name for name in (scheme, "all") if proxies.get(name)), None)
    if named is None or _is_exempt(service, proxies.get("no", "")):
        return Network(None, "", _tls_for(scheme == "https"))
    variable = _variable(named)
    url = _proxy_url(proxies[named], variable)
    tls = _tls_for("https" in (scheme, url.scheme))
    return Network(httpx.Proxy(url, ssl_context=tls if url.scheme == "https" else None), variable, tls)


def room_hint(room_url: str) -> str:
    """Returns what to check besides its address if a room cannot be joined: a sentence with a leading space, or an empty
    string.

    LiveKit's SDK uses the proxy of the environment. It ignores NO_PROXY, also for addresses of this machine.
    """
    named = "https" if room_url.startswith("wss") else "http"
    if not getproxies_environment().get(named):
        return ""
    return (
        f" LiveKit's SDK may have gone through the proxy of {_variable(named)}, also to hosts that NO_PROXY lists: start the "
        "program without that variable."
    )


def is_loopback(host: str) -> bool:
    """Whether the host is this machine, judged only by its name."""
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _ip_address(host)
    mapped = getattr(address, "ipv4_mapped", None) or address
    return mapped is not None and mapped.is_loopback


def is_reachable(url: httpx.URL) -> bool:
    """Whether a request to the host and port is possible at all. Sockets raise errors of other types for values that they
    reject.
    """
    try:
        # The resolver encodes names in this way, and rejects all others.
        url.host.encode("idna")
    except (httpx.InvalidURL, UnicodeError):
        return False
    return bool(url.host) and (url.port is None or 0 < url.port < 2**16)


def _proxy_url(text: str, variable: str) -> httpx.URL:
    address = text.strip()
    url: httpx.URL | None
    try:
        url = httpx.URL(address if "://" in address else f"http://{address}")
    except (httpx.InvalidURL, UnicodeError):
        # Its text repeats parts of the address, which may contain a password.
        url = None
    if url is None or url.scheme not in _PROXY_SCHEMES or not is_reachable(url):
        raise PlatformSDKError(
            f"{variable} is not the address of a proxy that can be used. Set it to the form http://host:port (https and socks5 "
            "too), or list the host of the platform in NO_PROXY."
        )
    if url.scheme.startswith("socks") and importlib.util.find_spec("socksio") is None:
        raise PlatformSDKError(
            f'{variable} names a SOCKS proxy, which needs a package that is not installed: pip install "httpx[socks]". Or list '
            "the host of the platform in NO_PROXY."
        )
    return url


def _variable(scheme: str) -> str:
    """Returns the variable that names the proxy of a scheme; the lower-case name wins."""
    name = f"{scheme}_proxy"
    if os.environ.get(name):
        return name
    return next((each for each in os.environ if each.lower() == name), "the proxy of this system's settings")


def _is_exempt(service: httpx.URL, no_proxy: str) -> bool:
    """Whether a list such as `localhost,.test,10.0.0.0/8,[fd00::1]:8080` contains the host. Unreadable entries are ignored."""
    return any(_names(entry.strip(), service) for entry in no_proxy.split(","))


def _names(entry: str, service: httpx.URL) -> bool:
    if entry == "*":
        return True
    scheme, has_scheme, host_and_port = entry.rpartition("://")
    if has_scheme and scheme.lower() not in ("all", service.scheme):
        return False
    address = _ip_address(service.host)
    if address is not None:
        try:
            return address in ipaddress.ip_network(host_and_port.strip("[]"), strict=False)
        except ValueError:
            pass
    domain, port = _host_and_port(host_and_port)
    if not domain or port not in (None, service.port or _DEFAULT_PORTS[service.scheme]):
        return False
    host = service.raw_host.decode("ascii").lower().rstrip(".")
    return host.endswith(domain) if domain.startswith(".") else host == domain or host.endswith(f".{domain}")


def _host_and_port(text: str) -> tuple[str, int | None]:
    """Returns the host in ASCII, as names are sent, and the port. A leading dot means only subdomains. Empty if there is no
    host.
    """
    below = text.removeprefix("*")
    dot = "." if below.startswith(".") else ""
    try:
        url = httpx.URL(f"all://{below.removeprefix('.')}")
    except (httpx.InvalidURL, UnicodeError):
        return "", None
    host = url.raw_host.decode("ascii").lower().rstrip(".")
    return f"{dot}{host}" if host else "", url.port


def _ip_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _tls_for(is_needed: bool) -> ssl.SSLContext:
    """Returns a TLS context with the certificates of the environment. If TLS is not needed, the context trusts nothing and
    reads no file.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if not is_needed:
        return context
    file, folders, key_log = (os.environ.get(name) for name in ("SSL_CERT_FILE", "SSL_CERT_DIR", "SSLKEYLOGFILE"))
    try:
        if key_log:
            context.keylog_filename = key_log
    except OSError:
        raise _unfit("SSLKEYLOGFILE", "a file that can be written") from None
    if file:
        try:
            return ssl.create_default_context(cafile=file)
        except OSError:
            raise _unfit("SSL_CERT_FILE", "a readable file of certificates (PEM)") from None
    if folders:
        # OpenSSL treats a missing folder as a folder without certificates.
        if not any(os.path.isdir(folder) and os.access(folder, os.R_OK) for folder in folders.split(os.pathsep)):
            raise _unfit("SSL_CERT_DIR", "a readable folder of certificates")
        return ssl.create_default_context(capath=folders)
    return httpx.create_ssl_context(trust_env=False)


def _unfit(variable: str, form: str) -> PlatformSDKError:
    return PlatformSDKError(f"{variable} is not {form}. Correct the path, or unset it.")


def _is_about_certificates(cause: BaseException | None) -> bool:
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False
