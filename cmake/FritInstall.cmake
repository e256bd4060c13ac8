# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs Frit and makes find_package(Frit) work from the install tree and from
# the build tree. MLIR's macros install no header, tool or package file, so all
# of it is here. Included last: it needs the lists of libraries and tools.
#
# Each component can be installed from a build of its targets alone: `FritRuntime`
# (the shared library and its headers), `FritTools` (needs `FritRuntime` at run time) and
# `FritDevelopment` (everything that find_package(Frit) gives).

include(CMakePackageConfigHelpers)

get_property(FRIT_CONFIG_LIBRARIES GLOBAL PROPERTY FRIT_LIBS)
get_property(_frit_tools GLOBAL PROPERTY FRIT_TOOLS)
set(_frit_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/frit")
get_filename_component(FRIT_LLVM_PREFIX "${LLVM_TOOLS_BINARY_DIR}/.." ABSOLUTE)

# The shared libraries, which show no MLIR, are a set of their own: a project can
# use them without MLIR.
get_property(_frit_shared_libs GLOBAL PROPERTY FRIT_SHARED_LIBS)
set(_frit_static_libs ${FRIT_CONFIG_LIBRARIES})
list(REMOVE_ITEM _frit_static_libs ${_frit_shared_libs})
install(TARGETS ${_frit_static_libs} EXPORT FritTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT FritDevelopment
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
foreach(_lib IN LISTS _frit_shared_libs)
  if(_lib STREQUAL "FritRuntime")
    set(_component FritRuntime)
  else()
    set(_component FritDevelopment)
  endif()
  install(TARGETS ${_lib} EXPORT FritSharedTargets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${_component}
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endforeach()
install(TARGETS ${_frit_tools}
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT FritTools)

# Written headers and TableGen files, then the generated ones.
foreach(_folder IN LISTS FRIT_INCLUDE_DIRS)
  foreach(_part frit frit-c)
    if(EXISTS "${_folder}/${_part}")
      install(DIRECTORY "${_folder}/${_part}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        COMPONENT FritDevelopment
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.td" PATTERN "*.inc"
        PATTERN "CMakeFiles" EXCLUDE)
    endif()
  endforeach()
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/frit-c" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT FritRuntime
  FILES_MATCHING PATTERN "Runtime*.h" PATTERN "Runtime*.def" PATTERN "Entry.h"
  PATTERN "ProcessorFeatures.def" PATTERN "Tensor.h" PATTERN "Weights.h")

install(EXPORT FritTargets DESTINATION "${_frit_package_dir}" COMPONENT FritDevelopment)
install(EXPORT FritSharedTargets DESTINATION "${_frit_package_dir}" COMPONENT FritDevelopment)
install(FILES "${CMAKE_CURRENT_LIST_DIR}/FritMLIR.cmake" DESTINATION "${_frit_package_dir}"
  COMPONENT FritDevelopment)

set(_frit_build_package_dir "${CMAKE_BINARY_DIR}/lib/cmake/frit")
export(EXPORT FritTargets FILE "${_frit_build_package_dir}/FritTargets.cmake")
export(EXPORT FritSharedTargets FILE "${_frit_build_package_dir}/FritSharedTargets.cmake")

# The package file for the build tree, with its paths, ...
set(FRIT_CONFIG_INCLUDE_DIRS "${FRIT_INCLUDE_DIRS}")
list(TRANSFORM FRIT_CONFIG_INCLUDE_DIRS REPLACE "(.+)" "\"\\1\"")
list(JOIN FRIT_CONFIG_INCLUDE_DIRS " " FRIT_CONFIG_INCLUDE_DIRS)
list(JOIN FRIT_CONFIG_LIBRARIES " " FRIT_CONFIG_LIBRARIES)
set(FRIT_CONFIG_TOOLS_DIR "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
set(FRIT_CONFIG_MLIR_FILE "${CMAKE_CURRENT_LIST_DIR}/FritMLIR.cmake")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/FritConfig.cmake.in"
  "${_frit_build_package_dir}/FritConfig.cmake"
  INSTALL_DESTINATION "${_frit_build_package_dir}"
  INSTALL_PREFIX "${CMAKE_BINARY_DIR}"
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)

# ... and for the install tree, whose paths are relative to it.
set(FRIT_CONFIG_INCLUDE_DIRS "\"\${PACKAGE_PREFIX_DIR}/${CMAKE_INSTALL_INCLUDEDIR}\"")
set(FRIT_CONFIG_TOOLS_DIR "\${PACKAGE_PREFIX_DIR}/${CMAKE_INSTALL_BINDIR}")
set(FRIT_CONFIG_MLIR_FILE "\${CMAKE_CURRENT_LIST_DIR}/FritMLIR.cmake")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/FritConfig.cmake.in"
  "${CMAKE_BINARY_DIR}/install/FritConfig.cmake"
  INSTALL_DESTINATION "${_frit_package_dir}"
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)

write_basic_package_version_file("${_frit_build_package_dir}/FritConfigVersion.cmake"
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/install/FritConfig.cmake"
  "${_frit_build_package_dir}/FritConfigVersion.cmake"
  DESTINATION "${_frit_package_dir}" COMPONENT FritDevelopment)
