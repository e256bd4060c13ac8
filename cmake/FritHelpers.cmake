# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Functions that declare Frit's libraries and tools, so that each CMakeLists.txt
# states only its sources and what it links.

include(FritMLIR)

# Compiles a library with Frit's flags. They are copied from FritOptions and not
# linked: what a static library links reaches those who link the library.
function(frit_apply_options name)
  target_compile_options(${name} PRIVATE
    $<TARGET_PROPERTY:FritOptions,INTERFACE_COMPILE_OPTIONS>)
  target_compile_definitions(${name} PRIVATE
    $<TARGET_PROPERTY:FritOptions,INTERFACE_COMPILE_DEFINITIONS>)
  target_include_directories(${name} SYSTEM PRIVATE
    $<TARGET_PROPERTY:FritOptions,INTERFACE_INCLUDE_DIRECTORIES>)
endfunction()

# frit_add_library(<name> SOURCES ... [LINK_LIBS ...] [DEPENDS ...] [NO_MLIR])
#
# A library of Frit. It is static (also in the shared-MLIR build), exported, and
# reuses the shared precompiled header. NO_MLIR: the library includes no MLIR.
# Link FritLLVM then if it uses LLVM's support library.
function(frit_add_library name)
  cmake_parse_arguments(ARG "NO_MLIR" "" "SOURCES;LINK_LIBS;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  frit_apply_options(${name})
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${FRIT_INCLUDE_DIRS}>" $<INSTALL_INTERFACE:include>)
  if(NOT ARG_NO_MLIR)
    target_precompile_headers(${name} REUSE_FROM FritPch)
    target_link_libraries(${name} PUBLIC FritMLIR)
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
  set_target_properties(${name} PROPERTIES
    POSITION_INDEPENDENT_CODE OFF
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}"
    INSTALL_RPATH_USE_LINK_PATH ON)
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM FritPch)
  set_property(GLOBAL APPEND PROPERTY FRIT_TOOLS ${name})
endfunction()
