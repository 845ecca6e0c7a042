# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# What the builds of all boards share: sources, address map, the shell with the memory of its rings, the steps to a bitstream. Written for Vivado 2023.2
# (non-project mode); not run in CI, and never on hardware. CI runs it without Vivado (tests/rtl/boards/vivado.tcl).

namespace eval fabrictwin {
  variable vivado 2023.2
  variable root [file normalize [file join [file dirname [info script]] .. .. ..]]

  # The window, as an agent sees it in one mapping: registers at its beginning, the rings behind them.
  variable window_bytes 0x20000
  variable register_bytes 0x1000
  variable ring_offset 0x10000
  variable ring_bytes 0x10000

  # Of everything in the window. The bridge or the processor may have another clock.
  variable clock_hertz 100000000

  # Parameters of the shell beyond its address and its clock.
  variable ports 7
  variable slots_log2 8
  variable route_table_entries 1024

  # A router of your own instead of that of ExaNet: its SystemVerilog files, one of them with the module external_router (docs/boards.md), and what its
  # links carry. `make ROUTER="FILE..." PORTS=5 WORD_BITS=64 VCS=4 CREDIT_WORDS=1 BUFFER_CREDITS=32` sets them by the environment.
  variable router {}
  variable word_bits 128
  variable vcs 2
  variable credit_words 1
  variable buffer_credits 64
  foreach {name variable} {ROUTER router PORTS ports WORD_BITS word_bits VCS vcs CREDIT_WORDS credit_words BUFFER_CREDITS buffer_credits} {
    if {[info exists ::env($name)] && $::env($name) ne ""} {
      variable $variable $::env($name)
    }
  }
}

# The SystemVerilog sources, packages first.
proc fabrictwin::sources {} {
  variable root
  variable router
  set files {}
  foreach {folder names} {
    lib {axi_pkg fifo round_robin_arbiter credit_counter clock_gate}
    exanet {
      exanet_pkg exanet_route_table exanet_input_vc exanet_input_port exanet_output_vc exanet_output_port exanet_router
    }
    control {axi_lite_slave}
    shell {
      shell_pkg shell_registers_pkg shell_ring_reader shell_ring_writer shell_dispatcher shell_port_in shell_port_out shell_word_clock shell_pacer
      shell_collector shell_gate shell_core shell_registers shell_frame exanet_router_shell
    }
  } {
    # A router of one's own may have modules of the same names as those that only the ExaNet router needs.
    if {$router ne "" && $folder eq "exanet"} continue
    foreach name $names {
      if {$router ne "" && $name in {credit_counter exanet_router_shell}} continue
      lappend files [file join $root rtl $folder $name.sv]
    }
  }
  if {$router ne ""} {
    lappend files [file join $root rtl shell external_router_shell.sv]
    foreach name $router {
      if {![file readable $name]} {
        error "there is no readable file $name, which ROUTER names"
      }
      lappend files [file normalize $name]
    }
  }
  return $files
}

# Makes `clock`, of fabrictwin::clock_hertz, and `reset` of the pins of a clock and a reset (active low) of the board. The clock has one buffer here; the
# gate of the shell's element is another one beside it.
proc fabrictwin::add_clock {clock_pin reset_pin} {
  variable clock_hertz
  create_bd_cell -type ip -vlnv xilinx.com:ip:clk_wiz:6.0 clock
  set_property -dict [list \
    CONFIG.PRIM_SOURCE {No_buffer} \
    CONFIG.CLKOUT1_REQUESTED_OUT_FREQ [format %.3f [expr {$clock_hertz / 1e6}]] \
    CONFIG.CLKOUT1_DRIVES {No_buffer} \
    CONFIG.USE_RESET {false} \
    CONFIG.USE_LOCKED {true}] [get_bd_cells clock]
  create_bd_cell -type ip -vlnv xilinx.com:ip:util_ds_buf:2.2 clock_buffer
  set_property CONFIG.C_BUF_TYPE {BUFG} [get_bd_cells clock_buffer]
  create_bd_cell -type ip -vlnv xilinx.com:ip:proc_sys_reset:5.0 reset
  connect_bd_net [get_bd_pins $clock_pin] [get_bd_pins clock/clk_in1]
  connect_bd_net [get_bd_pins clock/clk_out1] [get_bd_pins clock_buffer/BUFG_I]
  connect_bd_net [get_bd_pins clock_buffer/BUFG_O] [get_bd_pins reset/slowest_sync_clk]
  connect_bd_net [get_bd_pins $reset_pin] [get_bd_pins reset/ext_reset_in]
  connect_bd_net [get_bd_pins clock/locked] [get_bd_pins reset/dcm_locked]
}

# Adds the window behind the AXI master `host` with the clock at pin `host_clock`: the shell, the memory of its rings, and the interconnect through which
# the host reaches both and the shell the memory. The window is at `base` in `space`, the address space of the host. The shell reaches memory of the host, too,
# for the ring from the board: through its slave `memory`, whose segment `segment` has `bytes` at `offset`.
proc fabrictwin::add_window {host host_clock space base memory segment offset bytes} {
  variable register_bytes
  variable ring_offset
  variable ring_bytes
  variable clock_hertz
  variable ports
  variable slots_log2
  variable route_table_entries
  variable word_bits
  variable vcs
  variable credit_words
  variable buffer_credits
  # The interconnect decodes the same addresses for both masters, so the shell sees its rings where the host does.
  set ring_address [format 0x%08X [expr {$base + $ring_offset}]]

  create_bd_cell -type module -reference fabrictwin_shell shell
  set_property -dict [list \
    CONFIG.NumPorts $ports \
    CONFIG.RouteTableEntries $route_table_entries \
    CONFIG.WordBits $word_bits \
    CONFIG.Vcs $vcs \
    CONFIG.CreditWords $credit_words \
    CONFIG.BufferCredits $buffer_credits \
    CONFIG.SlotsLog2 $slots_log2 \
    CONFIG.RingOffset [format 0x%08X $ring_offset] \
    CONFIG.ClockHertz [format 0x%08X $clock_hertz] \
    CONFIG.RingAddress $ring_address] [get_bd_cells shell]

  # The controller has one port, so that accesses to the rings have one order.
  create_bd_cell -type ip -vlnv xilinx.com:ip:axi_bram_ctrl:4.1 rings
  set_property -dict {
    CONFIG.DATA_WIDTH 128
    CONFIG.SINGLE_PORT_BRAM 1
    CONFIG.ECC_TYPE 0
  } [get_bd_cells rings]
  create_bd_cell -type ip -vlnv xilinx.com:ip:blk_mem_gen:8.4 ring_memory
  set_property CONFIG.use_bram_block {BRAM_Controller} [get_bd_cells ring_memory]

  set own_clock [expr {$host_clock eq "clock_buffer/BUFG_O"}]
  create_bd_cell -type ip -vlnv xilinx.com:ip:smartconnect:1.0 interconnect
  set_property -dict [list CONFIG.NUM_SI 2 CONFIG.NUM_MI 3 CONFIG.NUM_CLKS [expr {$own_clock ? 1 : 2}]] [get_bd_cells interconnect]

  connect_bd_intf_net [get_bd_intf_pins $host] [get_bd_intf_pins interconnect/S00_AXI]
  connect_bd_intf_net [get_bd_intf_pins shell/m_axi] [get_bd_intf_pins interconnect/S01_AXI]
  connect_bd_intf_net [get_bd_intf_pins interconnect/M00_AXI] [get_bd_intf_pins shell/s_axi]
  connect_bd_intf_net [get_bd_intf_pins interconnect/M01_AXI] [get_bd_intf_pins rings/S_AXI]
  connect_bd_intf_net [get_bd_intf_pins interconnect/M02_AXI] [get_bd_intf_pins $memory]
  connect_bd_intf_net [get_bd_intf_pins rings/BRAM_PORTA] [get_bd_intf_pins ring_memory/BRAM_PORTA]

  connect_bd_net [get_bd_pins clock_buffer/BUFG_O] [get_bd_pins shell/aclk] [get_bd_pins rings/s_axi_aclk] [get_bd_pins interconnect/aclk]
  connect_bd_net [get_bd_pins clock/clk_out1] [get_bd_pins shell/aclk_source]
  if {!$own_clock} {
    connect_bd_net [get_bd_pins $host_clock] [get_bd_pins interconnect/aclk1]
  }
  connect_bd_net [get_bd_pins reset/peripheral_aresetn] [get_bd_pins shell/aresetn] [get_bd_pins rings/s_axi_aresetn]
  connect_bd_net [get_bd_pins reset/interconnect_aresetn] [get_bd_pins interconnect/aresetn]

  assign_bd_address -offset $base -range $register_bytes -target_address_space [get_bd_addr_spaces $space] [get_bd_addr_segs shell/s_axi/reg0] -force
  assign_bd_address -offset $ring_address -range $ring_bytes -target_address_space [get_bd_addr_spaces $space] [get_bd_addr_segs rings/S_AXI/Mem0] -force
  assign_bd_address -offset $ring_address -range $ring_bytes -target_address_space [get_bd_addr_spaces shell/m_axi] \
    [get_bd_addr_segs rings/S_AXI/Mem0] -force
  assign_bd_address -offset $offset -range $bytes -target_address_space [get_bd_addr_spaces shell/m_axi] [get_bd_addr_segs $segment] -force
  # The host does not reach itself, nor the shell its own registers.
  exclude_bd_addr_seg -target_address_space [get_bd_addr_spaces $space] [get_bd_addr_segs $segment]
  exclude_bd_addr_seg -target_address_space [get_bd_addr_spaces shell/m_axi] [get_bd_addr_segs shell/s_axi/reg0]
}

# Fails unless the routed design keeps all times.
proc fabrictwin::check_timing {} {
  foreach {type what} {max setup min hold} {
    set path [lindex [get_timing_paths -delay_type $type] 0]
    set slack [get_property SLACK $path]
    puts "fabrictwin: worst $what slack $slack ns"
    if {$slack < 0} {
      error "the design does not keep its $what times (worst slack $slack ns): see timing.rpt; a lower fabrictwin::clock_hertz in rtl/boards/common/board.tcl gives more time"
    }
  }
}

# Builds the bitstream of `board` for `part`. `board_part` is a board that Vivado knows, or empty. The block design is what bd.tcl in the folder of the
# board makes. Reports, checkpoint and bitstream go into `out`.
proc fabrictwin::build {board part board_part out} {
  variable vivado
  variable root
  set folder [file join $root rtl boards $board]
  set common [file join $root rtl boards common]
  set found [version -short]
  if {![string match $vivado* $found]} {
    puts "fabrictwin: this was written for Vivado $vivado and runs in $found: versions of IP may differ"
  }
  file mkdir $out

  create_project -in_memory -part $part
  if {$board_part ne ""} {
    set_property board_part $board_part [current_project]
  }
  set_property target_language Verilog [current_project]
  # Block designs with modules need it.
  set_property source_mgmt_mode All [current_project]
  read_verilog -sv [fabrictwin::sources]
  read_verilog [file join $common fabrictwin_shell.v]
  update_compile_order -fileset sources_1

  create_bd_design -dir [file join $out bd] ${board}_system
  source [file join $folder bd.tcl]
  validate_bd_design
  save_bd_design
  set design [get_files ${board}_system.bd]
  # All is synthesised as one design, with the macro below.
  set_property synth_checkpoint_mode None $design
  generate_target all $design
  read_verilog [make_wrapper -files $design -top]
  read_xdc [file join $folder $board.xdc]
  # It names cells that are there after synthesis.
  set clocks [read_xdc [file join $common shell.xdc]]
  set_property used_in_synthesis false [get_files $clocks]

  set defines {-verilog_define FABRICTWIN_XILINX}
  if {$fabrictwin::router ne ""} {
    lappend defines -verilog_define FABRICTWIN_EXTERNAL_ROUTER
  }
  synth_design -top ${board}_system_wrapper -part $part {*}$defines
  opt_design
  place_design
  phys_opt_design
  route_design
  write_checkpoint -force [file join $out routed.dcp]
  report_utilization -hierarchical -file [file join $out utilization.rpt]
  report_timing_summary -max_paths 10 -file [file join $out timing.rpt]
  report_clock_utilization -file [file join $out clocks.rpt]
  report_drc -file [file join $out drc.rpt]
  fabrictwin::check_timing
  write_bitstream -force [file join $out fabrictwin.bit]
}
