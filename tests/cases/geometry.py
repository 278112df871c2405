"""A dozen geometry tasks with drawn pictures, in the columns of geometry3k."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image, ImageDraw

IMAGES = pa.list_(pa.struct([("bytes", pa.binary()), ("path", pa.string())]))
COLUMNS = pa.schema([("images", IMAGES), ("problem", pa.string()), ("answer", pa.string())])


def triangle(base: int, height: int) -> bytes:
    """A PNG of a right triangle with its legs written beside it."""
    picture = Image.new("RGB", (160, 120), "white")
    pen = ImageDraw.Draw(picture)
    pen.polygon([(20, 100), (20 + 10 * base, 100), (20, 100 - 8 * height)], outline="black")
    pen.text((24, 104), str(base), fill="black")
    pen.text((4, 60), str(height), fill="black")
    out = io.BytesIO()
    picture.save(out, format="PNG")
    return out.getvalue()


def row(number: int) -> dict[str, Any]:
    """Area of the triangle with legs ``number`` and 4."""
    return {
        "images": [{"bytes": triangle(number, 4), "path": None}],
        "problem": f"<image>Find the area of the triangle with the legs {number} and 4.",
        "answer": str(2 * number),
    }


def dataset(folder: Path, train: list[dict[str, Any]], test: list[dict[str, Any]]) -> Path:
    """A dataset folder as a hub hands it out."""
    (folder / "data").mkdir(parents=True)
    for name, rows in (("train", train), ("test", test)):
        table = pa.Table.from_pylist(rows, schema=COLUMNS)
        pq.write_table(table, folder / "data" / f"{name}-00000-of-00001.parquet")
    return folder


def twelve(folder: Path) -> Path:
    """Eight train rows and four test rows."""
    return dataset(folder, [row(number) for number in range(1, 9)], [row(number) for number in range(9, 13)])
