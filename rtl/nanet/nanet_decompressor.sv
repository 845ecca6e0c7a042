// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The hook for decompression between receiver and transmission control: puts the words of a datagram together to words of 128 bits. With `widen_i` each
/// 16-bit word of it, least significant byte first, becomes one of 32 bits. Another decompressor has the same ports; nanet_tcl must know how many bytes it makes.
module nanet_decompressor (
    input  logic              clk_i,
    /// Synchronous, active low.
    input  logic              rst_ni,
    /// Constant for a datagram.
    input  logic              widen_i,
    input  logic              valid_i,
    output logic              ready_o,
    input  nanet_pkg::beat_t  beat_i,
    output logic              valid_o,
    input  logic              ready_i,
    output logic              last_o,
    output logic              error_o,
    output logic [127:0]      data_o
);

  logic         valid_q, last_q, error_q, half_q, take, complete;
  logic [63:0]  low_q, kept;
  logic [127:0] data_q, wide;

  always_comb begin
    for (int i = 0; i < 8; i++) kept[8*i+:8] = beat_i.keep[i] ? beat_i.data[8*i+:8] : 8'd0;
  end
  assign wide = {16'd0, kept[63:48], 16'd0, kept[47:32], 16'd0, kept[31:16], 16'd0, kept[15:0]};
  assign ready_o = !valid_q || ready_i;
  assign take = valid_i && ready_o;
  assign complete = widen_i || half_q || beat_i.last;
  assign valid_o = valid_q;
  assign last_o = last_q;
  assign error_o = error_q;
  assign data_o = data_q;

  always_ff @(posedge clk_i) begin
    if (take) begin
      low_q <= kept;
      data_q <= widen_i ? wide : half_q ? {kept, low_q} : {64'd0, kept};
      last_q <= beat_i.last;
      error_q <= beat_i.error;
    end
    if (!rst_ni) begin
      valid_q <= 1'b0;
      half_q <= 1'b0;
    end else begin
      if (ready_o) valid_q <= take && complete;
      if (take) half_q <= !complete;
    end
  end

endmodule
