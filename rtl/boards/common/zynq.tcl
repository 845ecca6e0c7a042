# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# The block design of boards with a Zynq UltraScale+: the window is behind M_AXI_HPM0_FPD, memory of the processor behind S_AXI_HPC0_FPD. Written for Vivado 2023.2; not run in CI, and never on hardware.

namespace eval fabrictwin {
  # The beginning of the addresses of M_AXI_HPM0_FPD below 4 GiB; fabrictwin.dtso says the same.
  variable zynq_base 0xA0000000
}

# The processor with the settings of the board that the project names.
proc fabrictwin::add_zynq_window {} {
  variable zynq_base
  create_bd_cell -type ip -vlnv xilinx.com:ip:zynq_ultra_ps_e:3.5 ps
  apply_bd_automation -rule xilinx.com:bd_rule:zynq_ultra_ps_e -config {apply_board_preset "1"} [get_bd_cells ps]
  # 128 bits is what the port has after power-up, so that a bitstream loaded by Linux fits.
  set_property -dict {
    CONFIG.PSU__USE__M_AXI_GP0 1
    CONFIG.PSU__USE__M_AXI_GP1 0
    CONFIG.PSU__USE__M_AXI_GP2 0
    CONFIG.PSU__MAXIGP0__DATA_WIDTH 128
    CONFIG.PSU__USE__S_AXI_GP0 1
    CONFIG.PSU__SAXIGP0__DATA_WIDTH 128
    CONFIG.PSU__USE__IRQ0 0
    CONFIG.PSU__FPGA_PL0_ENABLE 1
    CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ 100
  } [get_bd_cells ps]
  fabrictwin::add_clock ps/pl_clk0 ps/pl_resetn0
  connect_bd_net [get_bd_pins clock_buffer/BUFG_O] [get_bd_pins ps/maxihpm0_fpd_aclk] [get_bd_pins ps/saxihpc0_fpd_aclk]
  # The lower 2 GiB of the processor's memory, at the addresses that the processor has for them.
  fabrictwin::add_window ps/M_AXI_HPM0_FPD clock_buffer/BUFG_O ps/Data $zynq_base ps/S_AXI_HPC0_FPD ps/SAXIGP0/HPC0_DDR_LOW 0x00000000 0x80000000
}
