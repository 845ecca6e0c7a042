// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Frames or datagrams of several sources one after the other, in turn.
module nanet_tx_arbiter #(
    parameter int unsigned NumSources = 3,
    parameter int unsigned Width = nanet_pkg::BeatWidth  ///< Bits of a word; the highest says that it is the last one.
) (
    input  logic                        clk_i,
    /// Synchronous, active low.
    input  logic                        rst_ni,
    input  logic [NumSources-1:0]       valid_i,
    output logic [NumSources-1:0]       ready_o,
    input  logic [NumSources*Width-1:0] data_i,
    output logic                        valid_o,
    input  logic                        ready_i,
    output logic [Width-1:0]            data_o
);

  logic [NumSources-1:0] grant, owner_q;
  logic busy_q;

  round_robin_arbiter #(
      .NumRequests(NumSources)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i (!busy_q),
      .request_i(valid_i),
      .grant_o  (grant)
  );

  always_comb begin
    data_o = '0;
    for (int i = 0; i < NumSources; i++) if (owner_q[i]) data_o = data_o | data_i[i*Width+:Width];
  end
  assign valid_o = busy_q && (valid_i & owner_q) != '0;
  assign ready_o = busy_q && ready_i ? owner_q : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      owner_q <= '0;
    end else if (!busy_q) begin
      busy_q <= grant != '0;
      owner_q <= grant;
    end else if (valid_o && ready_i && data_o[Width-1]) busy_q <= 1'b0;
  end

endmodule

