// RUN: %frit_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(convert-alloc-to-frit-runtime)'

func.func @no_context(%x: memref<4xf32>) {
  // expected-error@below {{is in function 'no_context', which has no context argument; run frit-add-context first}}
  %0 = memref.alloc() : memref<4xf32>
  return
}

// -----

func.func @layout(%context: !llvm.ptr) -> i32 {
  // expected-error@below {{has layout strided<[8, 1]>; scratch memory is contiguous}}
  %0 = memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// -----

func.func @space(%context: !llvm.ptr) -> i32 {
  // expected-error@below {{has memory space 3 : i64; scratch memory is in the default one}}
  %0 = memref.alloc() : memref<4xf32, 3>
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// -----

func.func @unranked(%context: !llvm.ptr, %x: memref<*xf32>) -> i32 {
  // expected-error@below {{frees a buffer of type 'memref<*xf32>', which has no LLVM descriptor}}
  memref.dealloc %x : memref<*xf32>
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// -----

// expected-note@below {{but the module uses the name for this}}
func.func private @fritScratchAlloc(i32)

func.func @name_is_taken(%context: !llvm.ptr) -> i32 {
  // expected-error@below {{the runtime's function 'fritScratchAlloc' of type '!llvm.func<ptr (ptr, i64, i64)>' is needed}}
  %0 = memref.alloc() : memref<4xf32>
  %ok = arith.constant 0 : i32
  return %ok : i32
}
