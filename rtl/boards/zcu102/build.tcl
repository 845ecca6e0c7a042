# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds the bitstream for the ZCU102 evaluation board (Zynq UltraScale+ XCZU9EG): vivado -mode batch -source build.tcl [-tclargs FOLDER]. Written for Vivado 2023.2; not
# run in CI, and never on hardware.
set board_folder [file dirname [file normalize [info script]]]
source [file join $board_folder .. common board.tcl]
source [file join $board_folder .. common zynq.tcl]
set out [expr {$argc > 0 ? [lindex $argv 0] : [file join $fabrictwin::root build boards zcu102]}]
fabrictwin::build zcu102 xczu9eg-ffvb1156-2-e xilinx.com:zcu102:part0:3.4 $out
