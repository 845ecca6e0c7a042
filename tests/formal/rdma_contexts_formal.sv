// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// rdma_contexts: no two contexts are of one channel, the one that is found is the one that is looked for, and none is given up with writes in flight, as long as
/// its user begins contexts where it is told to and does nothing else in a cycle that it calls quiet.
module rdma_contexts_formal (
    input logic        clk_i,
    input logic [27:0] time_i,
    input logic [15:0] lifetime_i,
    input logic [32:0] key_i,
    input logic [1:0]  owner_i,
    input logic        begin_i,
    input logic [11:0] begin_transfer_i,
    input logic        use_i,
    input logic        begin_block_i,
    input logic        over_i,
    input logic        issue_i,
    input logic        due_i,
    input logic        result_i,
    input logic        quiet_i
);

  localparam int unsigned N = 4;

  logic rst_q = 1'b0;
  always_ff @(posedge clk_i) rst_q <= 1'b1;

  logic ready, idle, hit, space, found, offered, retire;
  logic [1:0] index, sweep;
  logic [11:0] found_transfer, transfer;
  logic [31:0] own_key;
  logic [4:0] writes;
  logic [N-1:0] valid, over;
  logic [33*N-1:0] keys;
  logic [5*N-1:0] all_writes;

  rdma_contexts #(
      .NumContexts(N)
  ) i_dut (
      .clk_i,
      .rst_ni          (rst_q),
      .time_i,
      .lifetime_i,
      .ready_o         (ready),
      .idle_o          (idle),
      .key_i,
      .hit_o           (hit),
      .space_o         (space),
      .index_o         (index),
      .found_o         (found),
      .found_transfer_o(found_transfer),
      .owner_i,
      .own_key_o       (own_key),
      .transfer_o      (transfer),
      .writes_o        (writes),
      .begin_i,
      .begin_transfer_i,
      .use_i,
      .begin_block_i,
      .over_i,
      .issue_i,
      .due_i,
      .result_i,
      .quiet_i,
      .formal_valid_o  (valid),
      .formal_over_o   (over),
      .formal_key_o    (keys),
      .formal_writes_o (all_writes),
      .formal_sweep_o  (sweep),
      .formal_offered_o(offered),
      .formal_retire_o (retire)
  );

  logic [N-1:0] busy, busy_q;  ///< Contexts with writes in flight, now and an edge ago.
  always_comb begin
    for (int c = 0; c < N; c++) busy[c] = all_writes[5*c+:5] != 5'd0;
  end
  logic known_q = 1'b0;
  always_ff @(posedge clk_i) begin
    known_q <= rst_q;
    busy_q <= busy;
  end

  always_comb begin
    if (rst_q) begin
      if (begin_i) assume (owner_i == index && (hit || space));
      if (quiet_i) assume (!begin_i && !use_i && !begin_block_i && !over_i && !issue_i && !due_i && !result_i);
      // Writes are of contexts that there are, and as many answers come.
      if (issue_i || due_i || result_i) assume ((valid[owner_i] || begin_i) && writes < 5'd30);
      if (result_i) assume (writes != '0);

      for (int c = 1; c < N; c++) begin
        for (int d = 0; d < c; d++) assert (!(valid[c] && valid[d] && keys[33*c+:33] == keys[33*d+:33]));
      end
      if (hit) assert (valid[index] && keys[33*index+:33] == key_i);
      if (!hit && space) assert (!valid[index]);
      assert ((busy & ~valid) == 4'd0);
      assert (!known_q || (busy_q & ~valid) == 4'd0);
      if (offered) assert (valid[sweep] && over[sweep] && all_writes[5*sweep+:5] == '0);
      if (retire) assert (offered);
    end
  end

endmodule
