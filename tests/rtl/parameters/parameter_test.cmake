# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DVERILATOR=... -DTOP=... -DSOURCES="files" -DCASES="bad|good|message;..." -P parameter_test.cmake: elaborates TOP with the parameters of each
# case. Says all that is wrong before it fails.
separate_arguments(SOURCES UNIX_COMMAND "${SOURCES}")

# elaborate(PARAMETERS RESULT OUTPUT): the exit status and what Verilator says.
function(elaborate parameters result output)
  string(REPLACE " " ";" parameters "${parameters}")
  list(TRANSFORM parameters PREPEND -G)
  execute_process(COMMAND ${VERILATOR} --lint-only --top ${TOP} ${parameters} ${SOURCES} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(${result} "${status}" PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

set(wrong 0)
foreach(case IN LISTS CASES)
  if(NOT case MATCHES "^([^|]+)[|]([^|]+)[|]([^|]+)$")
    message(FATAL_ERROR "not bad|good|message: ${case}")
  endif()
  set(bad "${CMAKE_MATCH_1}")
  set(good "${CMAKE_MATCH_2}")
  set(expected "${CMAKE_MATCH_3}")
  elaborate("${bad}" status text)
  string(FIND "${text}" "${expected}" at)
  if(status EQUAL 0)
    message("${TOP} takes ${bad}")
    math(EXPR wrong "${wrong} + 1")
  elseif(at EQUAL -1)
    message("${TOP} refuses ${bad} without \"${expected}\":\n${text}")
    math(EXPR wrong "${wrong} + 1")
  endif()
  elaborate("${good}" status text)
  if(NOT status EQUAL 0)
    message("${TOP} refuses ${good}:\n${text}")
    math(EXPR wrong "${wrong} + 1")
  endif()
endforeach()
if(wrong GREATER 0)
  message(FATAL_ERROR "${wrong} wrong")
endif()
