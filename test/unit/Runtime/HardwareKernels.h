//===- HardwareKernels.h ----------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels in PTX for the tests on a real device.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_UNIT_RUNTIME_HARDWAREKERNELS_H
#define FRIT_TEST_UNIT_RUNTIME_HARDWAREKERNELS_H

/// add_one(int32_t *values, int64_t count) adds 1 to each value; a thread each.
/// shared_size(int32_t *out) stores the bytes of dynamic shared memory.
/// store(int32_t *address) stores 0.
inline constexpr char kBasicPtx[] = R"(
.version 7.8
.target sm_80
.address_size 64

.visible .entry add_one(.param .u64 values, .param .u64 count)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd0, [values];
  ld.param.u64 %rd1, [count];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  cvt.u64.u32 %rd2, %r2;
  mad.wide.u32 %rd2, %r0, %r1, %rd2;
  setp.ge.u64 %p, %rd2, %rd1;
  @%p ret;
  cvta.to.global.u64 %rd0, %rd0;
  shl.b64 %rd2, %rd2, 2;
  add.s64 %rd0, %rd0, %rd2;
  ld.global.u32 %r3, [%rd0];
  add.s32 %r3, %r3, 1;
  st.global.u32 [%rd0], %r3;
  ret;
}

.visible .entry shared_size(.param .u64 out)
{
  .reg .b32 %r;
  .reg .b64 %rd;
  ld.param.u64 %rd, [out];
  cvta.to.global.u64 %rd, %rd;
  mov.u32 %r, %dynamic_smem_size;
  st.global.u32 [%rd], %r;
  ret;
}

.visible .entry store(.param .u64 address)
{
  .reg .b32 %r;
  .reg .b64 %rd;
  ld.param.u64 %rd, [address];
  cvta.to.global.u64 %rd, %rd;
  mov.u32 %r, 0;
  st.global.u32 [%rd], %r;
  ret;
}
)";

/// cluster_size(int32_t *out) stores the blocks of its cluster, a block each.
/// add_dependent(int32_t *value) adds 1 after the launch ahead has ended.
inline constexpr char kHopperPtx[] = R"(
.version 7.8
.target sm_90
.address_size 64

.visible .entry cluster_size(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd0, [out];
  cvta.to.global.u64 %rd0, %rd0;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %cluster_nctarank;
  mul.wide.u32 %rd1, %r0, 4;
  add.s64 %rd0, %rd0, %rd1;
  st.global.u32 [%rd0], %r1;
  ret;
}

.visible .entry add_dependent(.param .u64 value)
{
  .reg .b32 %r;
  .reg .b64 %rd;
  griddepcontrol.launch_dependents;
  griddepcontrol.wait;
  ld.param.u64 %rd, [value];
  cvta.to.global.u64 %rd, %rd;
  ld.global.u32 %r, [%rd];
  add.s32 %r, %r, 1;
  st.global.u32 [%rd], %r;
  ret;
}
)";

#endif // FRIT_TEST_UNIT_RUNTIME_HARDWAREKERNELS_H
