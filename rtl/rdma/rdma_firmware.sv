// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Schedules channels. The first generation runs it as firmware on one processor, which `Delay` stands for: each invocation takes
/// that many cycles, one after the other. With `Delay` zero it costs nothing.
module rdma_firmware #(
    /// Cycles of an invocation.
    parameter int unsigned Delay = 0
) (
    input  logic       clk_i,
    /// Synchronous, active low.
    input  logic       rst_ni,
    /// Work that waits: a channel's transfer (0) and another node's read (1). Stays high until taken.
    input  logic [1:0] request_i,
    /// The work may go on. One-hot or zero with a delay.
    output logic [1:0] grant_o,
    /// The granted work went on.
    input  logic       done_i,
    /// No invocation is at work.
    output logic       idle_o
);

  if (Delay == 0) begin : gen_none
    assign grant_o = request_i;
    assign idle_o = 1'b1;
    logic unused;
    assign unused = &{clk_i, rst_ni, done_i, 1'b0};
  end else begin : gen_delay
    localparam int unsigned Width = $clog2(Delay + 1);

    logic [1:0] grant;
    logic [1:0] owner_q;
    logic [Width-1:0] left_q;

    round_robin_arbiter #(
        .NumRequests(2)
    ) i_arbiter (
        .clk_i,
        .rst_ni,
        .enable_i (owner_q == '0),
        .request_i,
        .grant_o  (grant)
    );

    assign idle_o = owner_q == '0 && left_q == '0;
    assign grant_o = left_q == '0 ? owner_q : 2'd0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        owner_q <= '0;
        left_q <= '0;
      end else if (grant != '0) begin
        owner_q <= grant;
        left_q <= Width'(Delay);
      end else if (left_q != '0) begin
        left_q <= left_q - 1'b1;
      end else if (done_i) begin
        owner_q <= '0;
      end
    end
  end

endmodule
