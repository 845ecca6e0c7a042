# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# The build folder as a CMake package, for programs that use the models without the command line: find_package(FabricTwin) with FabricTwin_DIR=<build
# folder> gives fabrictwin::models and what that needs. docs/examples/tlm-host is such a program.
set(package_targets fabrictwin_proto fabrictwin_cosim fabrictwin_systemc fabrictwin_models)
export(TARGETS ${package_targets} NAMESPACE fabrictwin:: FILE ${PROJECT_BINARY_DIR}/FabricTwinTargets.cmake)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/FabricTwinConfig.cmake @ONLY CONTENT [[
include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)
find_dependency(Threads)
find_dependency(Protobuf)
find_dependency(gRPC CONFIG)
find_dependency(absl CONFIG)
find_dependency(fmt CONFIG)
find_dependency(spdlog CONFIG)
find_dependency(nlohmann_json CONFIG)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
include(${CMAKE_CURRENT_LIST_DIR}/FabricTwinTargets.cmake)
foreach(part proto cosim systemc models)
  add_library(fabrictwin::${part} ALIAS fabrictwin::fabrictwin_${part})
endforeach()
]])
