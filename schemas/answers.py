"""A digest of the fold's answers for each of its versions; results of an older version are folded again.

A test digests the answers of the present code and fails unless the last digest here is the same. The number of digests
is the version, so that answers cannot change without a new version.
"""

from __future__ import annotations

from typing import Final

ANSWERS: Final = (
    "before answers were digested",
    "f8922ecbbe51095f68ede69647b07e7ab89cd4d907e24f402e4a9123b512686a",
    "9f6e3c5e39800365109c01d3892169428308312dd40c59967de39f8ebfd6edf9",
    "1295a991f9302d8de57814ca323951483ff0114da330e0e5e9a331d1d0798e04",
    "42cd95a7fe8b59a2ee1edf75d684ff26ed2c1696b060731c325323311bf94f90",
    "de867d58c022a630b04d188f8929dd553bc377ec25322414aa85972713d7407c",
    "f9085c60e521c535938eda241646bb6c3875c41f642d27104c24610f5ff59764",
    "75eed8e76a5ba6d860357b0f3388699605d58f3e0784ba3e9b53dfca9c769208",
    "1d6412beb51c693f9d6409a6f16b77790ba13cafa37bc06c6d0db58d333f6b63",
    "10e071cebb0dc5a1ca8e44ae1ce6062a402bd551e8f86f4813831fc439979108",
    "15ea8464ca1cc1b606e5b31f3aff844446c899f0ff8798629d3df1f4350de77b",
    "a561a3445df19cc2a70430f6d01ea89ea7c2a378ca86499ab11de27c417d6dfb",
    "f7e6fdd989fceea104a94395389fd4e529b678e7620cbd3d29df015fdea2b6d8",
    "657d862990bbe822e6069ca05581b078dd82411ec3b146a2a7325c8ea8c2f278",
    "e99e8f9681c98e6a6a9e10fbbc70ec9dc01c8d126b5741c6bd85222638d95574",
    "d686e48689bdd5bd29568de2f4119c8e5fb4b2ca6a5d901dc9c5a96f513e49eb",
    "8036b55beba74ab2b4ae896c8b1e1aeb53468a0c92ce3075faac08c364b835a8",
    "e15144bd9890abd7f7d2dfd5635c75f0b8dc230d0ffb9b1810074c4b215da102",
    "21be0ea2df9a8181de3fff849c5d1b0ea279dfed0f1bc7f1a63298577a4a8c4c",
    "d0c91bb7af8cf0296c299995c510a6c823ee8dcb2732faad8e4b04884ff3eba9",
    "2b19cda965a438c4ea60c29661eaef86853c7534ab3f3394003db44af87c6ca2",
    "e2e87b77e16011f6c121c448472a564f58aa677c290f51173b564d279019cd5c",
    "13874629c831a17d3f6a91959a7be7dc98e38a8d0a6e1c10656b50fab627f291",
    "3594e65d2fd91299a5f154a2d35501ba8cbf8c99bedd388f0a206c4da55fc622",
    "85021092480cf424d6a1552347501e1fc0e4da669303b6cca46e66bbef6dfda5",
)

FOLD_VERSION: Final = len(ANSWERS)
