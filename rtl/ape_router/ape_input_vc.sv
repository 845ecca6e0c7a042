// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// One VC of an input port: headers, payload and footers in a FIFO each, so that the next packet is routed and gets its output while the one
/// before is still leaving. Packets leave in order, each with all its words.
module ape_input_vc #(
    parameter int unsigned IntraPorts = 3,
    parameter int unsigned InterPorts = 2,
    parameter int unsigned DataWidth = 128,
    parameter int unsigned MaxPayload = 512,
    /// Entries of the header and footer FIFOs and of the payload FIFO.
    parameter int unsigned HeaderDepth = 128,
    parameter int unsigned PayloadDepth = 1024,
    /// Which VC this is.
    parameter bit Vc = 1'b0,
    /// Output ports to which this input may send.
    parameter bit [IntraPorts+InterPorts-1:0] Outputs = {(IntraPorts+InterPorts){1'b1}},
    localparam int unsigned NumPorts = IntraPorts + InterPorts,
    localparam int unsigned IdWidth = $clog2(NumPorts) + 1
) (
    input  logic                                         clk_i,
    /// Synchronous, active low.
    input  logic                                         rst_ni,
    /// See ape_route.
    input  ape_router_pkg::place_t                       place_i,
    input  logic [5:0]                                   order_i,
    input  logic                                         vc_by_direction_i,
    /// Output ports that are in use, and whether this input port is.
    input  logic [NumPorts-1:0]                          port_enable_i,
    input  logic                                         enable_i,
    /// The word from the link.
    input  logic                                         push_i,
    input  logic                                         sop_i,
    input  logic                                         eop_i,
    input  logic [DataWidth-1:0]                         data_i,
    /// A routed packet waits for the output VC `want_o` (2 * port + vc); it has `length_o` payload words.
    output logic                                         waiting_o,
    output logic [IdWidth-1:0]                           want_o,
    output logic [ape_router_pkg::LengthWidth-1:0]       length_o,
    /// The output VC is granted.
    input  logic                                         grant_i,
    /// The next word of the packet that leaves through output VC `target_o`; the packet has at most two words left.
    output logic                                         valid_o,
    output logic [IdWidth-1:0]                           target_o,
    output logic [DataWidth-1:0]                         data_o,
    output logic                                         first_o,
    output logic                                         last_o,
    output logic                                         ending_o,
    /// The output port takes the word.
    input  logic                                         pop_i,
    /// Buffer that is free again and not yet returned; `return_i` returns it all.
    output logic [ape_router_pkg::ReturnWidth-1:0]       pending_words_o,
    output logic [ape_router_pkg::ReturnPacketWidth-1:0] pending_packets_o,
    input  logic                                         return_i,
    /// Nothing is inside.
    output logic                                         empty_o,
    /// Events, one edge each; see ape_router.
    output logic                                         dropped_route_o,
    output logic                                         dropped_disabled_o,
    output logic                                         refused_o,
    output logic                                         malformed_o,
    /// Sticky: a word was lost.
    output logic                                         error_o
);

  localparam int unsigned LengthWidth = ape_router_pkg::LengthWidth;
  localparam int unsigned HeaderWidth = ape_router_pkg::HeaderWidth;
  localparam int unsigned PortWidth = IdWidth - 1;

  // Before the FIFOs.
  logic push_header, push_payload, push_footer, footer_real, payload_full, overflow, done;
  logic free_word, free_packet;
  logic [LengthWidth-1:0] push_length, push_missing;
  // After them.
  logic header_valid, payload_valid, footer_valid, pop_header, pop_payload, pop_footer;
  logic header_empty, payload_empty, footer_empty, real_footer;
  logic [LengthWidth-1:0] header_length, missing;
  logic [HeaderWidth-1:0] footer;
  logic [DataWidth-1:0] payload;
  // The router needs only some fields of the header.
  logic [HeaderWidth-1:0] header_word;
  /* verilator lint_off UNUSEDSIGNAL */
  ape_router_pkg::header_t header;
  logic unused_full_header, unused_full_footer;
  /* verilator lint_on UNUSEDSIGNAL */
  logic route_valid, route_vc, route_enabled;
  logic [PortWidth-1:0] route_port;
  // The packet that is to leave next.
  logic routed_q, granted_q, drop_q;
  logic [IdWidth-1:0] want_q;
  logic [LengthWidth-1:0] length_q;
  logic route, want_enabled, start;
  // The packet that is leaving.
  logic active_q, discard_q, first_q;
  logic [IdWidth-1:0] target_q;
  logic [LengthWidth-1:0] left_q;   ///< Payload words that are still to leave.
  logic available, filler, take;
  logic [1:0] kind;  ///< Of the word: 0 header, 1 footer, 2 payload, 3 missing.
  // Returned every other edge at the latest, and two come at an edge at most.
  logic [3:0] pending_words_q, pending_words_d;
  logic [ape_router_pkg::ReturnPacketWidth-1:0] pending_packets_q, pending_packets_d;
  logic error_q;

  ape_framer #(
      .DataWidth  (DataWidth),
      .MaxPayload (MaxPayload),
      .HeaderDepth(HeaderDepth)
  ) i_framer (
      .clk_i,
      .rst_ni,
      .enable_i,
      .push_i,
      .sop_i,
      .eop_i,
      .payload_bytes_i (data_i[57:48]),
      .header_o        (push_header),
      .length_o        (push_length),
      .payload_o       (push_payload),
      .payload_full_i  (payload_full),
      .footer_o        (push_footer),
      .footer_real_o   (footer_real),
      .footer_missing_o(push_missing),
      .done_i          (done),
      .free_word_o     (free_word),
      .free_packet_o   (free_packet),
      .malformed_o,
      .refused_o,
      .overflow_o      (overflow)
  );

  ape_fifo #(
      .Width(HeaderWidth + LengthWidth),
      .Depth(HeaderDepth)
  ) i_headers (
      .clk_i,
      .rst_ni,
      .push_i (push_header),
      .data_i ({push_length, data_i[HeaderWidth-1:0]}),
      .full_o (unused_full_header),
      .pop_i  (pop_header),
      .valid_o(header_valid),
      .data_o ({header_length, header_word}),
      .empty_o(header_empty)
  );

  ape_fifo #(
      .Width(DataWidth),
      .Depth(PayloadDepth)
  ) i_payload (
      .clk_i,
      .rst_ni,
      .push_i (push_payload),
      .data_i,
      .full_o (payload_full),
      .pop_i  (pop_payload),
      .valid_o(payload_valid),
      .data_o (payload),
      .empty_o(payload_empty)
  );

  ape_fifo #(
      .Width(1 + LengthWidth + HeaderWidth),
      .Depth(HeaderDepth)
  ) i_footers (
      .clk_i,
      .rst_ni,
      .push_i (push_footer),
      .data_i ({footer_real, push_missing, data_i[HeaderWidth-1:0]}),
      .full_o (unused_full_footer),
      .pop_i  (pop_footer),
      .valid_o(footer_valid),
      .data_o ({real_footer, missing, footer}),
      .empty_o(footer_empty)
  );

  assign header = header_word;

  ape_route #(
      .IntraPorts(IntraPorts),
      .InterPorts(InterPorts)
  ) i_route (
      .coordinates_i(header.coordinates),
      .ties_i       (header.ties[2:0]),
      .tile_port_i  (header.tile_port),
      .vc_i         (Vc),
      .place_i,
      .order_i,
      .vc_by_direction_i,
      .valid_o      (route_valid),
      .port_o       (route_port),
      .vc_o         (route_vc)
  );

  // Ports beyond the last never come here with a valid route; the loop keeps indices in range whatever the number of ports.
  logic allowed;
  always_comb begin
    allowed = 1'b0;
    route_enabled = 1'b0;
    want_enabled = 1'b0;
    for (int p = 0; p < NumPorts; p++) begin
      if (route_port == PortWidth'(p)) begin
        allowed = Outputs[p];
        route_enabled = port_enable_i[p];
      end
      if (want_q[IdWidth-1:1] == PortWidth'(p)) want_enabled = port_enable_i[p];
    end
  end

  // The header that is visible is the next packet's once the one before has sent its own.
  assign route = !routed_q && header_valid && !(active_q && first_q);
  assign dropped_route_o = route && !(route_valid && allowed);
  assign dropped_disabled_o = (route && route_valid && allowed && !route_enabled) ||
                              (routed_q && !granted_q && !drop_q && !want_enabled);
  // A packet asks no earlier than its own words can follow soon, or it would keep the output VC from others.
  assign waiting_o = routed_q && !granted_q && !drop_q && want_enabled && (!active_q || ending_o);
  assign want_o = want_q;
  assign length_o = length_q;
  assign start = routed_q && (drop_q || granted_q || grant_i) && (!active_q || done);

  // A footer that waits with words missing says that the last of the payload will never come.
  assign filler = footer_valid && left_q <= missing;
  assign available = active_q && (first_q || (left_q != '0 ? payload_valid || filler : footer_valid));
  assign valid_o = available && !discard_q;
  assign take = pop_i || (available && discard_q);
  assign target_o = target_q;
  assign first_o = first_q;
  assign last_o = !first_q && left_q == '0;
  assign ending_o = active_q && (first_q ? left_q == '0 : left_q <= LengthWidth'(1));
  assign done = take && last_o;
  assign pop_header = take && first_q;
  assign pop_payload = take && !first_q && left_q != '0 && !filler;
  assign pop_footer = done;

  // What is missing is zero. The choice is in two bits, so that a bit of the word is one table.
  assign kind[1] = !first_q && (left_q != '0 || !real_footer);
  assign kind[0] = !first_q && (left_q != '0 ? filler : 1'b1);
  assign data_o = kind[1] ? (kind[0] ? '0 : payload) : (kind[0] ? DataWidth'(footer) : DataWidth'(header_word));

  always_comb begin
    pending_words_d = return_i ? '0 : pending_words_q;
    pending_packets_d = return_i ? '0 : pending_packets_q;
    // Words at once, so that a packet with too many never waits for credits of its own.
    if (pop_payload) pending_words_d = pending_words_d + 1'b1;
    if (done) pending_packets_d = pending_packets_d + 1'b1;
    if (free_word) pending_words_d = pending_words_d + 1'b1;
    if (free_packet) pending_packets_d = pending_packets_d + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      routed_q <= 1'b0;
      granted_q <= 1'b0;
      drop_q <= 1'b0;
      want_q <= '0;
      length_q <= '0;
      active_q <= 1'b0;
      discard_q <= 1'b0;
      first_q <= 1'b0;
      target_q <= '0;
      left_q <= '0;
      pending_words_q <= '0;
      pending_packets_q <= '0;
      error_q <= 1'b0;
    end else begin
      pending_words_q <= pending_words_d;
      pending_packets_q <= pending_packets_d;
      if (overflow) error_q <= 1'b1;
      if (route) begin
        routed_q <= 1'b1;
        drop_q <= !(route_valid && allowed && route_enabled);
        want_q <= {route_port, route_vc};
        length_q <= header_length;
      end
      if (routed_q && !granted_q && !want_enabled) drop_q <= 1'b1;
      if (grant_i) granted_q <= 1'b1;
      if (take) begin
        first_q <= 1'b0;
        if (!first_q) left_q <= left_q - 1'b1;
        if (last_o) active_q <= 1'b0;
      end
      if (start) begin
        routed_q <= 1'b0;
        granted_q <= 1'b0;
        drop_q <= 1'b0;
        active_q <= 1'b1;
        first_q <= 1'b1;
        discard_q <= drop_q;
        target_q <= want_q;
        left_q <= length_q;
      end
    end
  end

  assign pending_words_o = {4'd0, pending_words_q};
  assign pending_packets_o = pending_packets_q;
  assign empty_o = header_empty && payload_empty && footer_empty && !routed_q && !active_q;
  assign error_o = error_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!grant_i || waiting_o) else $error("grant without a waiting packet");
      assert (!pop_i || valid_o) else $error("word taken that is not there");
      assert (!(active_q && first_q) || header_valid) else $error("packet without a header");
      assert (pending_words_q < 4'd12) else $error("credits pile up");
    end
  end
`endif

endmodule
