"""Reads every CSV of a folder of results with pandas, without options, and checks what a reader
relies on: names, numbers that are numbers, empty fields that are missing."""

import sys
from pathlib import Path

import pandas as pd

TEXT = {"game", "strategy", "below", "above", "team", "group", "seats", "objective", "winners"}


def check(path: Path) -> None:
    table = pd.read_csv(path)
    assert len(table) > 0, f"{path}: no rows"
    assert table.columns.is_unique, f"{path}: a column twice"
    for name in table.columns:
        text = name in TEXT or name.startswith("strategy_")
        if not text:
            assert pd.api.types.is_numeric_dtype(table[name]), f"{path}: {name} is no number"
    for low in [name for name in table.columns if name.endswith("_low")]:
        mean = low.removesuffix("_low")
        mean = mean if mean in table else f"{mean}_mean"
        both = table.dropna(subset=[low, mean])
        assert (both[low] <= both[mean] + 1e-6).all(), f"{path}: {low} above {mean}"


files = sorted(Path(sys.argv[1]).glob("*.csv"))
assert files, "no CSV"
for file in files:
    check(file)
print(f"{len(files)} files read")
