// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The packetizer's channels: what the host rings, what the answers say and the retransmit timers. Every channel has one record in one memory;
/// each cycle serves one event, in this order: an answer from the network, the host, the sender, the timer that looks at one channel after the other.
/// A channel is in the queue of the sender at most once (its queued bit), so the queue of 256 cannot overflow.
module ni_packetizer (
    input  logic                                clk_i,
    /// Synchronous, active low.
    input  logic                                rst_ni,
    /// Records are cleared after reset; until then nothing is served.
    output logic                                ready_o,

    /// Cycles since reset.
    input  logic [31:0]                         time_i,
    /// Without input nothing but time passes.
    output logic                                idle_o,
    /// Timeout of a copy in ticks of 2^prescale cycles, 1 to 32767; copies of a message after the first.
    input  logic [15:0]                         timeout_i,
    input  logic [3:0]                          prescale_i,
    input  logic [3:0]                          retry_limit_i,
    /// By interface: its channels may be used.
    input  logic [ni_pkg::NumInterfaces-1:0]    enable_i,

    /// The host rings a channel's doorbell (write) or reads its state; held until `host_done_o`, which comes with the result.
    input  logic                                host_valid_i,
    input  logic                                host_write_i,
    input  logic [ni_pkg::ChannelIdWidth-1:0]   host_channel_i,
    input  logic [ni_pkg::MessageBytesWidth-1:0] host_bytes_i,
    output logic                                host_done_o,
    /// The doorbell was refused: message ongoing, interface disabled, or too long.
    output logic                                host_error_o,
    /// Bits 2..0 state, 3 queued, 7..4 retries, 14..8 bytes, 39..16 sequence number.
    output logic [63:0]                         host_data_o,

    /// An answer from the network; always taken.
    input  logic                                answer_valid_i,
    input  logic                                answer_nack_i,
    input  logic [ni_pkg::TagWidth-1:0]         answer_tag_i,

    /// The next channel to send. `send_take_i` asks for it; `send_taken_o` says that it was served, and after that edge `send_go_o` (send it; else it was
    /// answered meanwhile) and what follows are valid.
    output logic                                send_valid_o,
    output logic [ni_pkg::ChannelIdWidth-1:0]   send_channel_o,
    input  logic                                send_take_i,
    output logic                                send_taken_o,
    output logic                                send_go_o,
    output logic [ni_pkg::SequenceWidth-1:0]    send_sequence_o,
    output logic [ni_pkg::MessageBytesWidth-1:0] send_bytes_o,

    /// One-cycle pulses for the counters: refused doorbells, ignored answers, timed out, nacked, acked, retransmissions (bit 5 to 0).
    output logic [5:0]                          count_o
`ifdef FORMAL
    ,
    /// One channel for the proofs: its record, whether it is queued at this edge, and the records that are cleared.
    input  logic [ni_pkg::ChannelIdWidth-1:0]   formal_channel_i,
    output logic [54:0]                         formal_record_o,
    output logic                                formal_push_o,
    output logic [8:0]                          formal_cleared_o
`endif
);

  localparam int unsigned RecordWidth = 55;

  logic [RecordWidth-1:0] records_q[ni_pkg::NumChannels];
  logic [RecordWidth-1:0] record, record_d;
  // Fields of the record that is served.
  logic [2:0] state, state_d;
  logic queued, queued_d;
  logic [23:0] sequence_number, sequence_d;
  logic [3:0] retries, retries_d;
  logic [15:0] deadline, deadline_d;
  logic [6:0] bytes, bytes_d;

  logic [7:0] channel;
  ni_pkg::message_tag_t tag;
  logic serve_answer, serve_host, serve_send, serve_scan;
  logic push, ring_ok, expired, write;
  logic [15:0] late;

  logic [8:0] init_q;  ///< Next record to clear; bit 8: done.
  logic [7:0] scan_q;
  logic [8:0] ongoing_q;  ///< Channels with a message that nobody answered yet.
  logic begins, ends;
  // Ticks: the time shifted, and what keeps it steady when the shift changes.
  logic [15:0] now, ticks, base_q;
  logic [3:0] prescale_q;
  logic host_done_q, host_error_q;
  logic [63:0] host_data_q;
  logic send_go_q;
  logic [23:0] send_sequence_q;
  logic [6:0] send_bytes_q;
  logic [5:0] count_d, count_q;
  /* verilator lint_off UNUSEDSIGNAL */
  logic queue_full;  ///< Cannot be; asserted below.
  /* verilator lint_on UNUSEDSIGNAL */

  assign ready_o = init_q[8];
  // The timer looks at channels only while there is one to look at, so that its position is the same however long nothing happened.
  assign idle_o = ready_o && ongoing_q == '0 && !send_valid_o && !host_done_q;
  assign ticks = 16'(time_i >> prescale_q);
  assign now = ticks + base_q;
  assign tag = answer_tag_i;

  always_comb begin
    serve_answer = ready_o && answer_valid_i;
    serve_host = ready_o && !serve_answer && host_valid_i && !host_done_q;
    serve_send = ready_o && !serve_answer && !serve_host && send_valid_o && send_take_i;
    serve_scan = ready_o && !serve_answer && !serve_host && !serve_send;
    if (!ready_o) channel = init_q[7:0];
    else if (serve_answer) channel = tag.channel;
    else if (serve_host) channel = host_channel_i;
    else if (serve_send) channel = send_channel_o;
    else channel = scan_q;
  end

  assign record = records_q[channel];
  assign {bytes, deadline, retries, sequence_number, queued, state} = record;

  assign ring_ok = state != ni_pkg::StateOngoing && enable_i[host_channel_i[7:2]] &&
                   host_bytes_i <= 7'(ni_pkg::MaxMessageBytes);
  // Ticks since the deadline; negative (32768 and more) before it. The timer sees each channel far more often than time wraps.
  assign late = now - deadline;
  assign expired = state == ni_pkg::StateOngoing && !queued && late < 16'h8000;

  always_comb begin
    state_d = state;
    queued_d = queued;
    sequence_d = sequence_number;
    retries_d = retries;
    deadline_d = deadline;
    bytes_d = bytes;
    push = 1'b0;
    write = 1'b0;
    count_d = '0;
    if (!ready_o) begin
      write = 1'b1;
      state_d = ni_pkg::StateIdle;
      queued_d = 1'b0;
      sequence_d = '0;
      retries_d = '0;
      deadline_d = '0;
      bytes_d = '0;
    end else if (serve_answer) begin
      if (state == ni_pkg::StateOngoing && sequence_number == tag.sequence_number) begin
        write = 1'b1;
        state_d = answer_nack_i ? ni_pkg::StateNacked : ni_pkg::StateAcked;
        count_d[1] = !answer_nack_i;
        count_d[2] = answer_nack_i;
      end else begin
        count_d[4] = 1'b1;
      end
    end else if (serve_host) begin
      if (host_write_i && ring_ok) begin
        write = 1'b1;
        state_d = ni_pkg::StateOngoing;
        sequence_d = sequence_number + 1'b1;
        retries_d = '0;
        bytes_d = host_bytes_i;
        // A copy of the message before may still be queued; its slot serves this one.
        queued_d = 1'b1;
        push = !queued;
      end else begin
        count_d[5] = host_write_i;
      end
    end else if (serve_send) begin
      write = 1'b1;
      queued_d = 1'b0;
      deadline_d = now + timeout_i;
    end else if (expired) begin
      write = 1'b1;
      if (retries == retry_limit_i) begin
        state_d = ni_pkg::StateTimedOut;
        count_d[3] = 1'b1;
      end else begin
        retries_d = retries + 1'b1;
        queued_d = 1'b1;
        push = 1'b1;
        count_d[0] = 1'b1;
      end
    end
  end

  assign begins = ready_o && state != ni_pkg::StateOngoing && state_d == ni_pkg::StateOngoing;
  assign ends = ready_o && state == ni_pkg::StateOngoing && state_d != ni_pkg::StateOngoing;
  assign record_d = {bytes_d, deadline_d, retries_d, sequence_d, queued_d, state_d};

  always_ff @(posedge clk_i) begin
    if (write) records_q[channel] <= record_d;
  end

  fifo #(
      .Width(ni_pkg::ChannelIdWidth),
      .Depth(ni_pkg::NumChannels)
  ) i_queue (
      .clk_i,
      .rst_ni,
      .push_i (push),
      .data_i (channel),
      .full_o (queue_full),
      .valid_o(send_valid_o),
      .data_o (send_channel_o),
      .pop_i  (serve_send),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q <= '0;
      scan_q <= '0;
      base_q <= '0;
      prescale_q <= 4'd4;
      ongoing_q <= '0;
      host_done_q <= 1'b0;
      host_error_q <= 1'b0;
      host_data_q <= '0;
      send_go_q <= 1'b0;
      send_sequence_q <= '0;
      send_bytes_q <= '0;
      count_q <= '0;
    end else begin
      if (!ready_o) init_q <= init_q + 1'b1;
      if (serve_scan && ongoing_q != '0) scan_q <= scan_q + 1'b1;
      ongoing_q <= ongoing_q + {8'd0, begins} - {8'd0, ends};
      prescale_q <= prescale_i;
      base_q <= now - 16'(time_i >> prescale_i);
      host_done_q <= serve_host;
      if (serve_host) begin
        host_error_q <= host_write_i && !ring_ok;
        host_data_q <= {24'd0, sequence_number, 1'b0, bytes, retries, queued, state};
      end
      if (serve_send) begin
        send_go_q <= state == ni_pkg::StateOngoing;
        send_sequence_q <= sequence_number;
        send_bytes_q <= bytes;
      end
      count_q <= count_d;
    end
  end

  assign host_done_o = host_done_q;
  assign host_error_o = host_error_q;
  assign host_data_o = host_data_q;
  assign send_taken_o = serve_send;
  assign send_go_o = send_go_q;
  assign send_sequence_o = send_sequence_q;
  assign send_bytes_o = send_bytes_q;
  assign count_o = count_q;

`ifdef FORMAL
  assign formal_record_o = records_q[formal_channel_i];
  assign formal_push_o = push && channel == formal_channel_i;
  assign formal_cleared_o = init_q;
`endif

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && ready_o) begin
      assert (!push || !queue_full) else $error("a channel is queued twice");
      assert (!serve_send || queued) else $error("a queued channel without its mark");
      assert (ongoing_q <= 9'd256) else $error("more channels than there are");
      assert (state <= ni_pkg::StateTimedOut) else $error("state that does not exist");
    end
  end
`endif

endmodule
