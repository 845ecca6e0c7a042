# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# FabricTwin as a CMake package, for programs that use the models without the command line: find_package(FabricTwin) with FabricTwin_DIR=<build folder>, or in an
# installation (install.cmake), gives fabrictwin::models and what that needs, and fabrictwin::rtl_external. docs/examples/tlm-host and own-router are such programs.

# Sets `out` to the targets of ours that `target` links, itself included, in no order.
function(fabrictwin_closure out target)
  set(found)
  set(open ${target})
  while(open)
    list(POP_FRONT open next)
    if(NOT TARGET ${next})
      continue()
    endif()
    get_target_property(aliased ${next} ALIASED_TARGET)
    if(aliased)
      set(next ${aliased})
    endif()
    if(NOT next MATCHES "^fabrictwin_" OR next IN_LIST found)
      continue()
    endif()
    list(APPEND found ${next})
    get_target_property(links ${next} INTERFACE_LINK_LIBRARIES)
    if(links)
      # Static libraries name what only they need so.
      list(TRANSFORM links REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1")
      list(APPEND open ${links})
    endif()
  endwhile()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

fabrictwin_closure(package_targets fabrictwin::models)
# For shared libraries with a router: headers only.
list(APPEND package_targets fabrictwin_rtl_external)
export(TARGETS ${package_targets} NAMESPACE fabrictwin:: FILE ${PROJECT_BINARY_DIR}/FabricTwinTargets.cmake)
# A program links fabrictwin::models; the other libraries have their names there as here.
set(package_names ${package_targets})
list(TRANSFORM package_names REPLACE "^fabrictwin_" "")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/FabricTwinConfig.cmake @ONLY CONTENT [[
include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)
find_dependency(Threads)
find_dependency(Boost)
find_dependency(Protobuf)
find_dependency(gRPC CONFIG)
find_dependency(absl CONFIG)
find_dependency(fmt CONFIG)
find_dependency(spdlog CONFIG)
find_dependency(nlohmann_json CONFIG)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
include(${CMAKE_CURRENT_LIST_DIR}/FabricTwinTargets.cmake)
foreach(part @package_names@)
  add_library(fabrictwin::${part} ALIAS fabrictwin::fabrictwin_${part})
endforeach()
]])
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/FabricTwinConfigVersion.cmake COMPATIBILITY SameMinorVersion)
