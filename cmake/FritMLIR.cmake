# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The MLIR and LLVM that Frit's libraries are linked with, as two targets that
# they name: FritMLIR, and FritLLVM for those that use no MLIR; and FritMLIRCAPI,
# MLIR's C API, for programs in C that use theirs. Frit's build and
# its installed package both include this file after finding MLIR, so a project
# that embeds Frit gets one MLIR: the shared libraries, or with
# FRIT_STATIC_TOOLS every static archive in one group.
#
# A plugin sets its property FRIT_MLIR_OF_HOST: it is linked with none, and uses
# the MLIR of the program that loads it.
#
# All are imported, so that an export names them and does not contain them.

if(TARGET FritMLIR)
  return()
endif()
add_library(FritMLIR INTERFACE IMPORTED GLOBAL)
add_library(FritLLVM INTERFACE IMPORTED GLOBAL)
target_include_directories(FritMLIR INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_include_directories(FritLLVM INTERFACE ${LLVM_INCLUDE_DIRS})

if(FRIT_STATIC_TOOLS)
  # The archives are named as files. As targets, some of them (the execution
  # engine is one) bring the shared libraries along in Debian's package, and
  # then two MLIRs meet in one process.
  set(_frit_archives)
  set(_frit_system_libs)
  set(_frit_static_libs ${MLIR_EXPORTED_TARGETS} ${LLVM_AVAILABLE_LIBS})
  list(FILTER _frit_static_libs INCLUDE REGEX "^(MLIR|LLVM)")
  list(FILTER _frit_static_libs EXCLUDE REGEX "(CAPI|Python|Test|Runner|Exegesis|^LLVMExtensions)")
  foreach(_lib IN LISTS _frit_static_libs)
    # Debian's list names libraries that its package lacks.
    if(NOT TARGET ${_lib})
      continue()
    endif()
    get_target_property(_type ${_lib} TYPE)
    if(NOT _type STREQUAL STATIC_LIBRARY)
      continue()
    endif()
    list(APPEND _frit_archives "$<TARGET_FILE:${_lib}>")
    get_target_property(_needed ${_lib} INTERFACE_LINK_LIBRARIES)
    foreach(_item IN LISTS _needed)
      string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" _item "${_item}")
      if(_item AND NOT _item MATCHES "^(MLIR|LLVM)")
        list(APPEND _frit_system_libs "${_item}")
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES _frit_system_libs)
  target_link_libraries(FritMLIR INTERFACE
    "$<LINK_GROUP:RESCAN,${_frit_archives}>" ${_frit_system_libs})
  target_link_options(FritMLIR INTERFACE LINKER:--as-needed LINKER:--gc-sections)
  # Only the archive members that are used are linked.
  target_link_libraries(FritLLVM INTERFACE FritMLIR)
else()
  set(_frit_links "$<NOT:$<BOOL:$<TARGET_PROPERTY:FRIT_MLIR_OF_HOST>>>")
  target_link_libraries(FritMLIR INTERFACE "$<${_frit_links}:MLIR>" "$<${_frit_links}:LLVM>")
  target_link_libraries(FritLLVM INTERFACE "$<${_frit_links}:LLVM>")
endif()

# Debian's package has MLIR's C API as archives alone. As targets they would
# bring the static MLIR along. What the others call comes last.
add_library(FritMLIRCAPI INTERFACE IMPORTED GLOBAL)
set(_frit_capi_libs ${MLIR_EXPORTED_TARGETS})
list(FILTER _frit_capi_libs INCLUDE REGEX "^MLIRCAPI")
list(REMOVE_ITEM _frit_capi_libs MLIRCAPIInterfaces MLIRCAPIIR)
foreach(_lib IN LISTS _frit_capi_libs ITEMS MLIRCAPIInterfaces MLIRCAPIIR)
  if(TARGET ${_lib})
    target_link_libraries(FritMLIRCAPI INTERFACE "$<TARGET_FILE:${_lib}>")
  endif()
endforeach()
target_link_libraries(FritMLIRCAPI INTERFACE FritMLIR)
