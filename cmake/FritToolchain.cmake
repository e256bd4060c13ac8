# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds LLVM/MLIR 22 and sets the flags that every target of Frit is built
# with. Flags are set on the INTERFACE target `FritOptions`, which is private
# to Frit's own targets, so nothing leaks into a project that embeds Frit.

include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

if(FRIT_USE_CCACHE)
  find_program(FRIT_CCACHE ccache)
  if(FRIT_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER "${FRIT_CCACHE}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${FRIT_CCACHE}")
  endif()
endif()

# MLIR's package file accepts only its own exact version, so the version is
# checked by hand.
list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22)
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "Frit needs LLVM/MLIR 22, found ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")
endif()
message(STATUS "Using MLIR ${LLVM_PACKAGE_VERSION} from ${MLIR_DIR}")

# Debian's package does not export this choice; without it static MLIR
# libraries can meet the shared one in one process.
if(FRIT_STATIC_TOOLS)
  set(MLIR_LINK_MLIR_DYLIB OFF)
  set(LLVM_LINK_LLVM_DYLIB OFF)
else()
  set(MLIR_LINK_MLIR_DYLIB ON)
endif()

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
# TableGen reads include paths from the directory, not from targets.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(FritOptions INTERFACE)
target_include_directories(FritOptions SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(FRIT_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})
target_compile_definitions(FritOptions INTERFACE ${FRIT_LLVM_DEFINITIONS})
target_compile_options(FritOptions INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wno-unused-parameter -fno-exceptions>)
# g++ calls a move redundant that clang needs to return an Error as an Expected.
target_compile_options(FritOptions INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-redundant-move>)
if(FRIT_WARNINGS_AS_ERRORS)
  target_compile_options(FritOptions INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(FritOptions INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()

# The fuzz targets see what the code under test does and where it goes wrong.
if(FRIT_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "FRIT_BUILD_FUZZERS needs clang, found ${CMAKE_CXX_COMPILER_ID}")
  endif()
  set(FRIT_FUZZ_SANITIZERS address,undefined)
  target_compile_options(FritOptions INTERFACE
    -fsanitize=fuzzer-no-link,${FRIT_FUZZ_SANITIZERS} -fno-sanitize-recover=undefined)
  target_link_options(FritOptions INTERFACE -fsanitize=${FRIT_FUZZ_SANITIZERS})
endif()

# One precompiled header serves all libraries that include MLIR.
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/FritPch.cpp.in" "// Owns the precompiled header that Frit's MLIR libraries share.\n")
configure_file("${CMAKE_CURRENT_BINARY_DIR}/FritPch.cpp.in" "${CMAKE_CURRENT_BINARY_DIR}/FritPch.cpp" COPYONLY)
add_library(FritPch OBJECT "${CMAKE_CURRENT_BINARY_DIR}/FritPch.cpp")
target_link_libraries(FritPch PRIVATE FritOptions)
target_precompile_headers(FritPch PRIVATE
  <mlir/IR/Builders.h> <mlir/IR/BuiltinTypes.h> <mlir/IR/BuiltinAttributes.h>
  <mlir/IR/OpImplementation.h> <mlir/IR/PatternMatch.h> <mlir/IR/DialectImplementation.h>
  <mlir/Pass/Pass.h> <mlir/Pass/PassManager.h> <mlir/Transforms/DialectConversion.h>
  <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/Linalg/IR/Linalg.h> <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h> <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h> <mlir/Dialect/Vector/IR/VectorOps.h>
  <llvm/ADT/TypeSwitch.h>)
