#!/usr/bin/env python3
"""Runs the notebooks of this folder where they lie and stores what their cells show.

usage: docs/run_tour.py     with the package warpipe, pandas, nbclient and ipykernel

The page of a prediction is a megabyte: it is shown where a cell runs, and not stored.
"""
from pathlib import Path

import nbclient
import nbformat

FOLDER = Path(__file__).resolve().parent
NOTEBOOKS = [FOLDER / "tour.ipynb", FOLDER / "tuning.ipynb"]
MOST_CHARACTERS = 20_000  # of one form of an output that is stored


def run(notebook):
    """Executes the cells in the folder of the notebook."""
    folder = {"metadata": {"path": str(FOLDER)}}
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=folder, record_timing=False).execute()
    return notebook


def outputs(notebook):
    """What each cell of code shows, without what is too large to be stored."""
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        for output in cell.outputs:
            if "data" in output:
                output.data = {kind: text for kind, text in output.data.items() if len(text) <= MOST_CHARACTERS}
        yield cell.outputs


if __name__ == "__main__":
    for path in NOTEBOOKS:
        read = run(nbformat.read(path, as_version=4))
        list(outputs(read))
        read.metadata.pop("language_info", None)
        nbformat.write(read, path)
