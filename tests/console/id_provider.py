"""An identity provider of our own, small but strict: what it hands out may be forged by the test that holds it."""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from html import escape
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import uvicorn
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from litestar import Litestar, Request, Response, get, post

from tests.waiting import until

CLIENT, SECRET, REDIRECT = "catwalk", "shared & secret", "https://console.test/sign-in/provider/return"
Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


@cache
def rsa_key(owner: str) -> rsa.RSAPrivateKey:
    """The key of this owner: one for a whole run of the tests, for to make one takes as long as ten tests."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


class IdProvider:
    """`claims` are added to those of every token; `sign` makes the token of its claims."""

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self.redirect = REDIRECT
        self.keys: dict[str, Key] = {"one": rsa_key("provider")}
        self.claims: dict[str, Any] = {
            "sub": "0001",
            "preferred_username": "Kim",
            "roles": ["staff", "cctv"],
            "amr": ["pwd", "mfa"],
        }
        self.without: set[str] = set()
        self.sign: Callable[[dict[str, Any]], str] = self.signed
        self.described: dict[str, Any] = {}
        self.asked_for_keys = 0
        self.refused: list[str] = []
        self._codes: dict[str, dict[str, str]] = {}

    def signed(self, claims: dict[str, Any], kid: str = "one", **headers: Any) -> str:
        key = self.keys[kid]
        algorithm = "RS256" if isinstance(key, rsa.RSAPrivateKey) else "ES256"
        return jwt.encode(claims, key, algorithm, headers={"kid": kid, **headers})

    def signs_in(self, away: str) -> dict[str, str]:
        """A person signs in there: what the browser comes back with."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(away).query).items()}
        assert asked["response_type"] == "code"
        assert (asked["client_id"], asked["redirect_uri"]) == (CLIENT, self.redirect)
        assert asked["code_challenge_method"] == "S256"
        assert "openid" in asked["scope"].split()
        code = secrets.token_urlsafe(16)
        self._codes[code] = asked
        return {"code": code, "state": asked["state"], "iss": self.issuer}

    def token_for(self, form: dict[str, str], authorization: str) -> Response[Any]:
        """As RFC 6749 and 7636: the code once, to its client, with the verifier of its challenge."""
        asked = self._codes.pop(form.get("code", ""), None)
        both = base64.b64encode(b"catwalk:shared%20%26%20secret").decode()
        verifier = form.get("code_verifier", "")
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        checks = {
            "client": authorization == f"Basic {both}",
            "code": asked is not None,
            "redirect": form.get("redirect_uri") == self.redirect,
            "verifier": asked is not None and challenge == asked["code_challenge"],
        }
        if asked is None or not all(checks.values()):
            self.refused.extend(name for name, right in checks.items() if not right)
            return Response({"error": "invalid_grant"}, status_code=400)
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 60, "nonce": asked["nonce"]}
        claims |= self.claims
        for name in self.without:
            del claims[name]
        return Response({"access_token": "x", "token_type": "Bearer", "id_token": self.sign(claims)})

    def published(self) -> dict[str, Any]:
        self.asked_for_keys += 1
        keys = []
        for kid, key in self.keys.items():
            public = key.public_key()
            if isinstance(public, rsa.RSAPublicKey):
                described = jwt.algorithms.RSAAlgorithm.to_jwk(public)
            else:
                described = jwt.algorithms.ECAlgorithm.to_jwk(public)
            keys.append({**json.loads(described), "kid": kid, "use": "sig"})
        return {"keys": keys}

    def description(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize?realm=floor",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "authorization_response_iss_parameter_supported": True,
        } | self.described


def forged(idp: IdProvider) -> dict[str, Callable[[dict[str, Any]], str]]:
    """Ways to make a token that is not the provider's."""
    public = idp.keys["one"].public_key()
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)

    def tampered(claims: dict[str, Any]) -> str:
        head, _, tail = idp.signed(claims).split(".")
        body = jwt.encode(claims | {"roles": ["it"]}, "x" * 32, "HS256").split(".")[1]
        return f"{head}.{body}.{tail}"

    def by_public_key(claims: dict[str, Any]) -> str:
        # What pyjwt refuses to make: an HMAC keyed by the provider's public key.
        head = base64.urlsafe_b64encode(b'{"alg":"HS256","kid":"one"}').rstrip(b"=")
        body = jwt.encode(claims, "x" * 32, "HS256").split(".")[1].encode()
        mac = hmac.new(pem, head + b"." + body, hashlib.sha256).digest()
        return b".".join((head, body, base64.urlsafe_b64encode(mac).rstrip(b"="))).decode()

    stranger = rsa_key("stranger")
    return {
        "tampered": tampered,
        "unsigned": lambda claims: jwt.encode(claims, "", "none", headers={"kid": "one"}),
        "by the public key": by_public_key,
        "by a shared secret": lambda claims: jwt.encode(claims, SECRET * 3, "HS256", headers={"kid": "one"}),
        "by another's key": lambda claims: jwt.encode(claims, stranger, "RS256", headers={"kid": "one"}),
        "by an unknown key": lambda claims: jwt.encode(claims, stranger, "RS256", headers={"kid": "two"}),
        "no token": lambda claims: "no token",
    }


@contextmanager
def serving(port: int, host: str = "127.0.0.1") -> Iterator[IdProvider]:
    """The provider on a port of this machine, under one of its names."""
    provider = IdProvider(f"http://{host}:{port}")

    @get("/.well-known/openid-configuration", sync_to_thread=False)
    def configuration() -> dict[str, Any]:
        return provider.description()

    @get("/authorize", sync_to_thread=False)
    def authorize(request: Request[Any, Any, Any]) -> Response[str]:
        back = f"{provider.redirect}?{urlencode(provider.signs_in(str(request.url)))}"
        page = f'<!doctype html><title>Provider</title><a href="{escape(back)}">It is me</a>'
        return Response(page, media_type="text/html")

    @get("/keys", sync_to_thread=False)
    def keys() -> dict[str, Any]:
        return provider.published()

    @post("/token", status_code=200)
    async def token(request: Request[Any, Any, Any]) -> Response[Any]:
        form = {name: str(value) for name, value in (await request.form()).items()}
        return provider.token_for(form, request.headers.get("authorization", ""))

    app = Litestar([configuration, authorize, keys, token], openapi_config=None, logging_config=None)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until(lambda: server.started)
        yield provider
    finally:
        server.should_exit = True
        thread.join(10)
