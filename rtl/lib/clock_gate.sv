// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// A clock that stands still while it is not enabled, without short pulses. FABRICTWIN_XILINX is for UltraScale+ FPGAs and needs their cell BUFGCE.
module clock_gate (
    // Each of them is enough for one of the two.
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic clk_i,
    /// What drives the buffer of `clk_i`: in an FPGA the gate is a buffer beside that one and not behind it, so that the edges of both clocks are at the
    /// same time.
    input  logic clk_source_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// Whether the next rising edge comes out; changes only after rising edges of `clk_i`.
    input  logic enable_i,
    output logic clk_o
);

`ifdef FABRICTWIN_XILINX
  BUFGCE i_buffer (
      .I (clk_source_i),
      .CE(enable_i),
      .O (clk_o)
  );
`elsif VERILATOR
  // The enable counts as it was before the edge, without a latch, which would cost an evaluation of its own.
  initial clk_o = 1'b0;
  /* verilator lint_off BLKSEQ */
  always @(clk_i) clk_o = clk_i && enable_i;
  /* verilator lint_on BLKSEQ */
`else
  logic enable_q;

  // The enable is held while the clock is high, as by a latch.
  always_latch begin
    if (!clk_i) enable_q = enable_i;
  end
  assign clk_o = clk_i && enable_q;
`endif

endmodule
