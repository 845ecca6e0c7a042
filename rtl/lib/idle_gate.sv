// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The clock of a block that stands still while the block is idle: all its registers keep their values then, so nothing but power, and time of a simulation,
/// is saved. Where there is no cell for it, which is neither Verilator nor FABRICTWIN_XILINX, the clock always runs; so it does with FABRICTWIN_UNGATED, to
/// compare with.
module idle_gate #(
    /// Edges that the clock runs on after the block was busy, for registers that follow others.
    parameter int unsigned HoldEdges = 4
) (
    input  logic clk_i,
    // Only a clock that can stand needs to know.
    /* verilator lint_off UNUSEDSIGNAL */
    /// Synchronous, active low; the clock runs while it is low.
    input  logic rst_ni,
    /// The next edge can change a register of the block: something is inside, or comes in.
    input  logic busy_i,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic clk_o
);

`ifdef FABRICTWIN_UNGATED
  localparam bit Gated = 1'b0;
`elsif VERILATOR
  localparam bit Gated = 1'b1;
`elsif FABRICTWIN_XILINX
  localparam bit Gated = 1'b1;
`else
  localparam bit Gated = 1'b0;
`endif

  if (Gated) begin : gen_gate
    localparam int unsigned HoldWidth = $clog2(HoldEdges + 1);
    logic [HoldWidth-1:0] hold_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || busy_i) hold_q <= HoldWidth'(HoldEdges);
      else if (hold_q != '0) hold_q <= hold_q - 1'b1;
    end

    clock_gate i_gate (
        .clk_i,
        .clk_source_i(clk_i),
        .enable_i    (!rst_ni || busy_i || hold_q != '0),
        .clk_o
    );
  end else begin : gen_wire
    assign clk_o = clk_i;
  end

endmodule
