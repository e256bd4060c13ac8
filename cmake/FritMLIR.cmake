# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The MLIR and LLVM that Frit's libraries are linked with, as two targets that
# they name: FritMLIR, and FritLLVM for those that use no MLIR. Frit's build and
# its installed package both include this file after finding MLIR, so a project
# that embeds Frit gets one MLIR: the shared libraries, or with
# FRIT_STATIC_TOOLS every static archive in one group.
#
# Both are imported, so that an export names them and does not contain them.

if(TARGET FritMLIR)
  return()
endif()
add_library(FritMLIR INTERFACE IMPORTED GLOBAL)
add_library(FritLLVM INTERFACE IMPORTED GLOBAL)
target_include_directories(FritMLIR INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_include_directories(FritLLVM INTERFACE ${LLVM_INCLUDE_DIRS})

if(FRIT_STATIC_TOOLS)
  get_property(_frit_mlir_libs GLOBAL PROPERTY MLIR_STATIC_LIBS)
  if(NOT _frit_mlir_libs)
    set(_frit_mlir_libs ${MLIR_EXPORTED_TARGETS})
    list(FILTER _frit_mlir_libs INCLUDE REGEX "^MLIR")
    list(FILTER _frit_mlir_libs EXCLUDE REGEX "(CAPI|Python|Test|Main|Shared|Runner|^MLIR$)")
  endif()
  target_link_libraries(FritMLIR INTERFACE "$<LINK_GROUP:RESCAN,${_frit_mlir_libs}>")
  target_link_libraries(FritLLVM INTERFACE LLVMSupport)
else()
  target_link_libraries(FritMLIR INTERFACE MLIR LLVM)
  target_link_libraries(FritLLVM INTERFACE LLVM)
endif()
