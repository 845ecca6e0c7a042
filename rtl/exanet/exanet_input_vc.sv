// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// One VC of an input port: buffers words, routes the packet at the head and follows it out. Packets are framed by the length in their header;
/// a word that cannot begin a packet where one must begin is dropped, so that bad input never blocks the router for good.
module exanet_input_vc #(
    /// Bits of a word: 128, 256 or 512. Header and footer are the low 128 bits of a word of their own.
    parameter int unsigned DataWidth = exanet_pkg::DataWidth,
    /// Buffer size in words.
    parameter int unsigned BufferWords = 64,
    /// Which VC this is: the packet keeps it where it leaves through the tile.
    parameter bit Vc = 1'b0,
    /// Entries of the route table, by destination node: 0 (none) to 1024.
    parameter int unsigned RouteTableEntries = 0,
    /// Ports of the router.
    parameter int unsigned NumPorts = 7,
    localparam int unsigned ByteWidth = $clog2(DataWidth / 8),
    localparam int unsigned InputIdWidth = $clog2(NumPorts) + 1,
    localparam int unsigned RouteWidth = InputIdWidth + 1
) (
    input  logic                                     clk_i,
    /// Synchronous, active low.
    input  logic                                     rst_ni,
    /// Own coordinates and lattice sizes minus one, X in the low byte; constant.
    input  logic [23:0]                              here_i,
    input  logic [23:0]                              last_i,
    /// Packets are routed by the table, not by coordinates; constant. Only with a table.
    input  logic                                     table_enable_i,
    /// Writes an entry of the table.
    input  logic                                     table_we_i,
    input  logic [exanet_pkg::TableAddressWidth-1:0] table_address_i,
    input  logic [RouteWidth-1:0]                    table_data_i,
    /// Output ports that exist; constant.
    input  logic [NumPorts-1:0]                      port_enable_i,
    /// The word from the link.
    input  logic                                     push_i,
    input  logic                                     sop_i,
    input  logic                                     eop_i,
    input  logic [DataWidth-1:0]                     data_i,
    /// A routed packet waits for the output VC `want_o` (2 * port + vc); it is `length_o` words long.
    output logic                                     waiting_o,
    output logic [InputIdWidth-1:0]                  want_o,
    output logic [exanet_pkg::LengthStride-1:0]      length_o,
    /// A packet is routed to `want_o`, granted or not; this many words are buffered, of it and of those behind it.
    output logic                                     routed_o,
    output logic [exanet_pkg::CreditWidth-1:0]       count_o,
    /// The output VC is granted.
    input  logic                                     grant_i,
    /// The oldest word, and whether it is the packet's first or last.
    output logic                                     valid_o,
    output logic [DataWidth-1:0]                     data_o,
    output logic                                     first_o,
    output logic                                     last_o,
    /// The output port takes the oldest word.
    input  logic                                     pop_i,
    /// Words of buffer that are free again and not yet returned; `return_i` returns them all.
    output logic [exanet_pkg::CreditWidth-1:0]       pending_o,
    input  logic                                     return_i,
    /// Sticky: words were lost or dropped, or the flags do not frame what the header says.
    output logic                                     error_o
);

  logic head_sop, head_eop, full;
  logic [$clog2(BufferWords):0] count;
  logic drop;
  // The router needs only some fields of the header.
  /* verilator lint_off UNUSEDSIGNAL */
  exanet_pkg::header_t header;
  /* verilator lint_on UNUSEDSIGNAL */
  // Valid, output port, output VC.
  logic [RouteWidth-1:0] route, table_route;
  logic [4:0] torus_route;
  logic by_table;

  logic routed_q, granted_q, first_q, error_q;
  logic [InputIdWidth-1:0] want_q;
  logic [exanet_pkg::LengthWidth-1:0] length;  ///< The packet at the head has so many words.
  logic [exanet_pkg::LengthWidth-1:0] length_q;
  logic [exanet_pkg::LengthWidth-1:0] left_q;  ///< Words of the packet that are still to leave.
  logic [exanet_pkg::CreditWidth-1:0] pending_q;
  logic [exanet_pkg::CreditWidth-1:0] pending_d;

  fifo #(
      .Width(DataWidth + 2),
      .Depth(BufferWords)
  ) i_fifo (
      .clk_i,
      .rst_ni,
      .push_i (push_i && !full),
      .data_i ({sop_i, eop_i, data_i}),
      .full_o (full),
      .valid_o,
      .data_o ({head_sop, head_eop, data_o}),
      .pop_i  (pop_i || drop),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      /* verilator lint_on PINCONNECTEMPTY */
      .count_o(count)
  );

  assign header = data_o[exanet_pkg::HeaderWidth-1:0];
  assign length = exanet_pkg::LengthWidth'(header.payload_bytes[8:ByteWidth]) + {4'd0, |header.payload_bytes[ByteWidth-1:0]} + 5'd2;
  assign waiting_o = routed_q && !granted_q;
  assign want_o = want_q;
  assign routed_o = routed_q;
  assign count_o = exanet_pkg::CreditWidth'(count);
  assign length_o = {3'd0, length_q};
  assign first_o = first_q;
  assign last_o = left_q == 5'd1;
  assign pending_o = pending_q;
  assign error_o = error_q;

  // A copy of the table for each input VC: all of them look at the same time, and the output may depend on where a packet came from.
  if (RouteTableEntries > 0) begin : gen_table
    exanet_route_table #(
        .Entries   (RouteTableEntries),
        .RouteWidth(RouteWidth)
    ) i_table (
        .clk_i,
        .we_i         (table_we_i),
        .address_i    (table_address_i),
        .data_i       (table_data_i),
        .destination_i(header.destination),
        .route_o      (table_route)
    );
    assign by_table = table_enable_i;
  end else begin : gen_no_table
    logic unused_table;
    assign unused_table = &{1'b0, table_enable_i, table_we_i, table_address_i, table_data_i};
    assign table_route = '0;
    assign by_table = 1'b0;
  end

  always_comb begin
    torus_route = '0;
    route = '0;
    drop = 1'b0;
    if (!routed_q && valid_o) begin
      torus_route = exanet_pkg::route(header.coordinates, header.ties[2:0], here_i, last_i, Vc);
      route = by_table ? table_route : {torus_route[4], InputIdWidth'(torus_route[3:0])};
      drop = !head_sop || header.payload_bytes > 10'd256 || !route[RouteWidth-1] || !port_enable_i[route[InputIdWidth-1:1]];
    end
  end

  always_comb begin
    pending_d = return_i ? '0 : pending_q;
    if (pop_i && last_o) pending_d = pending_d + {3'd0, length_q};
    if (drop) pending_d = pending_d + 8'd1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      routed_q <= 1'b0;
      granted_q <= 1'b0;
      first_q <= 1'b0;
      error_q <= 1'b0;
      want_q <= '0;
      length_q <= '0;
      left_q <= '0;
      pending_q <= '0;
    end else begin
      pending_q <= pending_d;
      // The word is lost.
      if (push_i && full) error_q <= 1'b1;
      if (!routed_q && valid_o) begin
        if (drop) begin
          error_q <= 1'b1;
        end else begin
          routed_q <= 1'b1;
          first_q <= 1'b1;
          want_q <= route[InputIdWidth-1:0];
          length_q <= length;
          left_q <= length;
        end
      end
      if (grant_i) granted_q <= 1'b1;
      if (pop_i) begin
        first_q <= 1'b0;
        left_q <= left_q - 1'b1;
        if (last_o) begin
          routed_q <= 1'b0;
          granted_q <= 1'b0;
        end
        if (head_sop != first_q || head_eop != last_o) error_q <= 1'b1;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!grant_i || waiting_o) else $error("grant without a waiting packet");
      assert (!pop_i || granted_q) else $error("word taken from a packet that is not granted");
      assert (!routed_q || left_q != '0) else $error("routed packet without words");
    end
  end
`endif

endmodule
