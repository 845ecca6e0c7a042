// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Joins two streams of whole packets, packet by packet, in turns if both have one. The length in the header frames a packet.
/// There is no register between input and output.
module packet_merge (
    input  logic                                 clk_i,
    /// Synchronous, active low.
    input  logic                                 rst_ni,
    /// Words of packets, stream 0 in the low part; taken at an edge where both valid and ready are high. Within a packet valid stays.
    input  logic [1:0]                           valid_i,
    input  logic [2*exanet_pkg::DataWidth-1:0]   data_i,
    output logic [1:0]                           ready_o,
    /// Words of both streams, one packet after the other.
    output logic                                 valid_o,
    output logic [exanet_pkg::DataWidth-1:0]     data_o,
    input  logic                                 ready_i
);

  logic busy_q, owner_q, owner, take, last;
  logic [exanet_pkg::LengthWidth-1:0] length, left_q;

  assign owner = busy_q ? owner_q : valid_i == 2'b11 ? !owner_q : valid_i[1];
  assign valid_o = valid_i[owner];
  assign data_o = owner ? data_i[exanet_pkg::DataWidth+:exanet_pkg::DataWidth] : data_i[0+:exanet_pkg::DataWidth];
  assign ready_o = owner ? {ready_i, 1'b0} : {1'b0, ready_i};
  assign take = valid_o && ready_i;
  assign length = exanet_pkg::packet_words(data_o[ni_pkg::PayloadBytesLow+:9]);
  assign last = busy_q && left_q == exanet_pkg::LengthWidth'(1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      // After reset stream 0 comes first.
      owner_q <= 1'b1;
      left_q <= '0;
    end else if (take) begin
      busy_q <= !last;
      owner_q <= owner;
      left_q <= busy_q ? left_q - 1'b1 : length - 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!busy_q || valid_o) else $error("a sender stopped within a packet");
  end
`endif

endmodule

