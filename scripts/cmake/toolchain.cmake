# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds the compiler, the tools and the libraries, and says clearly which one is wrong.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "FabricTwin needs GCC 12 or later (C++20); found ${CMAKE_CXX_COMPILER_VERSION}. Set CMAKE_CXX_COMPILER.")
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  message(FATAL_ERROR "FabricTwin needs Clang 14 or later (C++20); found ${CMAKE_CXX_COMPILER_VERSION}. Set CMAKE_CXX_COMPILER.")
elseif(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  message(FATAL_ERROR "FabricTwin is built with GCC or Clang; found ${CMAKE_CXX_COMPILER_ID}. Set CMAKE_CXX_COMPILER.")
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # With what the compiler says that it read, ccache need not preprocess first; and without this sloppiness it caches nothing that uses precompiled headers.
  set(CMAKE_C_COMPILER_LAUNCHER env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_C_COMPILER_LAUNCHER})
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # A precompiled header is the same whenever it is made, which ccache wants, too.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
find_program(MOLD_PROGRAM mold)
# The sanitizer runtimes of GCC 12 are linked with the default linker.
if(MOLD_PROGRAM AND (NOT FABRICTWIN_SANITIZE OR CMAKE_CXX_COMPILER_ID MATCHES "Clang"))
  add_link_options(-fuse-ld=mold)
endif()

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Protobuf REQUIRED)
find_package(gRPC CONFIG REQUIRED)
find_package(absl CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_package(Boost REQUIRED)
find_package(Eigen3 CONFIG REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
find_package(CURL REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_package(prometheus-cpp CONFIG REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
# METIS has neither a CMake package nor a file for pkg-config.
find_path(METIS_INCLUDE_DIR metis.h REQUIRED)
find_library(METIS_LIBRARY metis REQUIRED)
add_library(METIS::METIS UNKNOWN IMPORTED)
set_target_properties(METIS::METIS PROPERTIES IMPORTED_LOCATION ${METIS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${METIS_INCLUDE_DIR})
# Traces of Score-P.
pkg_check_modules(OTF2 REQUIRED IMPORTED_TARGET otf2)

pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
if(NOT SYSTEMC_VERSION VERSION_GREATER_EQUAL 2.3.4 OR NOT SYSTEMC_VERSION VERSION_LESS 3)
  message(FATAL_ERROR "FabricTwin is tested with SystemC 2.3.4 (Debian: libsystemc-dev); found ${SYSTEMC_VERSION}. Point PKG_CONFIG_PATH at the right one.")
endif()

# The transactors reach into the generated model once a clock edge (see rtl/transactor/verilated_clock.h), so the version is pinned.
find_package(verilator HINTS $ENV{VERILATOR_ROOT})
if(NOT verilator_FOUND)
  message(FATAL_ERROR "FabricTwin needs Verilator 5.006 (Debian: verilator); none was found. Set VERILATOR_ROOT.")
elseif(NOT verilator_VERSION VERSION_EQUAL 5.006)
  message(FATAL_ERROR "FabricTwin needs Verilator 5.006; found ${verilator_VERSION}. Set VERILATOR_ROOT to a 5.006 installation.")
endif()

# Designated initializers leave the other members at their defaults on purpose.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wno-missing-field-initializers>")
# Processes of one run may be built for different processors: a sum is rounded the same where products can be added without rounding them.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of overlapping copies inside std::string that cannot happen (its bug 105651).
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # GCC does not warn of it by default either: a module of SystemC may name a function as it likes.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-overloaded-virtual>)
endif()
if(FABRICTWIN_WERROR)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(FABRICTWIN_SANITIZE)
  add_compile_options(-fsanitize=${FABRICTWIN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(FABRICTWIN_SANITIZE MATCHES "address.*undefined")
    # AddressSanitizer sees null pointers and objects that end too early, and these two checks are a third of the time to compile.
    add_compile_options(-fno-sanitize=null,object-size)
    # Nor do we look for undefined behaviour in headers of others, which are most of what each of our sources compiles. The option has its
    # old name, by which ccache knows that it names a file whose content counts.
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      add_compile_options(-fsanitize-blacklist=${PROJECT_SOURCE_DIR}/scripts/cmake/sanitizers.ignore)
    endif()
  endif()
  add_link_options(-fsanitize=${FABRICTWIN_SANITIZE})
  if(FABRICTWIN_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The only fence orders two atomics (cosim/link/doorbell.h); ThreadSanitizer has no opinion on it.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-tsan>)
  endif()
endif()

if(FABRICTWIN_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "libFuzzer comes with Clang; found ${CMAKE_CXX_COMPILER_ID}. Use the preset fuzz, or set CMAKE_CXX_COMPILER=clang++.")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# SystemC of Debian is built as C++17 and checks that at link time.
add_library(fabrictwin_systemc INTERFACE)
add_library(fabrictwin::systemc ALIAS fabrictwin_systemc)
target_link_libraries(fabrictwin_systemc INTERFACE PkgConfig::SYSTEMC)
target_compile_definitions(fabrictwin_systemc INTERFACE SC_CPLUSPLUS=201703L)
# The library wants sc_main (models/kernel/systemc_context.cpp) even in programs that use nothing else of that file.
target_link_options(fabrictwin_systemc INTERFACE -Wl,--undefined=sc_main)
