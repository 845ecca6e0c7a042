// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Keeps words of datagrams to send and takes them apart, so that the memory serves other ports while this one sends.
module nanet_unpacker #(
    /// Words that wait; a power of two.
    parameter int unsigned Depth = 64
) (
    input  logic                    clk_i,
    /// Synchronous, active low.
    input  logic                    rst_ni,
    input  logic                    valid_i,
    output logic                    ready_o,
    input  nanet_pkg::wide_t        wide_i,
    output logic                    valid_o,
    input  logic                    ready_i,
    output nanet_pkg::beat_t        beat_o,
    output nanet_pkg::destination_t destination_o
);

  nanet_pkg::wide_t wide;
  logic full, high_q, ends, taken;
  logic [4:0] left;

  fifo #(
      .Width(nanet_pkg::WideWidth),
      .Depth(Depth)
  ) i_words (
      .clk_i,
      .rst_ni,
      .push_i (valid_i && ready_o),
      .data_i (wide_i),
      .full_o (full),
      .valid_o(valid_o),
      .data_o (wide),
      .pop_i  (taken && ends),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );
  assign ready_o = !full;
  assign taken = valid_o && ready_i;
  assign left = high_q ? wide.bytes - 5'd8 : wide.bytes;
  assign ends = left <= 5'd8;
  assign destination_o = wide.destination;
  assign beat_o = {
    wide.last && ends, wide.last && ends && wide.error, left >= 5'd8 ? 8'hff : nanet_pkg::keep_of(left[3:0]), high_q ? wide.data[127:64] : wide.data[63:0]
  };

  always_ff @(posedge clk_i) begin
    if (!rst_ni) high_q <= 1'b0;
    else if (taken) high_q <= !ends;
  end

endmodule
