// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The blocks that the send unit has at work, two for each slot, and their timers. A block is sent, waits for its answer or waits to be repeated; in none of
/// these states it is free. One timer is looked at in each cycle in which there is any.
module rdma_block_table (
    input  logic              clk_i,
    /// Synchronous, active low.
    input  logic              rst_ni,
    /// The time, and what is added to it for the deadlines of `to_wait_i` and `to_back_i`, in ticks. A block that is queued at the other node waits for eight
    /// timeouts, but not so long that a deadline could be mistaken for one that is over.
    input  logic [15:0]       now_i,
    input  logic [15:0]       timeout_i,
    input  logic [15:0]       backoff_i,
    /// The block that is looked at: slot and side.
    input  logic [4:0]        index_i,
    output rdma_pkg::send_block_t block_o,
    /// It is not free; it waits for its answer; it waits to be repeated; its deadline is over.
    output logic              active_o,
    output logic              waits_o,
    output logic              back_o,
    output logic              expired_o,
    /// The other block of the slot is not free.
    output logic              other_active_o,
    /// Changes of the block; at most one of the states. `clear_slot_i` frees both blocks of the slot.
    input  logic              write_i,
    input  rdma_pkg::send_block_t block_i,
    input  logic              to_send_i,
    input  logic              to_wait_i,
    input  logic              queued_i,
    input  logic              to_back_i,
    input  logic              to_free_i,
    input  logic              clear_slot_i,
    /// Blocks with cells to send.
    output logic [rdma_pkg::NumEntries-1:0] sending_o,
    /// A block whose time seems to be over; looked for again with `timer_taken_i`.
    output logic              timer_valid_o,
    output logic [4:0]        timer_index_o,
    input  logic              timer_taken_i
);

  localparam int unsigned NumEntries = rdma_pkg::NumEntries;

  logic [NumEntries-1:0] send_q, wait_q, back_q;
  logic [rdma_pkg::SendBlockWidth-1:0] blocks_q[NumEntries];
  logic [15:0] deadline_q[NumEntries];
  logic [4:0]  sweep_q, expired_index_q, other;
  logic        expired_q;
  logic [15:0] patience;

  assign patience = timeout_i[15:12] != '0 ? 16'h7fff : {timeout_i[12:0], 3'd0};
  assign other = index_i ^ 5'd1;
  assign block_o = blocks_q[index_i];
  assign active_o = send_q[index_i] || wait_q[index_i] || back_q[index_i];
  assign waits_o = wait_q[index_i];
  assign back_o = back_q[index_i];
  assign expired_o = 16'(now_i - deadline_q[index_i]) < 16'h8000;
  assign other_active_o = send_q[other] || wait_q[other] || back_q[other];
  assign sending_o = send_q;
  assign timer_valid_o = expired_q;
  assign timer_index_o = expired_index_q;

  always_ff @(posedge clk_i) begin
    if (write_i) blocks_q[index_i] <= block_i;
    if (to_wait_i || to_back_i) deadline_q[index_i] <= now_i + (to_back_i ? backoff_i : queued_i ? patience : timeout_i);
    if (!rst_ni) begin
      send_q <= '0;
      wait_q <= '0;
      back_q <= '0;
      sweep_q <= '0;
      expired_q <= 1'b0;
      expired_index_q <= '0;
    end else begin
      if (to_send_i || to_wait_i || to_back_i || to_free_i) begin
        send_q[index_i] <= to_send_i;
        wait_q[index_i] <= to_wait_i;
        back_q[index_i] <= to_back_i;
      end
      if (clear_slot_i) begin
        send_q[{index_i[4:1], 1'b0}+:2] <= '0;
        wait_q[{index_i[4:1], 1'b0}+:2] <= '0;
        back_q[{index_i[4:1], 1'b0}+:2] <= '0;
      end
      if ((wait_q | back_q) != '0) sweep_q <= sweep_q + 1'b1;
      if (timer_taken_i) begin
        expired_q <= 1'b0;
      end else if (!expired_q && (wait_q[sweep_q] || back_q[sweep_q]) && 16'(now_i - deadline_q[sweep_q]) < 16'h8000) begin
        expired_q <= 1'b1;
        expired_index_q <= sweep_q;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert ((send_q & wait_q) == '0 && (send_q & back_q) == '0 && (wait_q & back_q) == '0) else $error("a block in two states");
    end
  end
`endif

endmodule
