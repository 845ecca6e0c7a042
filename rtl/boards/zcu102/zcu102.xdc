# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# Constraints of the ZCU102 evaluation board. The design has no pins of the programmable logic. Written for Vivado 2023.2; not run in CI, and never on
# hardware.
set_property BITSTREAM.GENERAL.COMPRESS true [current_design]
