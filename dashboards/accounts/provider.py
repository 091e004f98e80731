"""Sign-in at an identity provider: OpenID Connect, by the authorization code flow with PKCE.

What it says is believed when its signature is by one of its own published keys, of an asymmetric kind, for this
client, for this sign-in, and within its time.
"""

from __future__ import annotations

import base64
import hashlib
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

import jwt

from dashboards.accounts.flows import Begun

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
REQUIRED = ["iss", "sub", "aud", "exp", "iat", "nonce"]
LEEWAY = 30  # seconds clocks may differ
METADATA_FOR = 3600.0  # seconds
KEYS_AGAIN_AFTER = 60.0  # seconds: a token with an unknown key is no way to make us ask all the time
LARGEST_ANSWER = 1 << 20
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class NotVouchedFor(Exception):
    """The provider does not vouch for who came back, or cannot be believed; the text is for the log alone."""


class ProviderIdentity(NamedTuple):
    """Who the provider vouches for: `subject` is theirs for ever, `name` and `role` are the console's."""

    subject: str
    name: str
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSettings:
    """One provider, as this deployment has registered with it.

    `roles` says which role a value of the claim is, the first that is found counts; a dot in `role_claim` goes into
    a claim (`realm_access.roles`). If `methods` are given, `amr` must hold one of them; if `contexts` are, `acr` must
    be one of them: that there was a second factor is the provider's to see to and to say.
    """

    issuer: str
    client: str
    secret: str = field(repr=False)
    redirect: str
    roles: Mapping[str, str]
    role_claim: str = "roles"
    name_claim: str = "preferred_username"
    methods: frozenset[str] = frozenset()
    contexts: frozenset[str] = frozenset()
    scopes: str = "openid profile"
    label: str = "your organisation"

    def __post_init__(self) -> None:
        """Refuse a provider that could be overheard."""
        _require_tls(self.issuer)


class Provider:
    """The provider at work; any thread may ask. `patience` is in seconds, for each answer."""

    def __init__(
        self,
        settings: ProviderSettings,
        patience: float = 5.0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings
        self._patience = patience
        self._monotonic = monotonic
        self._guard = threading.Lock()
        self._metadata: tuple[float, dict[str, Any]] | None = None
        self._keys: tuple[float, jwt.PyJWKSet] | None = None

    def away_to(self, begun: Begun) -> str:
        """Where the browser is sent to sign in.

        Raises:
            NotVouchedFor: the provider cannot be asked.
        """
        challenge = base64.urlsafe_b64encode(hashlib.sha256(begun.verifier.encode()).digest()).rstrip(b"=")
        asked = {
            "response_type": "code",
            "client_id": self.settings.client,
            "redirect_uri": self.settings.redirect,
            "scope": self.settings.scopes,
            "state": begun.state,
            "nonce": begun.nonce,
            "code_challenge": challenge.decode(),
            "code_challenge_method": "S256",
        }
        if self.settings.contexts:
            asked["acr_values"] = " ".join(sorted(self.settings.contexts))
        endpoint = str(self._described()["authorization_endpoint"])
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{urlencode(asked)}"

    def back_with(self, begun: Begun, code: str, issuer: str | None) -> ProviderIdentity:
        """Who came back with this code; `issuer` is what the answer says of itself (RFC 9207).

        Raises:
            NotVouchedFor: nobody the console may let in.
        """
        described = self._described()
        if issuer is None and described.get("authorization_response_iss_parameter_supported"):
            raise NotVouchedFor("the answer does not say whose it is")
        if issuer is not None and issuer != self.settings.issuer:
            raise NotVouchedFor("the answer is another provider's")
        claims = self._claims(self._id_token(described, begun, code))
        if claims["nonce"] != begun.nonce:
            raise NotVouchedFor("the token is of another sign-in")
        self._require_strength(claims)
        name = claims.get(self.settings.name_claim)
        if not isinstance(name, str) or not isinstance(claims["sub"], str) or not claims["sub"]:
            raise NotVouchedFor(f"the token names nobody in {self.settings.name_claim}")
        return ProviderIdentity(claims["sub"], name.casefold(), self._role(claims))

    def _id_token(self, described: Mapping[str, Any], begun: Begun, code: str) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.settings.redirect,
            "code_verifier": begun.verifier,
        }
        headers = {"accept": "application/json"}
        ways = described.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        if "client_secret_basic" in ways:
            both = f"{quote(self.settings.client, safe='')}:{quote(self.settings.secret, safe='')}"
            headers["authorization"] = f"Basic {base64.b64encode(both.encode()).decode()}"
        else:
            form |= {"client_id": self.settings.client, "client_secret": self.settings.secret}
        answer = self._asked("POST", str(described["token_endpoint"]), data=form, headers=headers)
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise NotVouchedFor("the provider gave no ID token")
        return token

    def _claims(self, token: str) -> dict[str, Any]:
        """What a token says, if it is the provider's and for this client."""
        try:
            header = jwt.get_unverified_header(token)
            if header.get("alg") not in ALGORITHMS:
                raise NotVouchedFor("the token is signed by no kind of key that is taken")
            claims: dict[str, Any] = jwt.decode(
                token,
                self._key(header.get("kid")),
                algorithms=[header["alg"]],
                audience=self.settings.client,
                issuer=self.settings.issuer,
                leeway=LEEWAY,
                options={"require": REQUIRED},
            )
        except jwt.PyJWTError as error:
            raise NotVouchedFor(f"the token cannot be believed: {type(error).__name__}") from error
        audience = claims["aud"]
        for_others = isinstance(audience, list) and len(audience) > 1
        if (for_others or "azp" in claims) and claims.get("azp") != self.settings.client:
            raise NotVouchedFor("the token is for another client")
        return claims

    def _key(self, kid: object) -> jwt.PyJWK:
        """The provider's key of this name; looked up again when it is new, as keys are changed."""
        for again in (False, True):
            usable = [key for key in self._key_set(again).keys if key.public_key_use in (None, "sig")]
            found = [key for key in usable if key.key_id == kid] if kid is not None else usable
            if len(found) == 1:
                return found[0]
        raise NotVouchedFor("the token is signed by a key the provider does not publish")

    def _key_set(self, again: bool) -> jwt.PyJWKSet:
        with self._guard:
            now = self._monotonic()
            if self._keys is not None and now - self._keys[0] < (KEYS_AGAIN_AFTER if again else METADATA_FOR):
                return self._keys[1]
        published = self._asked("GET", str(self._described()["jwks_uri"]))
        try:
            keys = jwt.PyJWKSet.from_dict(published)
        except (jwt.PyJWTError, AttributeError, TypeError, ValueError) as error:
            raise NotVouchedFor("the provider's keys cannot be read") from error
        with self._guard:
            self._keys = (now, keys)
        return keys

    def _described(self) -> dict[str, Any]:
        """What the provider says of itself."""
        with self._guard:
            now = self._monotonic()
            if self._metadata is not None and now - self._metadata[0] < METADATA_FOR:
                return self._metadata[1]
        where = self.settings.issuer.rstrip("/") + "/.well-known/openid-configuration"
        described = self._asked("GET", where)
        if described.get("issuer") != self.settings.issuer:
            raise NotVouchedFor("who answers is another issuer than the one that is set")
        for endpoint in _ENDPOINTS:
            try:
                _require_tls(described.get(endpoint))
            except ValueError as error:
                raise NotVouchedFor(f"{endpoint} of the provider: {error}") from error
        with self._guard:
            self._metadata = (now, described)
        return described

    def _asked(self, method: str, url: str, **what: Any) -> dict[str, Any]:
        import httpx  # a tenth of the work of starting a console, which asks nobody unless a provider is set

        try:
            with httpx.Client(timeout=self._patience, follow_redirects=False, trust_env=False) as client:
                answer = client.request(method, url, **what)
            if answer.status_code != 200 or len(answer.content) > LARGEST_ANSWER:
                raise NotVouchedFor(f"{urlsplit(url).path} of the provider answered {answer.status_code}")
            content = answer.json()
        except (httpx.HTTPError, ValueError) as error:
            raise NotVouchedFor(f"the provider did not answer: {type(error).__name__}") from error
        if not isinstance(content, dict):
            raise NotVouchedFor("the provider's answer cannot be read")
        return content

    def _require_strength(self, claims: Mapping[str, Any]) -> None:
        methods = claims.get("amr")
        given = {str(method) for method in methods} if isinstance(methods, list) else set()
        if self.settings.methods and not given & self.settings.methods:
            raise NotVouchedFor("no second factor: amr holds none of what is asked for")
        if self.settings.contexts and claims.get("acr") not in self.settings.contexts:
            raise NotVouchedFor("no second factor: acr is none of what is asked for")

    def _role(self, claims: Mapping[str, Any]) -> str:
        held: Any = claims.get(self.settings.role_claim)
        if held is None:
            held = claims
            for part in self.settings.role_claim.split("."):
                held = held.get(part) if isinstance(held, dict) else None
        values = {held} if isinstance(held, str) else set(map(str, held)) if isinstance(held, list) else set()
        for value, role in self.settings.roles.items():
            if value in values:
                return role
        raise NotVouchedFor(f"no role is set for what {self.settings.role_claim} holds")


def _require_tls(url: object) -> None:
    """Raises ValueError unless nobody on the way can read or change what is sent there."""
    if not isinstance(url, str):
        raise ValueError("no address")
    parts = urlsplit(url)
    if parts.scheme == "https" and parts.hostname:
        return
    if parts.scheme != "http" or parts.hostname not in ("127.0.0.1", "localhost", "::1"):
        raise ValueError(f"{url} is not reached by TLS")
