// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Schedules channels. The first generation runs it as firmware on one processor, which the delay stands for: each invocation takes that many cycles and one
/// more, one after the other. With a delay of zero it costs nothing.
module rdma_firmware (
    input  logic        clk_i,
    /// Synchronous, active low.
    input  logic        rst_ni,
    /// Cycles of the invocations that begin; one at work keeps its own.
    input  logic [rdma_pkg::FirmwareWidth-1:0] delay_i,
    /// Work that waits: a channel's transfer (0) and another node's read (1). Stays high until taken.
    input  logic [1:0]  request_i,
    /// The work may go on. One-hot or zero with a delay.
    output logic [1:0]  grant_o,
    /// The granted work went on.
    input  logic        done_i,
    /// No invocation is at work.
    output logic        idle_o
);

  logic       none;
  logic [1:0] grant;
  logic [1:0] owner_q;
  logic [rdma_pkg::FirmwareWidth-1:0] left_q;

  assign none = delay_i == '0 && owner_q == '0;

  round_robin_arbiter #(
      .NumRequests(2)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i (owner_q == '0 && !none),
      .request_i,
      .grant_o  (grant)
  );

  assign idle_o = owner_q == '0 && left_q == '0;
  assign grant_o = none ? request_i : left_q == '0 ? owner_q : 2'd0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owner_q <= '0;
      left_q <= '0;
    end else if (grant != '0) begin
      owner_q <= grant;
      left_q <= delay_i;
    end else if (left_q != '0) begin
      left_q <= left_q - 1'b1;
    end else if (done_i) begin
      owner_q <= '0;
    end
  end

endmodule
