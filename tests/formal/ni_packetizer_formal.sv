// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// ni_packetizer: whatever the host, the network and the sender do, a channel's message ends by its own answer or by the end of its patience and never otherwise,
/// its number changes with its doorbell only, and it stands in the sender's queue exactly as often as its record says. One channel stands for all.
module ni_packetizer_formal (
    input logic        clk_i,
    input logic [31:0] time_i,
    input logic [15:0] timeout_i,
    input logic [3:0]  prescale_i,
    input logic [3:0]  retry_limit_i,
    input logic [63:0] enable_i,
    input logic        host_valid_i,
    input logic        host_write_i,
    input logic [7:0]  host_channel_i,
    input logic [6:0]  host_bytes_i,
    input logic        answer_valid_i,
    input logic        answer_nack_i,
    input logic [31:0] answer_tag_i,
    input logic        send_take_i
);

  logic rst_q = 1'b0;
  always_ff @(posedge clk_i) rst_q <= 1'b1;

  (* anyconst *) logic [7:0] one;

  logic ready, idle, host_done, host_error, send_valid, send_taken, send_go, push;
  logic [63:0] host_data;
  logic [7:0] send_channel;
  logic [23:0] send_sequence;
  logic [6:0] send_bytes;
  logic [5:0] count;
  logic [54:0] record;
  logic [8:0] cleared;

  ni_packetizer i_dut (
      .clk_i,
      .rst_ni          (rst_q),
      .ready_o         (ready),
      .time_i,
      .idle_o          (idle),
      .timeout_i,
      .prescale_i,
      .retry_limit_i,
      .enable_i,
      .host_valid_i,
      .host_write_i,
      .host_channel_i,
      .host_bytes_i,
      .host_done_o     (host_done),
      .host_error_o    (host_error),
      .host_data_o     (host_data),
      .answer_valid_i,
      .answer_nack_i,
      .answer_tag_i,
      .send_valid_o    (send_valid),
      .send_channel_o  (send_channel),
      .send_take_i,
      .send_taken_o    (send_taken),
      .send_go_o       (send_go),
      .send_sequence_o (send_sequence),
      .send_bytes_o    (send_bytes),
      .count_o         (count),
      .formal_channel_i(one),
      .formal_record_o (record),
      .formal_push_o   (push),
      .formal_cleared_o(cleared)
  );

  // The record, its fields, and what they were an edge ago.
  logic [2:0] state, state_q;
  logic queued;
  logic [23:0] number, number_q;
  logic [3:0] retries, retries_q, limit_q;
  logic [15:0] deadline;
  logic [6:0] bytes;
  assign {bytes, deadline, retries, number, queued, state} = record;

  // What happened at that edge.
  logic known_q = 1'b0;
  logic rung_q, answered_q, nack_q, waited_q;
  logic [1:0] queue_q;  ///< Entries of this channel in the queue.

  always_ff @(posedge clk_i) begin
    known_q <= rst_q && ready;
    state_q <= state;
    number_q <= number;
    retries_q <= retries;
    limit_q <= retry_limit_i;
    rung_q <= host_valid_i && host_write_i && !host_done && !answer_valid_i && host_channel_i == one && host_bytes_i <= 7'd64 && enable_i[one[7:2]];
    answered_q <= answer_valid_i && answer_tag_i[7:0] == one && answer_tag_i[31:8] == number;
    nack_q <= answer_nack_i;
    waited_q <= rst_q && ready && host_valid_i && !host_done && !answer_valid_i;
    if (!rst_q) queue_q <= '0;
    else queue_q <= queue_q + {1'b0, push} - {1'b0, send_taken && send_channel == one};
  end

  always_comb begin
    if (rst_q) begin
      // The queue gives what was put into it: fifo_formal.
      if (send_valid && send_channel == one) assume (queue_q != '0);

      assert (cleared <= 9'd256);
      if (!ready) assert (queue_q == '0);
      if (!ready && cleared > {1'b0, one}) assert (record == '0);
      if (ready) begin
        assert (state <= ni_pkg::StateTimedOut);
        assert (bytes <= 7'd64);
        assert (queue_q == {1'b0, queued});
      end
      // The host waits for the network alone.
      if (waited_q) assert (host_done);
      if (known_q) begin
        if (number != number_q) assert (rung_q && number == number_q + 24'd1 && state_q != ni_pkg::StateOngoing && state == ni_pkg::StateOngoing);
        if (state != state_q) begin
          if (state == ni_pkg::StateOngoing) assert (rung_q && number == number_q + 24'd1);
          else assert (state_q == ni_pkg::StateOngoing);
          if (state == ni_pkg::StateIdle) assert (1'b0);
          if (state == ni_pkg::StateAcked) assert (answered_q && !nack_q);
          if (state == ni_pkg::StateNacked) assert (answered_q && nack_q);
          if (state == ni_pkg::StateTimedOut) assert (retries_q == limit_q);
        end
        if (retries != retries_q) assert (retries == (rung_q ? 4'd0 : retries_q + 4'd1));
      end
    end
  end

endmodule
