# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds the bitstream for the Alveo U50 (Virtex UltraScale+ XCU50): vivado -mode batch -source build.tcl [-tclargs FOLDER]. Written for Vivado 2023.2; not
# run in CI, and never on hardware.
set board_folder [file dirname [file normalize [info script]]]
source [file join $board_folder .. common board.tcl]
set out [expr {$argc > 0 ? [lindex $argv 0] : [file join $fabrictwin::root build boards au50]}]
fabrictwin::build au50 xcu50-fsvh2104-2-e {} $out

# For the card's flash.
write_cfgmem -force -format mcs -interface SPIx4 -size 128 -loadbit "up 0x01002000 [file join $out fabrictwin.bit]" [file join $out fabrictwin.mcs]
