// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Two AXI write masters share one port. Bursts are not mixed: the next one is granted when address and last word of the one before have been taken. All
/// bursts have one ID, so responses come in order, and each goes to the master of its burst. A master whose port is free is not delayed.
module axi_write_mux #(
    parameter int unsigned AddrWidth = 39,
    parameter int unsigned DataWidth = 128,
    parameter int unsigned UserWidth = 19,
    /// Bursts of both in flight; a power of two.
    parameter int unsigned MaxBursts = 32
) (
    input  logic                     clk_i,
    /// Synchronous, active low.
    input  logic                     rst_ni,
    /// No burst is at work or in flight.
    output logic                     idle_o,

    /// The masters: bit, or slice, m is that of master m. Their `bready` is always high. A master offers a burst's words together with its address or later,
    /// and nothing of the next burst before both have been taken.
    input  logic [1:0]               awvalid_i,
    output logic [1:0]               awready_o,
    input  logic [2*AddrWidth-1:0]   awaddr_i,
    input  logic [15:0]              awlen_i,
    input  logic [2*UserWidth-1:0]   awuser_i,
    input  logic [1:0]               wvalid_i,
    output logic [1:0]               wready_o,
    input  logic [2*DataWidth-1:0]   wdata_i,
    input  logic [DataWidth/4-1:0]   wstrb_i,
    input  logic [1:0]               wlast_i,
    output logic [1:0]               bvalid_o,
    output logic [1:0]               bresp_o,

    /// The port.
    output logic                     awvalid_o,
    input  logic                     awready_i,
    output logic [AddrWidth-1:0]     awaddr_o,
    output logic [7:0]               awlen_o,
    output logic [UserWidth-1:0]     awuser_o,
    output logic                     wvalid_o,
    input  logic                     wready_i,
    output logic [DataWidth-1:0]     wdata_o,
    output logic [DataWidth/8-1:0]   wstrb_o,
    output logic                     wlast_o,
    input  logic                     bvalid_i,
    output logic                     bready_o,
    input  logic [1:0]               bresp_i
);

  logic busy_q, owner_q, address_taken_q, words_taken_q;
  logic owner, granted, free, address_taken, words_taken, finished, of;
  logic in_flight;

  // Between two bursts the other master goes first.
  assign owner = busy_q ? owner_q : awvalid_i[!owner_q] ? !owner_q : owner_q;
  assign granted = busy_q || (awvalid_i[owner] && free);

  assign awvalid_o = granted && awvalid_i[owner] && !address_taken_q;
  assign awaddr_o = owner ? awaddr_i[AddrWidth+:AddrWidth] : awaddr_i[0+:AddrWidth];
  assign awlen_o = owner ? awlen_i[15:8] : awlen_i[7:0];
  assign awuser_o = owner ? awuser_i[UserWidth+:UserWidth] : awuser_i[0+:UserWidth];
  assign wvalid_o = granted && wvalid_i[owner] && !words_taken_q;
  assign wdata_o = owner ? wdata_i[DataWidth+:DataWidth] : wdata_i[0+:DataWidth];
  assign wstrb_o = owner ? wstrb_i[DataWidth/8+:DataWidth/8] : wstrb_i[0+:DataWidth/8];
  assign wlast_o = wlast_i[owner];
  assign bready_o = 1'b1;

  always_comb begin
    awready_o = '0;
    wready_o = '0;
    bvalid_o = '0;
    awready_o[owner] = granted && !address_taken_q && awready_i;
    wready_o[owner] = granted && !words_taken_q && wready_i;
    bvalid_o[of] = bvalid_i;
  end
  assign bresp_o = bresp_i;

  assign address_taken = address_taken_q || (awvalid_o && awready_i);
  assign words_taken = words_taken_q || (wvalid_o && wready_i && wlast_o);
  assign idle_o = !busy_q && !in_flight;
  assign finished = granted && address_taken && words_taken;

  // Whose bursts wait for their responses.
  stream_fifo #(
      .Width(1),
      .Depth(MaxBursts)
  ) i_owners (
      .clk_i,
      .rst_ni,
      .valid_i(finished),
      .ready_o(free),
      .data_i (owner),
      .valid_o(in_flight),
      .ready_i(bvalid_i),
      .data_o (of)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      owner_q <= 1'b0;
      address_taken_q <= 1'b0;
      words_taken_q <= 1'b0;
    end else begin
      busy_q <= granted && !finished;
      if (granted) owner_q <= owner;
      address_taken_q <= address_taken && !finished;
      words_taken_q <= words_taken && !finished;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!bvalid_i || in_flight) else $error("answer to a write that was not made");
  end
`endif

endmodule
