# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# Precompiled headers of what is not ours and heavy: most of the time that a source takes goes into them. A few sets of headers are precompiled once for each way
# to optimise, and shared by all targets that use the same ones; a target says nothing, since what it links with says which ones it uses.
#
# A source must include what it needs nevertheless: it is found by a build without precompiled headers (preset dev) and by scripts/lint.

# fabrictwin_precompiled(TARGET HEADERS...): a target made by one of our functions, whose sources use these sets in any case.
function(fabrictwin_precompiled target)
  if(FABRICTWIN_PRECOMPILED_HEADERS)
    set_property(GLOBAL APPEND PROPERTY FABRICTWIN_PRECOMPILED ${target})
    set_target_properties(${target} PROPERTIES FABRICTWIN_HEADERS "${ARGN}")
  endif()
endfunction()

# The sets, each with the libraries whose headers it has; a target that links with the library of "systemc" or "grpc" uses the set.
set(fabrictwin_headers_base precompiled_base.h)
set(fabrictwin_libraries_base absl::any_invocable absl::flat_hash_map absl::status absl::statusor absl::strings fmt::fmt fabrictwin::proto)
set(fabrictwin_headers_systemc precompiled_systemc.h)
set(fabrictwin_libraries_systemc fabrictwin_systemc)
set(fabrictwin_headers_grpc precompiled_grpc.h)
set(fabrictwin_libraries_grpc gRPC::grpc++)
set(fabrictwin_headers_test precompiled_test.h)
# The libraries of tests are known in their folder only, so this is what GoogleTest's asks for.
set(fabrictwin_libraries_test)
set(fabrictwin_definitions_test GTEST_HAS_PTHREAD=1)

# All that a target links with, as far as it is ours. Messages are generated with gRPC, which does not mean that who uses them uses it.
function(fabrictwin_linked variable target)
  set(todo ${target})
  set(all)
  while(todo)
    list(POP_FRONT todo one)
    if(one IN_LIST all OR one MATCHES "proto$")
      continue()
    endif()
    list(APPEND all ${one})
    if(TARGET ${one} AND one MATCHES "^(fabrictwin|tests_|.*_test$|.*_bench$)")
      foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
        get_target_property(libraries ${one} ${property})
        if(libraries)
          list(TRANSFORM libraries REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1")
          # The name of a target of ours is its alias with "_" for each "::".
          list(TRANSFORM libraries REPLACE "::" "_" REGEX "^fabrictwin::")
          list(APPEND todo ${libraries})
        endif()
      endforeach()
    endif()
  endwhile()
  set(${variable} "${all}" PARENT_SCOPE)
endfunction()

# Runs when all targets are known.
function(fabrictwin_precompile)
  get_property(targets GLOBAL PROPERTY FABRICTWIN_PRECOMPILED)
  set(made)
  foreach(target IN LISTS targets)
    # What links with nothing uses none of these headers.
    get_target_property(linked ${target} LINK_LIBRARIES)
    if(NOT linked)
      continue()
    endif()
    fabrictwin_linked(closure ${target})
    get_target_property(sets ${target} FABRICTWIN_HEADERS)
    if(NOT sets)
      set(sets)
    endif()
    foreach(set systemc grpc)
      if(fabrictwin_libraries_${set} IN_LIST closure)
        list(APPEND sets ${set})
      endif()
    endforeach()
    list(PREPEND sets base)
    get_target_property(options ${target} COMPILE_OPTIONS)
    list(FILTER options INCLUDE REGEX "-O[0-9]")
    list(JOIN sets _ name)
    string(MD5 how "${options}")
    string(SUBSTRING "${how}" 0 4 how)
    set(name fabrictwin_precompiled_${name}_${how})
    if(NOT TARGET ${name})
      add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/scripts/cmake/precompiled.cpp)
      target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
      target_compile_options(${name} PRIVATE ${options} -pthread)
      set(headers)
      foreach(set IN LISTS sets)
        target_link_libraries(${name} PRIVATE ${fabrictwin_libraries_${set}})
        target_compile_definitions(${name} PRIVATE ${fabrictwin_definitions_${set}})
        list(APPEND headers ${PROJECT_SOURCE_DIR}/scripts/cmake/${fabrictwin_headers_${set}})
      endforeach()
      target_precompile_headers(${name} PRIVATE ${headers})
    endif()
    # Most libraries ask for this, and Clang wants it alike wherever a precompiled header is used.
    target_compile_options(${target} PRIVATE -pthread)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endforeach()
endfunction()
