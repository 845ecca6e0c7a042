# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# The block design of the Alveo U50; build.tcl calls it. The window is behind BAR 0 of a PCIe bridge (XDMA IP, memory mapped, without DMA). Written for Vivado
# 2023.2; not run in CI, and never on hardware.
set window_base 0x0
# What an agent gives the card by VFIO for the ring from the board (bridges/board/shell/ring_memory.h), at the same address on the bus of the card and on PCIe.
set host_base 0x40000000
set host_bytes 0x100000

create_bd_intf_port -mode Slave -vlnv xilinx.com:interface:diff_clock_rtl:1.0 pcie_refclk
set_property CONFIG.FREQ_HZ 100000000 [get_bd_intf_ports pcie_refclk]
create_bd_intf_port -mode Master -vlnv xilinx.com:interface:pcie_7x_mgt_rtl:1.0 pcie
create_bd_port -dir I -type rst pcie_perst_n
set_property CONFIG.POLARITY ACTIVE_LOW [get_bd_ports pcie_perst_n]
create_bd_port -dir O hbm_cattrip

create_bd_cell -type ip -vlnv xilinx.com:ip:util_ds_buf:2.2 refclk_buffer
set_property CONFIG.C_BUF_TYPE {IBUFDSGTE} [get_bd_cells refclk_buffer]

# Eight lanes at 8 GT/s, on quads 227 and 226. The subsystem tells this board from others with the same bridge; the udev rule knows it.
create_bd_cell -type ip -vlnv xilinx.com:ip:xdma:4.1 bridge
set_property -dict [list \
  CONFIG.functional_mode {AXI_Bridge} \
  CONFIG.mode_selection {Advanced} \
  CONFIG.device_port_type {PCI_Express_Endpoint_device} \
  CONFIG.pcie_blk_locn {PCIE4C_X1Y0} \
  CONFIG.en_gt_selection {true} \
  CONFIG.select_quad {GTY_Quad_227} \
  CONFIG.pl_link_cap_max_link_width {X8} \
  CONFIG.pl_link_cap_max_link_speed {8.0_GT/s} \
  CONFIG.ref_clk_freq {100_MHz} \
  CONFIG.axisten_freq {250} \
  CONFIG.axi_data_width {256_bit} \
  CONFIG.axi_addr_width {64} \
  CONFIG.en_axi_slave_if {true} \
  CONFIG.axibar2pciebar_0 [format 0x%016X $host_base] \
  CONFIG.pf0_device_id {9038} \
  CONFIG.pf0_subsystem_vendor_id {10EE} \
  CONFIG.pf0_subsystem_id {4654} \
  CONFIG.pf0_base_class_menu {Memory_controller} \
  CONFIG.pf0_sub_class_interface_menu {Other_memory_controller} \
  CONFIG.pf0_bar0_64bit {false} \
  CONFIG.pf0_bar0_prefetchable {false} \
  CONFIG.pf0_bar0_scale {Kilobytes} \
  CONFIG.pf0_bar0_size [expr {$fabrictwin::window_bytes / 1024}] \
  CONFIG.pciebar2axibar_0 [format 0x%016X $window_base] \
  CONFIG.pf0_msi_enabled {false} \
  CONFIG.pf0_interrupt_pin {NONE}] [get_bd_cells bridge]

# The card shuts its power down when this pin is high. The HBM is not used.
create_bd_cell -type ip -vlnv xilinx.com:ip:xlconstant:1.1 low
set_property -dict {CONFIG.CONST_WIDTH 1 CONFIG.CONST_VAL 0} [get_bd_cells low]
connect_bd_net [get_bd_pins low/dout] [get_bd_ports hbm_cattrip]

connect_bd_intf_net [get_bd_intf_ports pcie_refclk] [get_bd_intf_pins refclk_buffer/CLK_IN_D]
connect_bd_net [get_bd_pins refclk_buffer/IBUF_OUT] [get_bd_pins bridge/sys_clk_gt]
connect_bd_net [get_bd_pins refclk_buffer/IBUF_DS_ODIV2] [get_bd_pins bridge/sys_clk]
connect_bd_net [get_bd_ports pcie_perst_n] [get_bd_pins bridge/sys_rst_n]
connect_bd_intf_net [get_bd_intf_pins bridge/pcie_mgt] [get_bd_intf_ports pcie]

fabrictwin::add_clock bridge/axi_aclk bridge/axi_aresetn
fabrictwin::add_window bridge/M_AXI_B bridge/axi_aclk bridge/M_AXI_B $window_base bridge/S_AXI_B bridge/S_AXI_B/BAR0 $host_base $host_bytes
