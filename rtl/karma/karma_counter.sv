// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The Performance Counter: what a consumer saw since the last clear.
module karma_counter (
    input  logic                             clk_i,
    /// Synchronous, active low.
    input  logic                             rst_ni,
    input  logic                             clear_i,
    input  logic [karma_pkg::CountWidth-1:0] now_i,
    /// From the consumer.
    input  logic                             first_i,
    input  logic                             last_i,
    input  logic                             wrong_i,
    input  logic [9:0]                       payload_bytes_i,
    input  logic [karma_pkg::CountWidth-1:0] born_i,

    output karma_pkg::result_t               result_o
);

  karma_pkg::result_t result_q;
  logic [karma_pkg::CountWidth-1:0] latency, start_q;

  // The consumer's outputs are registers, so what it says happened a cycle ago.
  assign latency = now_i - born_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      result_q <= '0;
      result_q.latency_min <= '1;
      start_q <= '0;
    end else begin
      if (first_i) result_q.begun <= result_q.begun + 32'd1;
      if (last_i) begin
        result_q.packets <= result_q.packets + 32'd1;
        if (wrong_i) result_q.errors <= result_q.errors + 32'd1;
        if (result_q.packets == '0) begin
          start_q <= now_i;
        end else begin
          result_q.bytes <= result_q.bytes + 64'(payload_bytes_i);
          result_q.cycles <= now_i - start_q;
        end
        if (latency < result_q.latency_min) result_q.latency_min <= latency;
        if (latency > result_q.latency_max) result_q.latency_max <= latency;
        result_q.latency_sum <= result_q.latency_sum + 64'(latency);
      end
    end
  end

  assign result_o = result_q;

endmodule
