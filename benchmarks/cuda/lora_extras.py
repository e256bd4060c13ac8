# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a result says of lora_matmul besides its points: one graph for every mix of adapters (`mixes`), the grouping alone
(`lora_group`), what odd sizes and other forms cost (`random`), and many calls over the same operands (`repeats`)."""

import torch

import abi
import graph_nodes
import lora_points
import lora_suite
import result_file
import timing
from driver import Image, Launch
from lora_cases import Case, same_bits
from lora_forms import call_arguments

MIX_SHAPES = ((8, 4096, 4), (64, 4096, 4), (1024, 4096, 4), (64, 4096, 64))  # tokens, K = N, adapters; of rank 16
MIXES = ("all", "one adapter", "half base", "one token", "base")
MIX_CALLS = 100
GROUP_CALLS = 40
REPEATS = 10000
MOST_REPEATED = 1 << 22  # elements of y


def mix_ids(name, tokens, adapters):
    """[tokens] on the CPU."""
    g = torch.Generator().manual_seed(tokens)
    ids = torch.randint(0, adapters, (tokens,), generator=g)
    if name == "half base":
        ids[torch.rand(tokens, generator=g) < 0.5] = -1
    elif name != "all":
        ids.fill_(0 if name == "one adapter" else -1)
        ids[tokens // 2] = -1 if name == "base" else 0
    return ids.to(torch.int32)


def set_batch(tensors, ids, adapters):
    """Writes ids and, where there is one, the grouping over those of a batch."""
    for tensor, values in zip(tensors, [ids, *lora_suite.grouping(ids, adapters)]):
        tensor.copy_(values)
    torch.cuda.synchronize()


def check_mixes(case, function, stream):
    """{mix: what is wrong}: a graph captured over one batch, replayed over others, against float64 and an eager call."""
    batch = [t.view[0] for t in (case.ids, case.order, case.starts) if t]
    start = case.y.view.clone()
    arguments = call_arguments(case)
    set_batch(batch, mix_ids("all", case.p.tokens, case.p.adapters), case.p.adapters)
    function(arguments)
    graph = timing.capture_graph(lambda _: function(arguments), stream)
    found = {}
    for name in MIXES:
        set_batch(batch, mix_ids(name, case.p.tokens, case.p.adapters), case.p.adapters)
        case.y.view.copy_(start)
        torch.cuda.synchronize()
        function(arguments)
        torch.cuda.synchronize()
        eager = case.y.view.clone()
        case.y.view.copy_(start)
        worst, faults = case.check(graph.replay)
        faults += [f"an error of {worst:.2f} times the bound"] if worst > 1 else []
        found[name] = faults + ([] if same_bits(case.y.view, eager) else ["other bits than an eager call's"])
    return found


def empty_us(image, graph, cold):
    """Time of a kernel that does nothing, of the grid of the graph's first one."""
    kernel = graph_nodes.nodes(graph)[1][0]
    p = kernel.parameters
    launch = Launch(image, "frit_lab_empty", tuple(p.grid), p.block[0], p.shared, kernel.cluster)
    return timing.median_us(lambda stream: [launch(stream, []) for _ in range(MIX_CALLS)], MIX_CALLS, cold)


def mixes(run):
    """A graph captured over all adapters and replayed over a mix, beside one captured over the mix and an empty kernel."""
    session, suite = run.session, run.suite
    image = Image(session.options.copy_image)
    for tokens, size, adapters in MIX_SHAPES:
        compiled = next((c for c in run.good if c.point.op == "lora_matmul" and c.point.dtype == "bf16" and not c.point.form
                         and not c.point.kernel and (c.point["tokens"], c.point["k"], c.point["n"], c.point["rank"],
                                                     c.point["adapters"], c.point["tokens_with_adapter"])
                         == (tokens, size, (size,), 16, adapters, tokens)), None)
        if not compiled:
            continue
        point, function = compiled.point, session.function(run.folder, compiled)
        wrong = check_mixes(Case(lora_points.problem(point)), function, session.stream)
        batch = suite.batch(point)
        kept = [t.clone() for t in batch]
        set_batch(batch, mix_ids("all", tokens, adapters), adapters)
        once, _ = session.graph(suite, point, function, MIX_CALLS, True)
        for name in MIXES:
            set_batch(batch, mix_ids(name, tokens, adapters), adapters)
            own, _ = session.graph(suite, point, function, MIX_CALLS, True)
            times = [timing.spread(timing.replay_times(g, MIX_CALLS, True), "cold")["cold_us"] for g in (once, own)]
            if wrong[name]:
                run.fail(compiled, f"mix '{name}': {', '.join(wrong[name])}")
            entry = {"tokens": tokens, "k": size, "n": [size], "rank": 16, "adapters": adapters, "mix": name, "kernel": compiled.kernel,
                     "cold_us": times[0], "captured_for_it_us": times[1]}
            run.assembly.extend("mixes", entry | ({"empty_us": empty_us(image, once, True)} if name == "base" else {}))
        for tensor, values in zip(batch, kept):
            tensor.copy_(values)


def groups(run):
    """lora_group alone, over ids that each call has for itself and, warm, that all share."""
    for compiled in run.compiled:
        point = compiled.point
        if point.op != "lora_group":
            continue
        tokens, adapters = point["tokens"], point["adapters"]
        function = run.session.function(run.folder, compiled)
        calls, wrong = [], 0
        for _ in range(GROUP_CALLS):
            ids = torch.randint(-1, adapters, (tokens,), dtype=torch.int32, device="cuda")
            order, starts = torch.empty_like(ids), torch.empty(adapters + 1, dtype=torch.int32, device="cuda")
            calls.append(abi.Arguments([ids, order, starts]))
        torch.cuda.synchronize()
        for arguments in calls:
            function(arguments)
        torch.cuda.synchronize()
        for arguments in calls:
            ids, order, starts = (t.cpu() for t in arguments.tensors)
            wrong += any(not torch.equal(a, b) for a, b in zip((order, starts), lora_suite.grouping(ids, adapters)))
        if wrong:
            run.fail(compiled, f"{wrong} of {GROUP_CALLS} groupings are wrong")
            continue
        us = {name: timing.spread(timing.replay_times(timing.capture_graph(
            lambda _, some=some: [function(a) for a in some], run.session.stream), GROUP_CALLS, name == "cold"), name)[f"{name}_us"]
            for name, some in (("cold", calls), ("warm", calls[:1] * GROUP_CALLS))}
        run.assembly.extend("lora_group", {"tokens": tokens, "adapters": adapters, "kernel": compiled.kernel,
                                           **{f"{k}_us": v for k, v in us.items()}})


def repeats(run):
    """How many elements differ from the first call's in any of many, at one point of each kernel that was chosen."""
    seen = set()
    for compiled in run.good:
        point = compiled.point
        if (point.op != "lora_matmul" or point.form or point.kernel or (point.dtype, compiled.kernel) in seen
                or point["tokens"] * sum(point["n"]) > MOST_REPEATED):
            continue
        seen.add((point.dtype, compiled.kernel))
        case, function = Case(lora_points.problem(point)), run.session.function(run.folder, compiled)
        arguments, start = call_arguments(case), case.y.view.clone()
        differing, first = torch.zeros((), dtype=torch.int64, device="cuda"), None
        torch.cuda.synchronize()
        with torch.cuda.stream(run.session.stream):
            for _ in range(REPEATS):
                case.y.view.copy_(start)
                function(arguments)
                if first is None:
                    first = case.y.view.clone()
                differing += (case.y.view.view(torch.int16) != first.view(torch.int16)).sum()
        torch.cuda.synchronize()
        if differing.item():
            run.fail(compiled, f"{differing.item()} elements differ over {REPEATS} calls")
        run.assembly.extend("repeats", {"dtype": point.dtype, "tokens": point["tokens"], "k": point["k"], "n": list(point["n"]),
                                        "rank": point["rank"], "kernel": compiled.kernel, "calls": REPEATS,
                                        "differing": differing.item()})


def random_ratios(run):
    """Cold times of the random points over those of the plain points beside them."""
    words = lambda entry: entry["form"].split("_")
    entries = [e for e in run.assembly.values["more"] if e["form"].startswith(("random_", "rounded_")) and "cold_us" in e]
    plain = {words(e)[1]: e for e in entries if words(e)[0] == "rounded"}
    found = {True: [], False: []}
    for e in entries:
        if words(e)[0] == "random" and words(e)[1] in plain:
            ratio = e["cold_us"] / plain[words(e)[1]]["cold_us"]
            found[e["dtype"] == "f32" or "f32w" in words(e)].append((ratio, e["form"], e["kernel"], e["tokens"]))
    for wide, most in ((False, 1.5), (True, 3.0)):
        values = sorted(found[wide], reverse=True)
        if values:
            run.assembly.extend("random", {
                "f32_weights": wide, "points": len(values), "geometric_mean": result_file.geometric_mean([v[0] for v in values]),
                "limit": most, "above": sum(v[0] > most for v in values), "largest": values[0][0], "at": values[0][1:]})


def run_all(run):
    groups(run)
    mixes(run)
    repeats(run)
    random_ratios(run)
