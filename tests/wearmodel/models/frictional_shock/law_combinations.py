"""Every normal law with every friction law, as parameters of a test."""

from __future__ import annotations

from itertools import product

import pytest

from wearmodel import NormalLaw, TangentialLaw

laws = pytest.mark.parametrize(
    ("normal_law", "tangential_law"),
    [
        pytest.param(normal, tangential, id=f"{normal.name}-{tangential.name}")
        for normal, tangential in product(NormalLaw, TangentialLaw)
    ],
)
