# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Functions that declare Frit's libraries and tools, so that each CMakeLists.txt
# states only its sources and what it links.

# The MLIR and LLVM that a target links: the shared libraries, or every static
# archive in one group.
add_library(FritMLIR INTERFACE)
if(FRIT_STATIC_TOOLS)
  get_property(_mlir_libs GLOBAL PROPERTY MLIR_STATIC_LIBS)
  if(NOT _mlir_libs)
    set(_mlir_libs ${MLIR_EXPORTED_TARGETS})
    list(FILTER _mlir_libs INCLUDE REGEX "^MLIR")
    list(FILTER _mlir_libs EXCLUDE REGEX "(CAPI|Python|Test|Main|Shared|Runner|^MLIR$)")
  endif()
  target_link_libraries(FritMLIR INTERFACE "$<LINK_GROUP:RESCAN,${_mlir_libs}>")
else()
  target_link_libraries(FritMLIR INTERFACE MLIR LLVM)
endif()

# What a library that uses LLVM's support library and no MLIR links.
add_library(FritLLVM INTERFACE)
if(FRIT_STATIC_TOOLS)
  target_link_libraries(FritLLVM INTERFACE LLVMSupport)
else()
  target_link_libraries(FritLLVM INTERFACE LLVM)
endif()

# frit_add_library(<name> SOURCES ... [LINK_LIBS ...] [DEPENDS ...] [NO_MLIR])
#
# A library of Frit. It is static (also in the shared-MLIR build), exported, and
# reuses the shared precompiled header. NO_MLIR: the library includes no MLIR.
# Link FritLLVM then if it uses LLVM's support library.
function(frit_add_library name)
  cmake_parse_arguments(ARG "NO_MLIR" "" "SOURCES;LINK_LIBS;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:FritOptions>)
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${FRIT_INCLUDE_DIRS}>" $<INSTALL_INTERFACE:include>)
  if(NOT ARG_NO_MLIR)
    target_precompile_headers(${name} REUSE_FROM FritPch)
    target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:FritMLIR>)
  endif()
  if(ARG_LINK_LIBS)
    target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  set_property(GLOBAL APPEND PROPERTY FRIT_LIBS ${name})
endfunction()

# frit_add_tool(<name> SOURCES ... [LINK_LIBS ...])
function(frit_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE FritOptions ${ARG_LINK_LIBS} FritMLIR)
  # Position independent as the libraries are, so that their header serves here.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM FritPch)
  set_property(GLOBAL APPEND PROPERTY FRIT_TOOLS ${name})
endfunction()
