# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DYOSYS=... -DSOURCES=... -DSTAT=... -P ape_synth.cmake: maps the 3x2 router of the published depths to UltraScale+ cells, prints what it
# takes, and fails where it takes more than the published one, which does not mark congestion, or has a latch.
execute_process(COMMAND ${YOSYS} -q -p
  "read_verilog -sv ${SOURCES}; chparam -set Marking 0 ape_router; synth_xilinx -family xcup -flatten -nowidelut -top ape_router; check -assert; select -assert-none t:LD* t:$_DLATCH*; setattr -mod -unset keep_hierarchy *; flatten; tee -q -o ${STAT} stat"
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "Yosys failed")
endif()
file(READ ${STAT} text)
function(count variable pattern)
  set(total 0)
  string(REGEX MATCHALL "[ \n](${pattern}) +[0-9]+" found "${text}")
  foreach(line IN LISTS found)
    string(REGEX MATCH "[0-9]+$" number "${line}")
    math(EXPR total "${total} + ${number}")
  endforeach()
  set(${variable} ${total} PARENT_SCOPE)
endfunction()
count(luts "LUT[1-6]")
count(flipflops "FD[RSCP]E")
count(rams "RAMB[0-9A-Z]+")
message("APErouter 3x2, 128 bit, 512 B: ${luts} LUT, ${flipflops} FF, ${rams} RAMB36 in its FIFOs (published: 9599 LUT, 7649 FF)")
if(luts EQUAL 0 OR luts GREATER 9599 OR flipflops EQUAL 0 OR flipflops GREATER 7649)
  message(FATAL_ERROR "larger than the published router")
endif()
