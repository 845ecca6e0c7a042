# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds the bitstream for the Kria KR260 starter kit (Zynq UltraScale+ XCK26): vivado -mode batch -source build.tcl [-tclargs FOLDER]. Written for Vivado 2023.2; not
# run in CI, and never on hardware.
set board_folder [file dirname [file normalize [info script]]]
source [file join $board_folder .. common board.tcl]
source [file join $board_folder .. common zynq.tcl]
set out [expr {$argc > 0 ? [lindex $argv 0] : [file join $fabrictwin::root build boards kr260]}]
fabrictwin::build kr260 xck26-sfvc784-2LV-c xilinx.com:kr260_som:part0:1.1 $out
