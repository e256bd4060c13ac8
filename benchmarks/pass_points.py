# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each pass over graphs gains: points of layers from whose compilation one pass is left out. Needs Python alone.

Their form is the name of the pass behind `without_`, and the point to compare with has the form that is left without it."""

WITHOUT = "without_"
# The number of tokens is known to calls alone.
DYNAMIC = "dynamic"
# Pass: numbers of tokens. Matmuls that no library executes are too slow to be worth a run at more.
LAYERS = {"frit-form-matmuls": (1, 16, 256), "frit-group-tokens": (256, 2048), "frit-form-lora-activations": (1024, 2048),
          "frit-plan-scratch": (1, 16, 256, 2048), "frit-launch-early": (1, 16, 256, 2048)}
# Branches that do without a grouping are those of few tokens.
DYNAMIC_LAYERS = {"frit-sink-groupings": (1, 16)}
SPARSE_LAYERS = {"frit-transpose-weights": (1, 8)}


def form(name, of=""):
    """Without a pass, and of another form `of` besides. Functions have it in their names."""
    without = WITHOUT + name.removeprefix("frit-").replace("-", "_")
    return f"{of}_{without}" if of else without


def left_out(form_):
    """The pass that a point of this form does without; "" for none."""
    _, found, name = form_.partition(WITHOUT)
    return "frit-" + name.replace("_", "-") if found else ""


def compared(form_):
    """The form of the point that has the pass."""
    return form_.partition(WITHOUT)[0].rstrip("_")


def is_dynamic(form_):
    return compared(form_) == DYNAMIC


def options(form_):
    """Of frit-run."""
    return [f"--without={name}"] if (name := left_out(form_)) else []


def gains(result):
    """(the point that has it, the one without) for each point of a result that does without a pass."""
    def key(p, f):
        return p["tokens"], p["d"], p.get("rank", 0), f

    every = {key(p, p.get("form", "")): p for p in [*result["points"], *result["more"]]}
    pairs = [(every.get(key(p, compared(p["form"]))), p) for p in result["more"] if WITHOUT in p["form"]]
    return [(with_, without) for with_, without in pairs if with_]
