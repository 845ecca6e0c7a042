# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# One folder is one target: fabrictwin_library(NAME SOURCES ... LIBRARIES ... [ALONE ...] [COLD]) makes fabrictwin::NAME, included from the project's root;
# fabrictwin_test and fabrictwin_benchmark make one program each and register it.

# Sources are compiled twelve at a time with FABRICTWIN_UNITY. ALONE lists those whose local names clash with others of the folder. COLD is for
# what runs once, and gets little or nothing of the optimiser.
function(fabrictwin_library name)
  cmake_parse_arguments(ARG "COLD" "" "SOURCES;LIBRARIES;ALONE" ${ARGN})
  add_library(fabrictwin_${name} STATIC ${ARG_SOURCES})
  add_library(fabrictwin::${name} ALIAS fabrictwin_${name})
  target_include_directories(fabrictwin_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(fabrictwin_${name} PUBLIC ${ARG_LIBRARIES})
  if(FABRICTWIN_UNITY)
    set_target_properties(fabrictwin_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  if(ARG_COLD)
    fabrictwin_cold(fabrictwin_${name})
  endif()
endfunction()

# COLD for a target of another kind.
function(fabrictwin_cold target)
  if(FABRICTWIN_SANITIZE AND NOT FABRICTWIN_FUZZERS)
    target_compile_options(${target} PRIVATE -O0)
  else()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# What scripts/test builds for AddressSanitizer with UndefinedBehaviorSanitizer, and for ThreadSanitizer.
add_custom_target(all_tests)
add_custom_target(concurrent_tests)

# A GoogleTest program of one folder under tests/. Its sources are compiled six at a time, since most of what each takes alone is GoogleTest and the library under test;
# ALONE as above. LABELS go to CTest: tests run under ASan and UBSan too unless they are "static", and under TSan
# if they are "concurrent". Sanitizers make a run many times slower: SANITIZED is a GoogleTest filter of what they get of a program that takes long, some of every
# kind of run in it. OPTIMIZED is for what spends its time in sources of its own.
function(fabrictwin_test name)
  cmake_parse_arguments(ARG "OPTIMIZED" "TIMEOUT;SANITIZED" "SOURCES;LIBRARIES;LABELS;ALONE" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} GTest::gmock GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # What tests spend their time in lies in libraries; more than this makes nothing but their compilation slower.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(FABRICTWIN_SANITIZE AND NOT ARG_OPTIMIZED)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  set(arguments)
  if(FABRICTWIN_SANITIZE AND ARG_SANITIZED)
    set(arguments --gtest_filter=${ARG_SANITIZED})
  endif()
  add_test(NAME ${name} COMMAND ${name} ${arguments} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
    ENVIRONMENT "FABRICTWIN_BINARY=${PROJECT_BINARY_DIR}/bin/fabrictwin;RC_PARAMS=seed=1")
  add_dependencies(all_tests ${name})
  if("concurrent" IN_LIST ARG_LABELS)
    add_dependencies(concurrent_tests ${name})
  endif()
endfunction()

# A Google Benchmark program build/<preset>/bench/<name>_bench.
function(fabrictwin_benchmark name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name}_bench ${ARG_SOURCES})
  target_link_libraries(${name}_bench PRIVATE ${ARG_LIBRARIES} benchmark::benchmark_main)
  set_target_properties(${name}_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
endfunction()
