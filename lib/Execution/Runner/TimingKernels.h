//===- TimingKernels.h - Kernels that measurements need ---------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is queued around timed calls, as PTX that the driver compiles: a build
// without the CUDA Toolkit times its generated kernels too.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_TIMINGKERNELS_H
#define FRIT_LIB_EXECUTION_RUNNER_TIMINGKERNELS_H

namespace mlir::frit {

/// Two kernels.
/// `frit_timing_read(data, vectors)` reads vectors of 16 bytes, one by one from
/// thread to thread, to evict the caches. It stores their sum if that is a
/// value that it never is, so that the reads are made.
/// `frit_timing_spin(nanoseconds)` keeps the device busy while the host queues
/// work; in one thread.
inline constexpr char kTimingKernels[] = R"(
.version 7.0
.target sm_80
.address_size 64

.visible .entry frit_timing_read(.param .u64 data, .param .u64 vectors) {
  .reg .pred %again, %stored;
  .reg .b32 %r<10>;
  .reg .b64 %base, %end, %step, %at, %wide;
  ld.param.u64 %base, [data];
  ld.param.u64 %end, [vectors];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %nctaid.x;
  mad.wide.u32 %at, %r0, %r1, 0;
  cvt.u64.u32 %wide, %r2;
  add.u64 %at, %at, %wide;
  mul.wide.u32 %step, %r1, %r3;
  mov.u32 %r4, 0;
loop:
  setp.lt.u64 %again, %at, %end;
  @!%again bra done;
  mad.lo.u64 %wide, %at, 16, %base;
  ld.global.cg.v4.u32 {%r5, %r6, %r7, %r8}, [%wide];
  xor.b32 %r5, %r5, %r6;
  xor.b32 %r7, %r7, %r8;
  xor.b32 %r5, %r5, %r7;
  or.b32 %r4, %r4, %r5;
  add.u64 %at, %at, %step;
  bra loop;
done:
  setp.eq.u32 %stored, %r4, 0x9e3779b9;
  @%stored st.global.u32 [%base], %r4;
  ret;
}

.visible .entry frit_timing_spin(.param .u64 nanoseconds) {
  .reg .pred %again;
  .reg .b64 %begin, %now, %span;
  ld.param.u64 %span, [nanoseconds];
  mov.u64 %begin, %globaltimer;
wait:
  mov.u64 %now, %globaltimer;
  sub.u64 %now, %now, %begin;
  setp.lt.u64 %again, %now, %span;
  @%again bra wait;
  ret;
}
)";

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_TIMINGKERNELS_H
