# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The two halves of a LoRA product with the arguments of LLM servers, in their order.

The mapping of tokens to adapters alone says what is computed. The sorted indices, counts and starts that servers pass along
are accepted and not read: Frit groups tokens by itself.
"""

from .. import _allocation
from ..errors import InvalidArgumentError
from ..ops import lora
from ..ops._rows import check_rank, named_view


def _has_no_lora(flag):
    try:
        return bool(flag.item() if hasattr(flag, "item") else flag)
    except Exception as error:
        raise InvalidArgumentError(f"no_lora_flag_cpu has no value ({error}), expected one boolean") from error


def _to_float(name, value):
    try:
        return float(value)
    except (OverflowError, TypeError, ValueError):
        raise InvalidArgumentError(f"{name} is {value!r}, expected a number") from None


def _view(name, tensor):
    view = named_view(name, tensor)
    check_rank(name, view, 1)
    return view


def _unstack(name, weights):
    """Views of weights that are [L, 1, N, K] or [L, N, K]."""
    views = []
    for index, weight in enumerate(weights):
        address, code, device, sizes, strides = named_view(f"{name}[{index}]", weight)
        if len(sizes) == 4 and sizes[1] == 1:
            sizes, strides = (sizes[0], *sizes[2:]), (strides[0], *strides[2:])
        if len(sizes) != 3:
            raise InvalidArgumentError(f"{name}[{index}] has sizes {tuple(sizes)}, expected [L, 1, N, K] or [L, N, K]")
        views.append((address, code, device, sizes, strides))
    if not views:
        raise InvalidArgumentError(f"{name} is empty, expected a tensor for each slice")
    return views


def lora_shrink(inputs, lora_a_weights, output_tensor, token_lora_mapping, token_indices_sorted_by_lora_ids,
                num_tokens_per_lora, lora_token_start_loc, lora_ids, no_lora_flag_cpu, *rest, scaling=None, verify=False):
    """output_tensor[s, t] = scaling * A_s[id] inputs[t], and zeros for tokens without an adapter. Where
    `no_lora_flag_cpu` says that no token has one, nothing is changed.

    inputs: [T, K]. lora_a_weights: a list of [L, 1, R, K]. output_tensor: [S, T, R], float32 as a rule.
    token_lora_mapping: [T], int32, -1 for none. rest: the scaling, which the number of active adapters may precede.
    verify: check at each call that the mapping names adapters that the weights have; refused on devices.
    """
    if _has_no_lora(no_lora_flag_cpu):
        return
    if scaling is None:
        if not rest:
            raise InvalidArgumentError("scaling is missing, expected it as the last argument")
        scaling = rest[-1]
    _allocation.clear(output_tensor)
    lora.run("lora_shrink", _view("inputs", inputs), named_view("token_lora_mapping", token_lora_mapping),
             _unstack("lora_a_weights", lora_a_weights), lora.NO_OPERANDS, _view("output_tensor", output_tensor), "auto",
             (_to_float("scaling", scaling),), verify)


def lora_expand(inputs, lora_b_weights, output_tensor, token_lora_mapping, token_indices_sorted_by_lora_ids,
                num_tokens_per_lora, lora_token_start_loc, lora_ids, no_lora_flag_cpu, *rest, offset_start=0,
                add_inputs=False, verify=False):
    """Adds B_s[id] inputs[s, t] to output_tensor[t], or stores it, in the columns from `offset_start` on, one slice after
    the other. Rows of tokens without an adapter stay as they are.

    inputs: [S, T, R], as from `lora_shrink`. lora_b_weights: a list of [L, 1, N_s, R]. output_tensor: [T, M].
    rest: a server may pass the number of active adapters. verify: as in `lora_shrink`.
    """
    if _has_no_lora(no_lora_flag_cpu):
        return
    attributes = 1.0, offset_start, "sum", bool(add_inputs)
    lora.run("lora_expand", _view("inputs", inputs), named_view("token_lora_mapping", token_lora_mapping),
             _unstack("lora_b_weights", lora_b_weights), lora.NO_OPERANDS, _view("output_tensor", output_tensor), "auto",
             attributes, verify)
