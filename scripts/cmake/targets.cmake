# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# One folder is one target: fabrictwin_library(NAME [SOURCES ...] LIBRARIES ... [COLD]) makes fabrictwin::NAME (router::packet for models/router/packet) of all
# sources in it, unless SOURCES lists them; it is included from the project's root; fabrictwin_group() names all of a top-level folder. fabrictwin_test and fabrictwin_benchmark make one program each and
# register it, fabrictwin_test_library makes what several tests share.

# COLD is for what runs once, and gets little or nothing of the optimiser. SINGLY is for a folder whose sources have local names in common, see fabrictwin_batched().
function(fabrictwin_library name)
  cmake_parse_arguments(ARG "COLD;SINGLY" "" "SOURCES;LIBRARIES" ${ARGN})
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS *.cpp)
  endif()
  string(REPLACE "::" "_" target fabrictwin_${name})
  set_property(GLOBAL APPEND PROPERTY FABRICTWIN_LIBRARIES ${target})
  if(NOT ARG_SOURCES)
    # A folder that has only headers.
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
    target_link_libraries(${target} INTERFACE ${ARG_LIBRARIES})
    add_library(fabrictwin::${name} ALIAS ${target})
    return()
  endif()
  add_library(${target} STATIC ${ARG_SOURCES})
  add_library(fabrictwin::${name} ALIAS ${target})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_link_libraries(${target} PUBLIC ${ARG_LIBRARIES})
  if(ARG_COLD)
    fabrictwin_cold(${target})
  endif()
  if(NOT ARG_SINGLY)
    fabrictwin_batched(${target})
  endif()
  fabrictwin_precompiled(${target})
endfunction()

# fabrictwin_batched(TARGET [TESTS]): sources of one target include and instantiate much the same, so presets that build in order to test compile eight of them at once, in half
# the time; those of tests are compiled so by all presets that precompile headers. Their local names must not clash; scripts/lint compiles each on its own, without what
# another one includes.
function(fabrictwin_batched target)
  cmake_parse_arguments(ARG "TESTS" "" "" ${ARGN})
  if(FABRICTWIN_UNOPTIMIZED OR (ARG_TESTS AND FABRICTWIN_PRECOMPILED_HEADERS))
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# fabrictwin_group(NAME LIBRARIES...): all libraries of a top-level folder under one name.
function(fabrictwin_group name)
  set_property(GLOBAL APPEND PROPERTY FABRICTWIN_LIBRARIES fabrictwin_${name})
  add_library(fabrictwin_${name} INTERFACE)
  add_library(fabrictwin::${name} ALIAS fabrictwin_${name})
  target_link_libraries(fabrictwin_${name} INTERFACE ${ARGN})
endfunction()

# COLD for a target of another kind. Presets that build in order to test (FABRICTWIN_UNOPTIMIZED) do not optimise it at all.
function(fabrictwin_cold target)
  if(FABRICTWIN_UNOPTIMIZED)
    target_compile_options(${target} PRIVATE -O0)
  else()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# What scripts/test builds: for its quick stage, of RTL modules alone, for sanitizers, and for ThreadSanitizer; and unit tests, that is those that run neither the whole
# program nor RTL.
add_custom_target(quick_tests)
add_custom_target(module_tests)
add_custom_target(all_tests)
add_custom_target(concurrent_tests)
add_custom_target(unit_tests)

# fabrictwin_built_for(TARGET LABELS...): a test with these labels needs the target.
function(fabrictwin_built_for target)
  add_dependencies(all_tests ${target})
  if("module" IN_LIST ARGN)
    add_dependencies(module_tests ${target})
  elseif(NOT "long" IN_LIST ARGN)
    add_dependencies(quick_tests ${target})
  endif()
  if("concurrent" IN_LIST ARGN)
    add_dependencies(concurrent_tests ${target})
  endif()
  if("unit" IN_LIST ARGN)
    add_dependencies(unit_tests ${target})
  endif()
endfunction()

# Sources that several tests share.
function(fabrictwin_test_library name)
  cmake_parse_arguments(ARG "OPTIMIZED" "" "SOURCES;LIBRARIES" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_LIBRARIES})
  fabrictwin_test_options(${name} ${ARG_OPTIMIZED})
endfunction()

# What tests spend their time in lies in libraries, so optimising the tests makes nothing but their compilation slower. OPTIMIZED is for what spends its time in
# sources of its own.
function(fabrictwin_test_options target optimized)
  fabrictwin_batched(${target} TESTS)
  if(optimized)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  else()
    fabrictwin_cold(${target})
  endif()
  fabrictwin_precompiled(${target} test)
endfunction()

# A GoogleTest program of one folder under tests/. LABELS go to CTest: "long" for what the quick stage of scripts/test does without; tests run under ASan and
# UBSan too unless they are "static", and under TSan if they are "concurrent". Sanitizers make a run many times slower: SANITIZED is a GoogleTest filter of what
# they get of a program that takes long, some of every kind of run in it. A test that runs the whole program is labelled "program", all others but those of RTL are
# unit tests. INPUTS are programs that it runs. SERIAL is for one that uses all cores. LONG is a GoogleTest filter of what the quick stage leaves to the long one, where the
# whole program runs as NAME_long.
function(fabrictwin_test name)
  cmake_parse_arguments(ARG "OPTIMIZED;SERIAL" "TIMEOUT;SANITIZED;LONG" "SOURCES;LIBRARIES;LABELS;INPUTS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} GTest::gmock GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  fabrictwin_test_options(${name} ${ARG_OPTIMIZED})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  if(NOT ARG_LABELS MATCHES "static|program|long")
    list(APPEND ARG_LABELS ${FABRICTWIN_FOLDER_LABELS})
  endif()
  # scripts/test runs a program again only when it, a program that it runs, or a file of the tree that is no source has changed.
  set(stamped ${PROJECT_SOURCE_DIR}/scripts/stamped --in-tree ${PROJECT_BINARY_DIR}/stamps)
  set(inputs -- $<TARGET_FILE:${name}> ${ARG_INPUTS} --)
  set(filter)
  if(FABRICTWIN_SANITIZE AND ARG_SANITIZED)
    set(filter ${ARG_SANITIZED})
  elseif(ARG_LONG)
    set(filter -${ARG_LONG})
    add_test(NAME ${name}_long COMMAND ${stamped}/${name}_long ${inputs} $<TARGET_FILE:${name}> --gtest_filter=${ARG_LONG} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name}_long PROPERTIES TIMEOUT 1800 LABELS "long;${ARG_LABELS}" RUN_SERIAL ${ARG_SERIAL}
      ENVIRONMENT "FABRICTWIN_BINARY=${PROJECT_BINARY_DIR}/bin/fabrictwin;RC_PARAMS=seed=1")
  endif()
  # A program says what is wrong with its input before it has threads.
  if(FABRICTWIN_SANITIZE STREQUAL "thread" AND ARG_INPUTS)
    if(NOT filter MATCHES "-")
      string(APPEND filter "-")
    else()
      string(APPEND filter ":")
    endif()
    string(APPEND filter "*Refuse*:*Mistake*")
  endif()
  set(arguments)
  if(filter)
    set(arguments --gtest_filter=${filter})
  endif()
  add_test(NAME ${name} COMMAND ${stamped}/${name} ${inputs} $<TARGET_FILE:${name}> ${arguments} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}" RUN_SERIAL ${ARG_SERIAL}
    ENVIRONMENT "FABRICTWIN_BINARY=${PROJECT_BINARY_DIR}/bin/fabrictwin;RC_PARAMS=seed=1")
  fabrictwin_built_for(${name} ${ARG_LABELS})
endfunction()

# fabrictwin_static_test(NAME INPUTS files [TOOLS programs] [LABELS ...] [TIMEOUT n] COMMAND ...): a test whose result is a function of its inputs, its command and
# the versions of its tools, so it runs again only when one of them has changed (scripts/stamped). It is labelled static.
function(fabrictwin_static_test name)
  # In this form, an argument of the command may hold semicolons.
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TIMEOUT" "INPUTS;TOOLS;LABELS;COMMAND")
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 900)
  endif()
  add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/scripts/stamped ${PROJECT_BINARY_DIR}/stamps/${name} ${ARG_TOOLS} -- ${ARG_INPUTS} -- ${ARG_COMMAND}
    WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "static;${ARG_LABELS}")
endfunction()

# A Google Benchmark program build/<preset>/bench/<name>_bench. They are built with preset release, and with others on demand.
function(fabrictwin_benchmark name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name}_bench ${ARG_SOURCES})
  target_link_libraries(${name}_bench PRIVATE ${ARG_LIBRARIES} benchmark::benchmark_main)
  set_target_properties(${name}_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  if(FABRICTWIN_UNOPTIMIZED)
    set_target_properties(${name}_bench PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  fabrictwin_precompiled(${name}_bench)
endfunction()
