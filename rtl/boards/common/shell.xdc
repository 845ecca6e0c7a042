# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# Constraints of the shell on every board. Written for Vivado 2023.2; not run in CI, and never on hardware.

# The clock of the shell and the gated one of its element come from one MMCM by two buffers side by side. Words cross between them at every edge, so both
# trees get the same delay.
set_property CLOCK_DELAY_GROUP fabrictwin_shell [get_nets -of_objects [get_pins -hierarchical -filter {NAME =~ */i_clock/i_buffer/O || (NAME =~ */clock_buffer/*/O && REF_NAME =~ BUFG*)}]]
