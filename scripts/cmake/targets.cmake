# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# One folder is one target: fabrictwin_library(NAME SOURCES ... LIBRARIES ...) makes fabrictwin::NAME, included from the project's root;
# fabrictwin_test and fabrictwin_benchmark make one program each and register it.

function(fabrictwin_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_library(fabrictwin_${name} STATIC ${ARG_SOURCES})
  add_library(fabrictwin::${name} ALIAS fabrictwin_${name})
  target_include_directories(fabrictwin_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(fabrictwin_${name} PUBLIC ${ARG_LIBRARIES})
endfunction()

# What scripts/test builds for ThreadSanitizer, and for AddressSanitizer with UndefinedBehaviorSanitizer.
add_custom_target(concurrent_tests)
add_custom_target(memory_tests)

# Puts a test program into one or both of these.
function(fabrictwin_sanitized target labels)
  if("concurrent" IN_LIST labels)
    add_dependencies(concurrent_tests ${target})
  endif()
  if("memory" IN_LIST labels)
    add_dependencies(memory_tests ${target})
  endif()
endfunction()

# A GoogleTest program of one folder under tests/. LABELS go to CTest: "concurrent" tests also run under TSan, "memory" tests under ASan and UBSan.
function(fabrictwin_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} GTest::gmock GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
    ENVIRONMENT "FABRICTWIN_BINARY=${PROJECT_BINARY_DIR}/bin/fabrictwin;RC_PARAMS=seed=1")
  fabrictwin_sanitized(${name} "${ARG_LABELS}")
endfunction()

# A Google Benchmark program build/<preset>/bench/<name>_bench.
function(fabrictwin_benchmark name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name}_bench ${ARG_SOURCES})
  target_link_libraries(${name}_bench PRIVATE ${ARG_LIBRARIES} benchmark::benchmark_main)
  set_target_properties(${name}_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
endfunction()
