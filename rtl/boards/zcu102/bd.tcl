# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# The block design of the ZCU102 evaluation board; build.tcl calls it. Written for Vivado 2023.2; not run in CI, and never on hardware.
fabrictwin::add_zynq_window
