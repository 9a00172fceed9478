"""Files of a run, with the call that made each."""

import json
import os

import numpy as np


class Store:
    """Collects what is written, with the call that made it, for manifest.json."""

    def __init__(self, out):
        self.out = out
        self.files = {}

    def path(self, rel):
        p = os.path.join(self.out, rel)
        os.makedirs(os.path.dirname(p), exist_ok=True)
        return p

    def npz(self, rel, arrays, call, config=None, notes=None):
        arrays = {k: np.asarray(v) for k, v in arrays.items()}
        for k, v in arrays.items():
            assert v.dtype != object, (rel, k)
        np.savez_compressed(self.path(rel), **arrays)
        desc = {}
        for k, v in arrays.items():
            desc[k] = [str(v.dtype) if v.dtype.names is None else "struct", list(v.shape)]
        self.files[rel] = {"call": call, "arrays": compact(desc)}
        if config is not None:
            self.files[rel]["config"] = config
        if notes:
            self.files[rel]["notes"] = notes

    def json(self, rel, obj, call, config=None, notes=None):
        with open(self.path(rel), "w") as f:
            json.dump(obj, f, indent=1, sort_keys=True, default=jsonable)
            f.write("\n")
        self.files[rel] = {"call": call}
        if config is not None:
            self.files[rel]["config"] = config
        if notes:
            self.files[rel]["notes"] = notes

    def note(self, rel, call, **kw):
        self.files[rel] = {"call": call, **kw}


def compact(desc):
    """Fold '00.key', '01.key', ... with the same dtype and shape into one entry."""
    out, groups = {}, {}
    for k, v in desc.items():
        head, _, tail = k.partition(".")
        if head.isdigit() and tail:
            groups.setdefault((tail, v[0], tuple(v[1])), []).append(head)
        else:
            out[k] = v
    for (tail, dt, shp), heads in groups.items():
        out[
            "<{}>.{}".format(
                heads[0] if len(heads) == 1 else f"{heads[0]}..{heads[-1]},n={len(heads)}",
                tail,
            )
        ] = [dt, list(shp)]
    return out


def jsonable(o):
    if isinstance(o, np.ndarray):
        return o.tolist()
    if isinstance(o, (np.integer,)):
        return int(o)
    if isinstance(o, (np.floating,)):
        return float(o)
    if isinstance(o, np.bool_):
        return bool(o)
    if isinstance(o, (set, frozenset)):
        return sorted(o)
    raise TypeError(type(o))
