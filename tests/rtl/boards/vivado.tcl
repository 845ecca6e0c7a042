# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the build script of a board in a plain Tcl shell. Vivado's commands are stand-ins that check their arguments, and keep the block design: names, nets,
# clocks, addresses, parameters of the shell, ports in constraints. What they do not know is an error, so a script that does more needs more here.
# usage: tclsh vivado.tcl ROOT BOARD      prints what others have to agree with, a line each

namespace eval vivado {
  variable cells {}         ;# name -> IP or module
  variable config {}        ;# cell -> property -> value
  variable ports {}         ;# name -> I or O
  variable intf_ports {}    ;# name -> {mode interface}
  variable intf_of {}       ;# end of an interface -> the other end
  variable net_of {}        ;# pin -> number of its net
  variable driver_of {}     ;# net -> pin that drives it
  variable nets 0
  variable spaces {}        ;# address space -> segment -> {offset range}
  variable excluded {}      ;# {space segment}
  variable read {}          ;# files that were read
  variable modules {}       ;# module -> its file
  variable design {}
  variable folder {}
  variable part {}
  variable steps {}
  variable validated 0
  variable xdc_line ""      ;# where a file of constraints is read

  # What is known of each IP: its pins (I or O), interfaces (with the clock that goes with each; M is a master), pins that may stay open, properties.
  variable ip {
    zynq_ultra_ps_e:3.5 {
      pins {pl_clk0 O pl_resetn0 O maxihpm0_fpd_aclk I saxihpc0_fpd_aclk I}
      interfaces {M_AXI_HPM0_FPD {M aximm maxihpm0_fpd_aclk} S_AXI_HPC0_FPD {S aximm saxihpc0_fpd_aclk}}
      open {}
      properties {
        PSU__USE__M_AXI_GP0 PSU__USE__M_AXI_GP1 PSU__USE__M_AXI_GP2 PSU__MAXIGP0__DATA_WIDTH PSU__USE__S_AXI_GP0
        PSU__SAXIGP0__DATA_WIDTH PSU__USE__IRQ0 PSU__FPGA_PL0_ENABLE
        PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ
      }
    }
    xdma:4.1 {
      pins {sys_clk I sys_clk_gt I sys_rst_n I axi_aclk O axi_aresetn O axi_ctl_aresetn O user_lnk_up O}
      interfaces {M_AXI_B {M aximm axi_aclk} S_AXI_B {S aximm axi_aclk} pcie_mgt {M pcie_7x_mgt {}}}
      open {}
      properties {
        functional_mode mode_selection device_port_type pcie_blk_locn en_gt_selection select_quad pl_link_cap_max_link_width pl_link_cap_max_link_speed
        ref_clk_freq axisten_freq axi_data_width axi_addr_width en_axi_slave_if axibar2pciebar_0 pf0_device_id pf0_subsystem_vendor_id pf0_subsystem_id
        pf0_base_class_menu pf0_sub_class_interface_menu pf0_bar0_64bit pf0_bar0_prefetchable pf0_bar0_scale pf0_bar0_size pciebar2axibar_0
        pf0_msi_enabled pf0_interrupt_pin
      }
    }
    clk_wiz:6.0 {
      pins {clk_in1 I clk_out1 O locked O}
      interfaces {}
      open {}
      properties {PRIM_SOURCE CLKOUT1_REQUESTED_OUT_FREQ CLKOUT1_DRIVES USE_RESET USE_LOCKED}
    }
    util_ds_buf:2.2 {
      pins {BUFG_I I BUFG_O O IBUF_OUT O IBUF_DS_ODIV2 O}
      interfaces {CLK_IN_D {S diff_clock {}}}
      open {BUFG_I CLK_IN_D}
      properties {C_BUF_TYPE}
    }
    proc_sys_reset:5.0 {
      pins {slowest_sync_clk I ext_reset_in I dcm_locked I aux_reset_in I mb_debug_sys_rst I peripheral_aresetn O interconnect_aresetn O}
      interfaces {}
      open {aux_reset_in mb_debug_sys_rst}
      properties {}
    }
    axi_bram_ctrl:4.1 {
      pins {s_axi_aclk I s_axi_aresetn I}
      interfaces {S_AXI {S aximm s_axi_aclk} BRAM_PORTA {M bram {}}}
      open {}
      properties {DATA_WIDTH SINGLE_PORT_BRAM ECC_TYPE}
    }
    blk_mem_gen:8.4 {
      pins {}
      interfaces {BRAM_PORTA {S bram {}}}
      open {}
      properties {use_bram_block}
    }
    smartconnect:1.0 {
      pins {aclk I aresetn I}
      interfaces {}
      open {}
      properties {NUM_SI NUM_MI NUM_CLKS}
    }
    xlconstant:1.1 {
      pins {dout O}
      interfaces {}
      open {}
      properties {CONST_WIDTH CONST_VAL}
    }
  }
  # Slave segments: the most that each may take.
  variable segments {rings/S_AXI/Mem0 0x100000000 ps/SAXIGP0/HPC0_DDR_LOW 0x80000000 bridge/S_AXI_B/BAR0 0x10000000000000000}
}

# Says what is wrong, and where a script of the board says so.
proc vivado::fail {what} {
  variable root
  variable xdc_line
  set where $xdc_line
  for {set level [info frame]} {$where eq "" && $level > 0} {incr level -1} {
    set frame [info frame $level]
    if {[dict exists $frame file] && [file normalize [dict get $frame file]] ne $::vivado_file} {
      set where "[string map [list $root/ {}] [file normalize [dict get $frame file]]]:[dict get $frame line]: "
      break
    }
  }
  puts stderr "$where$what"
  if {[info exists ::scratch]} { file delete -force $::scratch }
  exit 1
}
proc vivado::expect {condition what} {
  if {![uplevel 1 [list expr $condition]]} { vivado::fail $what }
}

# Takes options off `arguments`: those of `with` have a value, those of `without` none. Returns a dictionary of them; the rest is under "".
proc vivado::options {arguments with without} {
  set found {"" {}}
  for {set i 0} {$i < [llength $arguments]} {incr i} {
    set word [lindex $arguments $i]
    if {$word in $with} {
      expect {$i + 1 < [llength $arguments]} "$word has no value"
      incr i
      # Macros come one by one.
      if {$word eq "-verilog_define"} {
        dict lappend found $word [lindex $arguments $i]
      } else {
        dict set found $word [lindex $arguments $i]
      }
    } elseif {$word in $without} {
      dict set found $word 1
    } elseif {[string match -* $word] && ![string is double $word]} {
      fail "no option $word is known here"
    } else {
      dict lappend found "" $word
    }
  }
  return $found
}

# The one argument beside the options.
proc vivado::argument {options} {
  set rest [dict get $options ""]
  expect {[llength $rest] == 1} "one argument was expected besides options: $rest"
  return [lindex $rest 0]
}

# Ports of a module: name -> direction, width in bits or the text of its range. Only what the sources here look like.
proc vivado::ports_of {file} {
  set found {}
  set in [open $file]
  foreach line [split [read $in] \n] {
    if {[regexp {^\s*(input|output)\s+(?:wire|logic)\s+(?:\[(.*):0\]\s*)?(\w+),?\s*(?://.*)?$} $line -> direction range name]} {
      dict set found $name [list $direction $range]
    }
  }
  close $in
  return $found
}

proc vivado::bits {range} {
  if {$range eq ""} { return 1 }
  # Widths of axi_pkg, which must be numbers in plain Verilog.
  foreach {name value} {axi_pkg::IdWidth 4 axi_pkg::AddressWidth 64 axi_pkg::DataWidth 128 axi_pkg::StrobeWidth 16} {
    set range [string map [list $name $value] $range]
  }
  return [expr {[expr $range] + 1}]
}

# The wrapper has the ports of the shell, its clock and reset under other names, and each is connected to its like.
proc vivado::check_wrapper {} {
  variable root
  set renamed {clk_i aclk clk_source_i aclk_source rst_ni aresetn}
  set wrapper $root/rtl/boards/common/fabrictwin_shell.v
  set mine [ports_of $wrapper]
  set theirs [ports_of $root/rtl/shell/exanet_router_shell.sv]
  expect {[dict size $theirs] > 40} "rtl/shell/exanet_router_shell.sv: found [dict size $theirs] ports only"
  set in [open $wrapper]
  set text [read $in]
  close $in
  dict for {port type} $theirs {
    set name [expr {[dict exists $renamed $port] ? [dict get $renamed $port] : $port}]
    expect {[dict exists $mine $name]} "rtl/boards/common/fabrictwin_shell.v: no port $name, for $port of the shell"
    lassign $type direction range
    lassign [dict get $mine $name] my_direction my_range
    expect {$direction eq $my_direction && [bits $range] == [bits $my_range]} \
      "rtl/boards/common/fabrictwin_shell.v: $name is $my_direction with [bits $my_range] bits, that of the shell $direction with [bits $range]"
    expect {[regexp "\\.$port *\\($name\\)" $text]} "rtl/boards/common/fabrictwin_shell.v: $port of the shell is not connected to $name"
    if {[regexp {^([ms]_axi)_(\w+)$} $name -> bus signal]} {
      expect {[regexp "aximm:1.0 $bus [string toupper $signal]\" \\*\\)\\s*(?:\\(\\* X_INTERFACE_PARAMETER\[^\\n\]*\\*\\)\\s*)?(?:input|output)\[^\\n\]* $name,?\\n" $text]} \
        "rtl/boards/common/fabrictwin_shell.v: $name is not marked as [string toupper $signal] of $bus"
    }
    dict unset mine $name
  }
  expect {[dict size $mine] == 0} "rtl/boards/common/fabrictwin_shell.v: the shell has no port for [dict keys $mine]"
}

proc vivado::parameters_of {file} {
  set in [open $file]
  set names [lmap {all name} [regexp -all -inline -line {^\s*parameter\s[^=]*?(\w+)\s*=} [read $in]] {set name}]
  close $in
  return $names
}

# pins CELL, interfaces CELL: what a cell has, with what its properties change.
proc vivado::pins {cell} {
  variable cells
  variable ip
  variable modules
  set kind [dict get $cells $cell]
  if {[dict exists $modules $kind]} { return {aclk I aclk_source I aresetn I} }
  set pins [dict get $ip $kind pins]
  if {[string match smartconnect:* $kind]} {
    for {set i 1} {$i < [property $cell NUM_CLKS 1]} {incr i} { dict set pins aclk$i I }
  }
  if {[string match util_ds_buf:* $kind]} {
    set pins [expr {[property $cell C_BUF_TYPE IBUFDS] eq "BUFG" ? {BUFG_I I BUFG_O O} : {IBUF_OUT O IBUF_DS_ODIV2 O}}]
  }
  return $pins
}
proc vivado::interfaces {cell} {
  variable cells
  variable ip
  variable modules
  set kind [dict get $cells $cell]
  if {[dict exists $modules $kind]} { return {s_axi {S aximm aclk} m_axi {M aximm aclk}} }
  set interfaces [dict get $ip $kind interfaces]
  if {[string match smartconnect:* $kind]} {
    for {set i 0} {$i < [property $cell NUM_SI 1]} {incr i} { dict set interfaces [format S%02d_AXI $i] {S aximm {}} }
    for {set i 0} {$i < [property $cell NUM_MI 1]} {incr i} { dict set interfaces [format M%02d_AXI $i] {M aximm {}} }
  }
  if {[string match util_ds_buf:* $kind] && [property $cell C_BUF_TYPE IBUFDS] eq "BUFG"} { return {} }
  return $interfaces
}
proc vivado::property {cell name default} {
  variable config
  if {[dict exists $config $cell $name]} { return [dict get $config $cell $name] }
  return $default
}
proc vivado::split_pin {name} {
  variable cells
  set parts [split $name /]
  expect {[llength $parts] == 2} "$name is no pin of a cell"
  expect {[dict exists $cells [lindex $parts 0]]} "there is no cell [lindex $parts 0]"
  return $parts
}
# The kind of an object that a get_ command has returned, and its name.
proc vivado::object {value args} {
  expect {[llength $value] == 2 && [lindex $value 0] in $args} "\"$value\" is no [join $args { or }]"
  return [lindex $value 1]
}

# --- Projects and files

proc version {args} { return 2023.2 }
proc create_project {args} {
  set options [vivado::options $args {-part} {-in_memory -force}]
  vivado::expect {[dict exists $options -in_memory] && [dict exists $options -part]} "create_project: in memory, for a part"
  set vivado::part [dict get $options -part]
}
proc current_project {} { return {project it} }
proc current_design {} { return {design it} }
proc vivado::read_files {files extensions} {
  variable read
  foreach file $files {
    expect {[file isfile $file]} "there is no file $file"
    expect {[file extension $file] in $extensions} "$file is read as another kind of file"
    expect {$file ni $read} "$file is read twice"
    lappend read $file
    if {[file extension $file] eq ".v"} {
      set in [open $file]
      if {[regexp {(?:^|\n)module (\w+)} [read $in] -> module]} { dict set vivado::modules $module $file }
      close $in
    }
  }
}
proc read_verilog {args} {
  set options [vivado::options $args {} {-sv}]
  vivado::read_files [concat {*}[dict get $options ""]] [expr {[dict exists $options -sv] ? {.sv} : {.v}}]
}
proc update_compile_order {args} { vivado::options $args {-fileset} {} }
proc get_files {name} {
  if {$name eq "$vivado::design.bd"} { return [list file $name] }
  vivado::expect {$name in $vivado::read} "get_files: $name was not read"
  return [list file $name]
}

# --- Block design

proc create_bd_design {args} {
  set options [vivado::options $args {-dir} {}]
  set vivado::design [vivado::argument $options]
  set vivado::folder [dict get $options -dir]
}
proc vivado::new_name {name} {
  variable cells
  variable ports
  variable intf_ports
  expect {$name ne "" && ![dict exists $cells $name] && ![dict exists $ports $name] && ![dict exists $intf_ports $name]} \
    "there is a cell or port \"$name\" already"
}
proc create_bd_cell {args} {
  set options [vivado::options $args {-type -vlnv -reference} {}]
  set name [vivado::argument $options]
  vivado::new_name $name
  if {[dict get $options -type] eq "module"} {
    set kind [dict get $options -reference]
    vivado::expect {[dict exists $vivado::modules $kind]} "no Verilog file with a module $kind was read"
    vivado::expect {$kind eq "fabrictwin_shell"} "the stand-in knows no interfaces of $kind"
    dict set vivado::segments $name/s_axi/reg0 0x1000
  } else {
    vivado::expect {[regexp {^xilinx\.com:ip:(\w+:[0-9.]+)$} [dict get $options -vlnv] -> kind]} "[dict get $options -vlnv] is no IP of AMD with its version"
    vivado::expect {[dict exists $vivado::ip $kind]} "the stand-in knows no IP $kind"
  }
  dict set vivado::cells $name $kind
  dict set vivado::config $name {}
  return [list cell $name]
}
proc create_bd_port {args} {
  set options [vivado::options $args {-dir -type} {}]
  vivado::new_name [vivado::argument $options]
  vivado::expect {[dict get $options -dir] in {I O}} "the direction of a port is I or O"
  dict set vivado::ports [vivado::argument $options] [dict get $options -dir]
}
proc create_bd_intf_port {args} {
  set options [vivado::options $args {-mode -vlnv} {}]
  vivado::new_name [vivado::argument $options]
  vivado::expect {[regexp {^xilinx\.com:interface:(diff_clock|pcie_7x_mgt)_rtl:1\.0$} [dict get $options -vlnv] -> kind]} \
    "the stand-in knows no interface [dict get $options -vlnv]"
  dict set vivado::intf_ports [vivado::argument $options] [list [string index [dict get $options -mode] 0] $kind]
}
proc get_bd_cells {name} {
  vivado::expect {[dict exists $vivado::cells $name]} "there is no cell $name"
  return [list cell $name]
}
proc get_bd_pins {name} {
  lassign [vivado::split_pin $name] cell pin
  vivado::expect {[dict exists [vivado::pins $cell] $pin]} "cell $cell has no pin $pin"
  return [list pin $name]
}
proc get_bd_intf_pins {name} {
  lassign [vivado::split_pin $name] cell pin
  vivado::expect {[dict exists [vivado::interfaces $cell] $pin]} "cell $cell has no interface $pin"
  return [list intf_pin $name]
}
proc get_bd_ports {name} {
  vivado::expect {[dict exists $vivado::ports $name]} "there is no port $name"
  return [list port $name]
}
proc get_bd_intf_ports {name} {
  vivado::expect {[dict exists $vivado::intf_ports $name]} "there is no interface port $name"
  return [list intf_port $name]
}
proc apply_bd_automation {args} {
  set options [vivado::options $args {-rule -config} {}]
  vivado::object [vivado::argument $options] cell
}
proc set_property {args} {
  set options [vivado::options $args {} {-dict}]
  lassign [dict get $options ""] first second third
  if {[dict exists $options -dict]} {
    lassign [list $first $second] properties object
  } else {
    lassign [list [list $first $second] $third] properties object
  }
  vivado::expect {[llength $properties] % 2 == 0} "a property has no value"
  set kind [lindex $object 0]
  vivado::expect {$kind in {project design file cell port intf_port pin net}} "\"$object\" has no properties"
  if {$kind ne "cell"} return
  set cell [lindex $object 1]
  set type [dict get $vivado::cells $cell]
  if {[dict exists $vivado::modules $type]} {
    set known [vivado::parameters_of [dict get $vivado::modules $type]]
  } else {
    set known [dict get $vivado::ip $type properties]
  }
  foreach {name value} $properties {
    vivado::expect {[regexp {^CONFIG\.(\w+)$} $name -> short]} "$name is no property of a cell"
    vivado::expect {$short in $known} "$type has no property $short"
    dict set vivado::config $cell $short $value
  }
}
# O if a pin or port drives its net.
proc vivado::drives {end} {
  variable ports
  lassign $end kind name
  if {$kind eq "port"} { return [expr {[dict get $ports $name] eq "I"}] }
  lassign [split $name /] cell pin
  return [expr {[dict get [pins $cell] $pin] eq "O"}]
}
proc connect_bd_net {args} {
  set known {}
  foreach end $args {
    vivado::object $end pin port
    if {[dict exists $vivado::net_of $end]} {
      vivado::expect {[vivado::drives $end]} "[lindex $end 1] is connected already"
      lappend known [dict get $vivado::net_of $end]
    }
  }
  vivado::expect {[llength $known] <= 1} "this joins two nets"
  set net [expr {[llength $known] ? [lindex $known 0] : [incr vivado::nets]}]
  foreach end $args {
    if {[vivado::drives $end]} {
      vivado::expect {![dict exists $vivado::driver_of $net] || [dict get $vivado::driver_of $net] eq $end} "[lindex $end 1] is a second driver"
      dict set vivado::driver_of $net $end
    }
    dict set vivado::net_of $end $net
  }
  vivado::expect {[dict exists $vivado::driver_of $net]} "nothing drives this net"
}
# The mode and kind of an interface as the inside of the design sees it.
proc vivado::interface {end} {
  variable intf_ports
  lassign $end kind name
  if {$kind eq "intf_port"} {
    lassign [dict get $intf_ports $name] mode type
    return [list [expr {$mode eq "S" ? "M" : "S"}] $type]
  }
  lassign [split $name /] cell pin
  return [lrange [dict get [interfaces $cell] $pin] 0 1]
}
proc connect_bd_intf_net {args} {
  vivado::expect {[llength $args] == 2} "an interface has two ends"
  lassign $args a b
  foreach end $args {
    vivado::object $end intf_pin intf_port
    vivado::expect {![dict exists $vivado::intf_of $end]} "[lindex $end 1] is connected already"
  }
  lassign [vivado::interface $a] a_mode a_type
  lassign [vivado::interface $b] b_mode b_type
  vivado::expect {$a_type eq $b_type} "[lindex $a 1] is $a_type, [lindex $b 1] is $b_type"
  vivado::expect {$a_mode ne $b_mode} "[lindex $a 1] and [lindex $b 1] are both [expr {$a_mode eq {M} ? {masters} : {slaves}}]"
  dict set vivado::intf_of $a $b
  dict set vivado::intf_of $b $a
}

# --- Addresses

proc vivado::number {text} {
  if {[regexp {^(\d+)([KMG])$} $text -> count unit]} { return [expr {$count << [dict get {K 10 M 20 G 30} $unit]}] }
  expect {[string is entier -strict $text]} "$text is no number"
  return [expr {$text}]
}
proc get_bd_addr_spaces {name} {
  lassign [vivado::split_pin $name] cell space
  if {$space eq "Data" && [string match zynq_* [dict get $vivado::cells $cell]]} { return [list space $name] }
  vivado::expect {[dict exists [vivado::interfaces $cell] $space] && [lindex [dict get [vivado::interfaces $cell] $space] 0] eq "M"} \
    "cell $cell has no address space $space"
  return [list space $name]
}
proc get_bd_addr_segs {name} {
  vivado::expect {[dict exists $vivado::segments $name] && [dict exists $vivado::cells [lindex [split $name /] 0]]} "there is no address segment $name"
  return [list segment $name]
}
proc assign_bd_address {args} {
  set options [vivado::options $args {-offset -range -target_address_space} {-force}]
  foreach needed {-offset -range -target_address_space} {
    vivado::expect {[dict exists $options $needed]} "assign_bd_address needs $needed"
  }
  set segment [vivado::object [vivado::argument $options] segment]
  set space [vivado::object [dict get $options -target_address_space] space]
  set offset [vivado::number [dict get $options -offset]]
  set range [vivado::number [dict get $options -range]]
  vivado::expect {$range >= 4096 && ($range & ($range - 1)) == 0} "$segment: a range must be a power of two, at least 4K"
  vivado::expect {$offset % $range == 0} "$segment: [format %#x $offset] is no multiple of the range [format %#x $range]"
  vivado::expect {$range <= [dict get $vivado::segments $segment]} "$segment decodes only [dict get $vivado::segments $segment] bytes"
  vivado::expect {![dict exists $vivado::spaces $space $segment]} "$segment is in $space already"
  if {[dict exists $vivado::spaces $space]} {
    dict for {other place} [dict get $vivado::spaces $space] {
      lassign $place begin size
      vivado::expect {$offset >= $begin + $size || $begin >= $offset + $range} "$segment overlaps $other in $space"
    }
  }
  if {[string match */Data $space]} {
    vivado::expect {$offset >= 0xA0000000 && $offset + $range <= 0xB0000000} "$segment is not behind M_AXI_HPM0_FPD (0xA0000000 to 0xAFFFFFFF)"
  }
  dict set vivado::spaces $space $segment [list $offset $range]
}
proc exclude_bd_addr_seg {args} {
  set options [vivado::options $args {-target_address_space} {}]
  lappend vivado::excluded [list [vivado::object [dict get $options -target_address_space] space] [vivado::object [vivado::argument $options] segment]]
}

# The pin that drives a pin.
proc vivado::driver {pin} {
  variable net_of
  variable driver_of
  expect {[dict exists $net_of [list pin $pin]]} "$pin is not connected"
  return [lindex [dict get $driver_of [dict get $net_of [list pin $pin]]] 1]
}

proc validate_bd_design {} {
  variable vivado::validated
  # Nothing stays open.
  dict for {cell kind} $vivado::cells {
    set open [expr {[dict exists $vivado::ip $kind] ? [dict get $vivado::ip $kind open] : {}}]
    if {[string match util_ds_buf:* $kind]} { set open {} }
    dict for {pin direction} [vivado::pins $cell] {
      vivado::expect {$direction eq "O" || $pin in $open || [dict exists $vivado::net_of [list pin $cell/$pin]]} "$cell/$pin is not connected"
    }
    foreach pin [dict keys [vivado::interfaces $cell]] {
      vivado::expect {[dict exists $vivado::intf_of [list intf_pin $cell/$pin]]} "$cell/$pin is not connected"
    }
  }
  foreach port [dict keys $vivado::ports] {
    vivado::expect {[dict exists $vivado::net_of [list port $port]]} "port $port is not connected"
  }
  foreach port [dict keys $vivado::intf_ports] {
    vivado::expect {[dict exists $vivado::intf_of [list intf_port $port]]} "port $port is not connected"
  }

  # Each interface at the interconnect has one of its clocks, and each master there knows all slaves or leaves them out.
  set slaves {}
  set masters {}
  dict for {end other} $vivado::intf_of {
    if {![string match interconnect/* [lindex $end 1]]} continue
    lassign [split [lindex $other 1] /] cell pin
    lassign [dict get [vivado::interfaces $cell] $pin] mode type clock
    set driver [expr {[dict get [vivado::pins $cell] $clock] eq "O" ? "$cell/$clock" : [vivado::driver $cell/$clock]}]
    set clocks {}
    dict for {own direction} [vivado::pins interconnect] {
      if {[string match aclk* $own]} { lappend clocks [vivado::driver interconnect/$own] }
    }
    vivado::expect {$driver in $clocks} "$cell/$pin has the clock $driver, and the interconnect $clocks"
    if {$mode eq "M"} { lappend masters $cell/$pin } else { lappend slaves $cell/$pin }
  }
  set where {}
  foreach master $masters {
    set space [expr {[dict exists $vivado::spaces $master] ? $master : "[lindex [split $master /] 0]/Data"}]
    vivado::expect {[dict exists $vivado::spaces $space]} "nothing is assigned to $master"
    foreach slave $slaves {
      # Segments of a processor have other names than its interfaces.
      set owner [string map {S_AXI_HPC0_FPD SAXIGP0} $slave]
      set segment [lsearch -inline [dict keys [dict get $vivado::spaces $space]] $owner/*]
      set left_out [lsearch -glob $vivado::excluded "$space $owner/*"]
      vivado::expect {$segment ne "" || $left_out >= 0} "$slave is neither assigned to $space nor excluded"
      if {$segment eq ""} continue
      set place [dict get $vivado::spaces $space $segment]
      if {[dict exists $where $segment]} {
        vivado::expect {[dict get $where $segment] eq $place} "masters of one interconnect see $segment at different addresses"
      }
      dict set where $segment $place
    }
  }

  # Where an agent gives a card memory, the card reaches it, at the same address on PCIe.
  if {[dict exists $vivado::spaces shell/m_axi bridge/S_AXI_B/BAR0]} {
    set in [open $vivado::root/bridges/board/shell/ring_memory.h]
    regexp {kHostRingAddress = (0x[0-9a-fA-F']+);} [read $in] -> address
    close $in
    lassign [dict get $vivado::spaces shell/m_axi bridge/S_AXI_B/BAR0] begin size
    set wanted [expr [string map {' {}} $address]]
    vivado::expect {$begin <= $wanted && $wanted + 0x10000 <= $begin + $size && [vivado::number [vivado::property bridge axibar2pciebar_0 0]] == $begin} \
      "the memory of the host is at [format %#x $begin] of the card, and agents have it at [format %#x $wanted]"
  }

  # The shell is told what is so.
  foreach name {NumPorts RouteTableEntries WordBits Vcs CreditWords BufferCredits SlotsLog2 RingOffset ClockHertz RingAddress} {
    set $name [vivado::property shell $name ""]
    vivado::expect {[set $name] ne ""} "the shell's parameter $name is not set"
    set $name [vivado::number [set $name]]
  }
  lassign [dict get $where shell/s_axi/reg0] base registers
  lassign [dict get $where rings/S_AXI/Mem0] rings bytes
  vivado::expect {$RingAddress == [lindex [dict get $vivado::spaces shell/m_axi rings/S_AXI/Mem0] 0]} \
    "RingAddress is [format %#x $RingAddress], and the shell reaches its rings at [format %#x $rings]"
  vivado::expect {$RingOffset == $rings - $base} "RingOffset is [format %#x $RingOffset], and the rings are [format %#x [expr {$rings - $base}]] behind the registers"
  vivado::expect {$bytes >= 2 * 64 * (1 << $SlotsLog2)} "two rings of $SlotsLog2 address bits do not fit in $bytes bytes"
  set window [expr {$rings + $bytes - $base}]
  vivado::expect {($window & ($window - 1)) == 0 && $base % $window == 0} "the window has [format %#x $window] bytes at [format %#x $base]: a BAR is aligned to a power of two"
  vivado::expect {$window == $::fabrictwin::window_bytes} "the window has [format %#x $window] bytes, and fabrictwin::window_bytes says [format %#x $::fabrictwin::window_bytes]"
  # Its clock has a buffer, and the gate gets what is before it.
  set buffer [lindex [split [vivado::driver shell/aclk] /] 0]
  vivado::expect {[string match util_ds_buf:* [dict get $vivado::cells $buffer]]} "shell/aclk comes from $buffer, which is no buffer"
  set source [vivado::driver $buffer/BUFG_I]
  vivado::expect {[vivado::driver shell/aclk_source] eq $source} "shell/aclk_source is not what drives the buffer of shell/aclk"
  set clock [lindex [split $source /] 0]
  vivado::expect {[vivado::property $clock CLKOUT1_DRIVES Buffer] eq "No_buffer"} "$clock has a buffer of its own"
  set hertz [expr {round([vivado::property $clock CLKOUT1_REQUESTED_OUT_FREQ 0] * 1e6)}]
  vivado::expect {$ClockHertz == $hertz} "ClockHertz is $ClockHertz, and the clock has $hertz"
  foreach {pin driver} [list shell/aresetn reset/peripheral_aresetn reset/slowest_sync_clk $buffer/BUFG_O reset/dcm_locked $clock/locked] {
    vivado::expect {[vivado::driver $pin] eq $driver} "$pin comes from [vivado::driver $pin] instead of $driver"
  }
  if {[dict exists $vivado::cells bridge]} {
    set size [expr {[vivado::property bridge pf0_bar0_size 0] << [dict get {Bytes 0 Kilobytes 10 Megabytes 20} [vivado::property bridge pf0_bar0_scale Bytes]]}]
    vivado::expect {$size == $window} "BAR 0 has [format %#x $size] bytes, the window [format %#x $window]"
    vivado::expect {[vivado::number [vivado::property bridge pciebar2axibar_0 -1]] == $base} "BAR 0 does not lead to the registers"
    puts "pci 0x[string tolower [vivado::property bridge pf0_device_id ""]] 0x[string tolower [vivado::property bridge pf0_subsystem_id ""]]"
  }
  if {[dict exists $vivado::spaces shell/m_axi ps/SAXIGP0/HPC0_DDR_LOW]} {
    lassign [dict get $vivado::spaces shell/m_axi ps/SAXIGP0/HPC0_DDR_LOW] begin size
    puts "host [format %#x $begin] [format %#x $size]"
  }
  puts "base [format %#x $base]"
  puts "window [format %#x $window]"
  puts "rings [format %#x $RingOffset]"
  puts "ports $NumPorts"
  puts "destinations $RouteTableEntries"
  puts "slots $SlotsLog2"
  set validated 1
}
proc save_bd_design {} {}
proc generate_target {what file} { vivado::object $file file; vivado::expect {$vivado::validated} "the design is not validated" }
proc make_wrapper {args} {
  set options [vivado::options $args {-files} {-top}]
  vivado::object [dict get $options -files] file
  # What Vivado makes is here a file with the ports of the design.
  set wrapper ${vivado::design}_wrapper
  file mkdir $vivado::folder
  set out [open [file join $vivado::folder $wrapper.v] w]
  puts $out "module $wrapper;\nendmodule"
  close $out
  return [file join $vivado::folder $wrapper.v]
}

# --- Constraints

# Ports of the wrapper that Vivado makes.
proc vivado::top_ports {} {
  variable ports
  variable intf_ports
  set found [dict keys $ports]
  dict for {name type} $intf_ports {
    foreach suffix [dict get {diff_clock {clk_p clk_n} pcie_7x_mgt {rxn rxp txn txp}} [lindex $type 1]] { lappend found ${name}_$suffix }
  }
  return $found
}
proc vivado::get_ports {name} {
  expect {[regsub {\[\d+\]$} $name {}] in [top_ports]} "there is no port $name; there are: [top_ports]"
  return [list port $name]
}
proc vivado::pins_or_nets {args} {
  set options [options $args {-of_objects -filter} {-hierarchical}]
  return {net some}
}
proc vivado::timing {args} { options $args {-name -period -from -to} {} }
proc read_xdc {file} {
  vivado::read_files [list $file] .xdc
  # Constraints are no scripts: they know few commands of Tcl.
  set xdc [interp create]
  interp eval $xdc {foreach command [info commands] { if {$command ni {set list expr rename foreach if}} { rename $command {} } }}
  interp eval $xdc {rename foreach {}; rename if {}; rename rename {}}
  foreach {name target} {
    set_property set_property get_ports vivado::get_ports current_design current_design get_nets vivado::pins_or_nets get_pins vivado::pins_or_nets
    create_clock vivado::timing set_false_path vivado::timing
  } {
    interp alias $xdc $name {} $target
  }
  set in [open $file]
  set text [read $in]
  close $in
  set line 0
  set command ""
  foreach part [split $text \n] {
    incr line
    append command $part\n
    if {![info complete $command]} continue
    set vivado::xdc_line "[string map [list $vivado::root/ {}] $file]:$line: "
    if {[catch {interp eval $xdc $command} what]} {
      puts stderr "$vivado::xdc_line$what"
      exit 1
    }
    set command ""
  }
  set vivado::xdc_line ""
  vivado::expect {$command eq ""} "$file ends in the middle of a command"
  return $file
}

# --- From synthesis to the bitstream

proc vivado::step {name after} {
  variable steps
  expect {$after eq "" || $after in $steps} "$name comes before $after"
  lappend steps $name
}
proc synth_design {args} {
  set options [vivado::options $args {-top -part -verilog_define} {}]
  set defines [expr {[dict exists $options -verilog_define] ? [dict get $options -verilog_define] : ""}]
  vivado::expect {[dict exists $vivado::modules [dict get $options -top]]} "no module [dict get $options -top] was read"
  vivado::expect {[dict get $options -part] eq $vivado::part} "the part is not that of the project"
  vivado::expect {"FABRICTWIN_XILINX" in $defines} "without FABRICTWIN_XILINX the gate of the element's clock is a latch"
  vivado::expect {("FABRICTWIN_EXTERNAL_ROUTER" in $defines) == ([lsearch -glob $vivado::read */external_router_shell.sv] >= 0)} \
    "FABRICTWIN_EXTERNAL_ROUTER goes with the sources of a router of one's own"
  vivado::step synth ""
}
proc opt_design {} { vivado::step opt synth }
proc place_design {} { vivado::step place opt }
proc phys_opt_design {} { vivado::step phys_opt place }
proc route_design {} { vivado::step route place }
proc write_checkpoint {args} { vivado::options $args {} {-force}; vivado::step checkpoint synth }
foreach report {report_utilization report_timing_summary report_clock_utilization report_drc} {
  proc $report {args} { vivado::options $args {-file -max_paths} {-hierarchical}; vivado::step report synth }
}
proc get_timing_paths {args} {
  vivado::step timing route
  return [list [list path [dict get [vivado::options $args {-delay_type} {}] -delay_type]]]
}
proc get_property {name object} {
  vivado::expect {$name eq "SLACK" && [lindex $object 0] eq "path"} "the stand-in knows no property $name of $object"
  return [expr {[info exists ::env(FABRICTWIN_SLACK)] ? $::env(FABRICTWIN_SLACK) : 0.1}]
}
proc write_bitstream {args} {
  set options [vivado::options $args {} {-force}]
  vivado::expect {"timing" in $vivado::steps} "times were not checked"
  vivado::step bitstream route
  vivado::expect {[file tail [vivado::argument $options]] eq "fabrictwin.bit"} "the bitstream must be called fabrictwin.bit"
}
proc write_cfgmem {args} { vivado::options $args {-format -interface -size -loadbit} {-force}; vivado::step cfgmem bitstream }
proc unknown {name args} { vivado::fail "the stand-in knows no command $name" }

set vivado_file [file normalize [info script]]
if {$argc != 2} {
  puts stderr "usage: tclsh vivado.tcl ROOT BOARD"
  exit 2
}
set vivado::root [file normalize [lindex $argv 0]]
set board [lindex $argv 1]
vivado::check_wrapper
close [file tempfile scratch]
file delete $scratch
set argv [list $scratch]
set argc 1
if {[catch {source $vivado::root/rtl/boards/$board/build.tcl} what]} {
  set what [lindex [split $what \n] 0]
  puts stderr "rtl/boards/$board/build.tcl: $what"
  file delete -force $scratch
  exit 1
}
file delete -force $scratch
if {"bitstream" ni $vivado::steps} {
  puts stderr "rtl/boards/$board/build.tcl: writes no bitstream"
  exit 1
}
foreach file $vivado::read {
  if {[file extension $file] eq ".sv"} { puts "source [string map [list $vivado::root/ {}] $file]" }
}
