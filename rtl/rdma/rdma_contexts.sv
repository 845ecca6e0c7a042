// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The contexts of the receive unit: which channels of which nodes are sending. A context is found by comparing, made when its first cell comes or its turn in
/// the queue has, and given up when it was not used for the lifetime. One whose transfer is over makes space for others and leaves its transfer in the history.
module rdma_contexts #(
    /// A power of two, at most 32.
    parameter int unsigned NumContexts = 32
) (
    input  logic              clk_i,
    /// Synchronous, active low.
    input  logic              rst_ni,
    /// The time and the lifetime in ticks.
    input  logic [27:0]       time_i,
    input  logic [15:0]       lifetime_i,
    /// The tables are clear.
    output logic              ready_o,
    /// Without input nothing happens: no context is left.
    output logic              idle_o,
    /// Who is looked for: node, channel and whether it belongs to a read. Whether there is a context, whether there is space for one, and its number. In the
    /// next cycle: whether a transfer of it is in the history, and which.
    input  logic [32:0]       key_i,
    output logic              hit_o,
    output logic              space_o,
    output logic [$clog2(NumContexts)-1:0] index_o,
    output logic              found_o,
    output logic [11:0]       found_transfer_o,
    /// The context at work: node and channel, its transfer, and its writes and notifications in flight or due.
    input  logic [$clog2(NumContexts)-1:0] owner_i,
    output logic [31:0]       own_key_o,
    output logic [11:0]       transfer_o,
    output logic [4:0]        writes_o,
    /// What becomes of it: it begins with this transfer of `key_i`, perhaps before its first block; it is used; a block begins; all of the transfer is complete.
    input  logic              begin_i,
    input  logic [11:0]       begin_transfer_i,
    input  logic              use_i,
    input  logic              begin_block_i,
    input  logic              over_i,
    /// A write more, a notification more, one less.
    input  logic              issue_i,
    input  logic              due_i,
    input  logic              result_i,
    /// Nothing else happens in this cycle.
    input  logic              quiet_i,
    /// A context is free again.
    output logic              freed_o
`ifdef FORMAL
    ,
    /// For the proofs.
    output logic [NumContexts-1:0]    formal_valid_o,
    output logic [NumContexts-1:0]    formal_over_o,
    output logic [NumContexts*33-1:0] formal_key_o,
    output logic [NumContexts*5-1:0]  formal_writes_o,
    output logic [$clog2(NumContexts)-1:0] formal_sweep_o,
    output logic                      formal_offered_o,
    output logic                      formal_retire_o
`endif
);

  localparam int unsigned IndexWidth = $clog2(NumContexts);

  logic [NumContexts-1:0]    valid_q, over_q;
  logic [NumContexts*33-1:0] key_q;
  logic [NumContexts*5-1:0]  writes_q;
  logic [11:0]               transfer_q[NumContexts];
  logic [15:0]               used_q[NumContexts];   ///< When. Half of what it counts is longer than the lifetime.
  logic [15:0]               now;
  logic [IndexWidth-1:0]     sweep_q, hit_index, free_index;
  logic                      offer, offered_q, retire, expired, history_idle, history_space;

  assign now = time_i[15:0];
  assign index_o = hit_o ? hit_index : free_index;
  assign own_key_o = key_q[33*owner_i+1+:32];
  assign transfer_o = transfer_q[owner_i];
  assign writes_o = writes_q[5*owner_i+:5];
  assign idle_o = valid_q == '0 && !offered_q && history_idle;

  always_comb begin
    hit_o = 1'b0;
    space_o = 1'b0;
    hit_index = '0;
    free_index = '0;
    for (int c = 0; c < NumContexts; c++) begin
      if (valid_q[c] && key_q[33*c+:33] == key_i) begin
        hit_o = 1'b1;
        hit_index = hit_index | IndexWidth'(c);
      end
      if (!valid_q[c]) begin
        space_o = 1'b1;
        free_index = IndexWidth'(c);
      end
    end
  end

  assign offer = quiet_i && !offered_q && valid_q[sweep_q] && over_q[sweep_q] && writes_q[5*sweep_q+:5] == '0;
  assign retire = offered_q && quiet_i && history_space;
  assign expired = writes_q[5*sweep_q+:5] == '0 && now - used_q[sweep_q] >= lifetime_i;
  assign freed_o = quiet_i && !offer && (retire || expired) && valid_q[sweep_q];

  rdma_history i_history (
      .clk_i,
      .rst_ni,
      .ready_o,
      .idle_o          (history_idle),
      .time_i,
      .lifetime_i,
      .find_key_i      (key_i),
      .found_o,
      .found_transfer_o,
      .offer_i         (offer),
      .put_key_i       (key_q[33*sweep_q+:33]),
      .put_transfer_i  (transfer_q[sweep_q]),
      .space_o         (history_space),
      .put_i           (retire)
  );

  always_ff @(posedge clk_i) begin
    if (begin_i) transfer_q[owner_i] <= begin_transfer_i;
    if (use_i) used_q[owner_i] <= now;
    if (!rst_ni) begin
      valid_q <= '0;
      over_q <= '0;
      key_q <= '0;
      writes_q <= '0;
      offered_q <= 1'b0;
      sweep_q <= '0;
    end else begin
      if (begin_i) begin
        valid_q[owner_i] <= 1'b1;
        key_q[33*owner_i+:33] <= key_i;
      end
      if (issue_i || due_i || result_i) writes_q[5*owner_i+:5] <= writes_o + {4'd0, issue_i} + {4'd0, due_i} - {4'd0, result_i};
      if (begin_i || begin_block_i) over_q[owner_i] <= 1'b0;
      else if (over_i) over_q[owner_i] <= 1'b1;
      // One context is looked at in each cycle in which nothing else happens.
      offered_q <= offer;
      if (quiet_i && !offer) begin
        if (valid_q != '0) sweep_q <= sweep_q + 1'b1;
        if (retire || expired) valid_q[sweep_q] <= 1'b0;
      end
    end
  end

`ifdef FORMAL
  assign formal_valid_o = valid_q;
  assign formal_over_o = over_q;
  assign formal_key_o = key_q;
  assign formal_writes_o = writes_q;
  assign formal_sweep_o = sweep_q;
  assign formal_offered_o = offered_q;
  assign formal_retire_o = retire;
`endif

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!result_i || writes_o != '0) else $error("more answers than writes");
    end
  end
`endif

endmodule
