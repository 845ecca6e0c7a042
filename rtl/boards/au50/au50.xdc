# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# Constraints of the Alveo U50. The bridge places its own lanes. Written for Vivado 2023.2; not run in CI, and never on hardware: compare pins with AMD's
# constraints of the card before the first use.
set_property CONFIG_VOLTAGE 1.8 [current_design]
set_property CONFIG_MODE SPIx4 [current_design]
set_property BITSTREAM.CONFIG.CONFIGFALLBACK ENABLE [current_design]
set_property BITSTREAM.CONFIG.SPI_BUSWIDTH 4 [current_design]
set_property BITSTREAM.CONFIG.CONFIGRATE 85.0 [current_design]
set_property BITSTREAM.CONFIG.SPI_32BIT_ADDR YES [current_design]
set_property BITSTREAM.CONFIG.SPI_FALL_EDGE YES [current_design]
set_property BITSTREAM.CONFIG.EXTMASTERCCLK_EN DISABLE [current_design]
set_property BITSTREAM.CONFIG.UNUSEDPIN PULLUP [current_design]
set_property BITSTREAM.GENERAL.COMPRESS TRUE [current_design]

# High would shut the card's power down, also while the FPGA is not configured.
set_property PACKAGE_PIN J18 [get_ports hbm_cattrip]
set_property IOSTANDARD LVCMOS18 [get_ports hbm_cattrip]
set_property PULLDOWN true [get_ports hbm_cattrip]

# Reference clock of the slot, in quad 227.
set_property PACKAGE_PIN AB9 [get_ports {pcie_refclk_clk_p[0]}]
set_property PACKAGE_PIN AB8 [get_ports {pcie_refclk_clk_n[0]}]
create_clock -name pcie_refclk -period 10.000 [get_ports {pcie_refclk_clk_p[0]}]

set_property PACKAGE_PIN AW27 [get_ports pcie_perst_n]
set_property IOSTANDARD LVCMOS18 [get_ports pcie_perst_n]
set_property PULLUP true [get_ports pcie_perst_n]
set_false_path -from [get_ports pcie_perst_n]
