// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Sends datagrams of its own at a set pace: 64 bits of time, 64 of a sequence number, least significant byte first, and a pattern.
module nanet_generator (
    input  logic                    clk_i,
    /// Synchronous, active low.
    input  logic                    rst_ni,
    input  logic                    enable_i,
    input  logic [63:0]             now_i,
    input  logic [10:0]             bytes_i,     ///< 16 to MaxDatagramBytes.
    input  logic [19:0]             interval_i,  ///< Cycles from the begin of a datagram to that of the next one, if there is space.
    input  logic [31:0]             count_i,     ///< Datagrams; 0 for no end.
    output logic                    valid_o,
    input  logic                    ready_i,
    output nanet_pkg::beat_t        beat_o,
    output logic [31:0]             sent_o
);

  logic        busy_q, last;
  logic [19:0] timer_q;
  logic [10:0] left_q;
  logic [7:0]  word_q;
  logic [31:0] sent_q;
  logic [63:0] data;

  assign last = left_q <= 11'd8;
  assign valid_o = busy_q;
  assign sent_o = sent_q;
  always_comb begin
    case (word_q)
      8'd0: data = now_i;
      8'd1: data = {32'd0, sent_q};
      default: data = {8{word_q}};
    endcase
  end
  assign beat_o = {last, 1'b0, last ? nanet_pkg::keep_of(left_q[3:0]) : 8'hff, data};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || (!enable_i && !busy_q)) begin
      busy_q <= 1'b0;
      timer_q <= '0;
      sent_q <= '0;
    end else begin
      if (timer_q != '0) timer_q <= timer_q - 1'b1;
      if (busy_q && ready_i) begin
        left_q <= left_q - 11'd8;
        word_q <= word_q + 1'b1;
        if (last) begin
          busy_q <= 1'b0;
          sent_q <= sent_q + 1'b1;
        end
      end
      if (!busy_q && enable_i && timer_q == '0 && (count_i == '0 || sent_q != count_i)) begin
        busy_q <= 1'b1;
        left_q <= bytes_i;
        word_q <= '0;
        timer_q <= interval_i == '0 ? '0 : interval_i - 1'b1;
      end
    end
  end

endmodule
