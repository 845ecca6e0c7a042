// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// A clock that stands still while it is not enabled, without short pulses. The cells of UltraScale+ FPGAs are in rtl/boards; here is what they do.
module clock_gate (
    input  logic clk_i,
    /// Whether the next rising edge comes out; changes only after rising edges of `clk_i`.
    input  logic enable_i,
    output logic clk_o
);

`ifdef FABRICTWIN_XILINX
  BUFGCE i_buffer (
      .I (clk_i),
      .CE(enable_i),
      .O (clk_o)
  );
`else
  logic enable_q;

  // The enable is held while the clock is high, as by a latch.
  always_latch begin
    if (!clk_i) enable_q = enable_i;
  end
  assign clk_o = clk_i && enable_q;
`endif

endmodule
