// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// One VC of an input port: payload and what must be known of each packet, header and footer words in the port's ape_control_store, so that the
/// next packet is routed and gets its output while the one before is still leaving. Packets leave in order, each with all its words.
module ape_input_vc #(
    parameter int unsigned IntraPorts = 3,
    parameter int unsigned InterPorts = 2,
    parameter int unsigned DataWidth = 128,
    parameter int unsigned MaxPayload = 512,
    /// Entries of the header and footer FIFOs and of the payload FIFO.
    parameter int unsigned HeaderDepth = 128,
    parameter int unsigned PayloadDepth = 1024,
    localparam int unsigned NumPorts = IntraPorts + InterPorts,
    localparam int unsigned IdWidth = $clog2(NumPorts) + 1,
    localparam int unsigned IndexWidth = HeaderDepth < 2 ? 1 : $clog2(HeaderDepth)
) (
    input  logic                                         clk_i,
    /// Synchronous, active low.
    input  logic                                         rst_ni,
    /// Output ports that are in use, and whether this input port is.
    input  logic [NumPorts-1:0]                          port_enable_i,
    input  logic                                         enable_i,
    /// The word from the link.
    input  logic                                         push_i,
    input  logic                                         sop_i,
    input  logic                                         eop_i,
    input  logic [DataWidth-1:0]                         data_i,
    /// If it is a header: the output VC where its packet goes, and that there is one.
    input  logic                                         route_valid_i,
    input  logic [IdWidth-1:0]                           route_i,
    /// Header and footer words in ape_control_store: the word is one of them, and which is wanted next.
    output logic                                         store_o,
    output logic                                         store_footer_o,
    output logic [IndexWidth-1:0]                        store_index_o,
    output logic                                         fetch_o,
    output logic                                         fetch_footer_o,
    output logic [IndexWidth-1:0]                        fetch_index_o,
    input  logic                                         fetch_grant_i,
    /// The word that was granted at the edge before.
    input  logic [ape_router_pkg::HeaderWidth-1:0]       fetched_i,
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
    /// Words in the buffers, two for each packet and one for each payload word, and the output port of the packet at the head, if it is known.
    output logic [ape_router_pkg::QueueWidth-1:0]        queued_o,
    output logic                                         head_valid_o,
    output logic [IdWidth-2:0]                           head_port_o,
    /// Packets in the buffers: the header has come and the footer has not left.
    output logic [ape_router_pkg::PacketsWidth-1:0]      packets_o,
    /// The packet that leaves has at least `least_i` words and may be marked.
    input  logic [ape_router_pkg::LengthWidth-1:0]       least_i,
    output logic                                         large_o,
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
  logic payload_valid, payload_empty, pop_payload, pop_control;
  // Where each packet goes and how many payload words it has; how it ends. Both stand at the packet's slot.
  (* ram_style = "distributed" *)
  logic [IdWidth+LengthWidth:0] infos_q[HeaderDepth];
  (* ram_style = "distributed" *)
  logic [LengthWidth:0] ends_q[HeaderDepth];
  logic [IndexWidth:0] headers_q, footers_q;  ///< Packets that have begun and ended; a bit more than an index tells full from empty.
  logic [IndexWidth:0] info_next_q;          ///< The next that becomes visible.
  logic info_stored, info_fetch, info_valid_q, info_route_valid_q;
  logic [LengthWidth-1:0] info_length_q;
  logic [IdWidth-1:0] info_want_q;
  logic [DataWidth-1:0] payload;
  logic info_enabled;
  // Header and footer words: each packet's header, then its footer, which comes with how the packet ends.
  logic [IndexWidth:0] fetch_q;
  logic fetch_footer_q, control_stored, control_valid_q, fresh_q, late_q, real_footer_q;
  logic [LengthWidth-1:0] missing_q;
  logic [HeaderWidth-1:0] held_q;  ///< The word that waits to leave, from the edge after it was fetched.
  // The packet that is to leave next.
  logic routed_q, granted_q, drop_q;
  logic [IdWidth-1:0] want_q;
  logic [LengthWidth-1:0] length_q;
  logic route, want_enabled, start;
  // The packet that is leaving.
  logic active_q, discard_q, first_q;
  logic [IdWidth-1:0] target_q;
  logic [LengthWidth-1:0] left_q;   ///< Payload words that are still to leave.
  logic available, filler, take, payload_ready;
  logic is_payload, is_missing;  ///< The word: payload, or zero instead of it; neither: header or footer.
  logic [1:0] choice;
  // Returned every other edge at the latest, and two come at an edge at most.
  logic [3:0] pending_words_q, pending_words_d;
  logic [ape_router_pkg::ReturnPacketWidth-1:0] pending_packets_q, pending_packets_d;
  logic error_q;
  logic [ape_router_pkg::QueueWidth-1:0] queued_q;
  logic [ape_router_pkg::PacketsWidth-1:0] packets_q;
  logic large_q;

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

  fifo #(
      .Width   (DataWidth),
      .Depth   (PayloadDepth),
      .BlockRam(1'b1)
  ) i_payload (
      .clk_i,
      .rst_ni,
      .push_i (push_payload),
      .data_i,
      .full_o (payload_full),
      .valid_o(payload_valid),
      .data_o (payload),
      .pop_i  (pop_payload),
      .empty_o(payload_empty),
      /* verilator lint_off PINCONNECTEMPTY */
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  assign store_o = push_header || (push_footer && footer_real);
  assign store_footer_o = !push_header;
  assign store_index_o = push_header ? headers_q[IndexWidth-1:0] : footers_q[IndexWidth-1:0];
  // A made-up footer is fetched as well: what it reads does not matter.
  assign control_stored = fetch_q != (fetch_footer_q ? footers_q : headers_q);
  assign fetch_o = control_stored && (!control_valid_q || pop_control);
  assign fetch_footer_o = fetch_footer_q;
  assign fetch_index_o = fetch_q[IndexWidth-1:0];
  assign info_stored = info_next_q != headers_q;
  assign info_fetch = info_stored && (!info_valid_q || route);

  // Ports beyond the last never come here with a valid route; the loop keeps indices in range whatever the number of ports.
  always_comb begin
    info_enabled = 1'b0;
    want_enabled = 1'b0;
    for (int p = 0; p < NumPorts; p++) begin
      if (info_want_q[IdWidth-1:1] == PortWidth'(p)) info_enabled = port_enable_i[p];
      if (want_q[IdWidth-1:1] == PortWidth'(p)) want_enabled = port_enable_i[p];
    end
  end

  assign route = !routed_q && info_valid_q && !(active_q && first_q);
  assign dropped_route_o = route && !info_route_valid_q;
  assign dropped_disabled_o = (route && info_route_valid_q && !info_enabled) ||
                              (routed_q && !granted_q && !drop_q && !want_enabled);
  // A packet asks no earlier than its own words can follow soon, or it would keep the output VC from others.
  assign waiting_o = routed_q && !granted_q && !drop_q && want_enabled && (!active_q || ending_o);
  assign want_o = want_q;
  assign length_o = length_q;
  assign start = routed_q && (drop_q || granted_q || grant_i) && (!active_q || done);

  // A footer that waits with words missing says that the last of the payload will never come.
  assign filler = control_valid_q && left_q <= missing_q;
  // A footer that is there, but waits for the other VC, may say that the next payload word is another packet's. No payload of another packet is there
  // earlier than a footer that is fetched as soon as it can be.
  assign payload_ready = payload_valid && !late_q;
  assign available = active_q && (!first_q && left_q != '0 ? payload_ready || filler : control_valid_q);
  assign valid_o = available && !discard_q;
  assign take = pop_i || (available && discard_q);
  assign target_o = target_q;
  assign first_o = first_q;
  assign last_o = !first_q && left_q == '0;
  assign ending_o = active_q && (first_q ? left_q == '0 : left_q <= LengthWidth'(1));
  assign done = take && last_o;
  assign pop_payload = take && !first_q && left_q != '0 && !filler;
  assign pop_control = take && (first_q || left_q == '0);

  // What is missing is zero. Two bits choose, so that a bit of the word is one table.
  assign is_payload = !first_q && (left_q != '0 || !real_footer_q);
  assign is_missing = left_q == '0 || filler;
  assign choice = {is_payload, is_payload ? is_missing : fresh_q};
  assign data_o = choice[1] ? (choice[0] ? '0 : payload) : (choice[0] ? DataWidth'(fetched_i) : DataWidth'(held_q));

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
    if (push_header) infos_q[headers_q[IndexWidth-1:0]] <= {route_valid_i, route_i, push_length};
    if (push_footer) ends_q[footers_q[IndexWidth-1:0]] <= {footer_real, push_missing};
    if (info_fetch) {info_route_valid_q, info_want_q, info_length_q} <= infos_q[info_next_q[IndexWidth-1:0]];
    if (fetch_grant_i && fetch_footer_q) {real_footer_q, missing_q} <= ends_q[fetch_q[IndexWidth-1:0]];
    if (fresh_q) held_q <= fetched_i;
    if (!rst_ni) begin
      headers_q <= '0;
      footers_q <= '0;
      info_next_q <= '0;
      info_valid_q <= 1'b0;
      fetch_q <= '0;
      fetch_footer_q <= 1'b0;
      control_valid_q <= 1'b0;
      fresh_q <= 1'b0;
      late_q <= 1'b0;
    end else begin
      if (push_header) headers_q <= headers_q + 1'b1;
      if (push_footer) footers_q <= footers_q + 1'b1;
      if (info_fetch) info_next_q <= info_next_q + 1'b1;
      info_valid_q <= info_fetch || (info_valid_q && !route);
      if (fetch_grant_i) begin
        fetch_footer_q <= !fetch_footer_q;
        if (fetch_footer_q) fetch_q <= fetch_q + 1'b1;
      end
      control_valid_q <= fetch_grant_i || (control_valid_q && !pop_control);
      fresh_q <= fetch_grant_i;
      late_q <= fetch_o && !fetch_grant_i;
    end
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
      queued_q <= '0;
      packets_q <= '0;
      large_q <= 1'b0;
    end else begin
      pending_words_q <= pending_words_d;
      pending_packets_q <= pending_packets_d;
      if (overflow) error_q <= 1'b1;
      queued_q <= queued_q + (push_header ? ape_router_pkg::QueueWidth'(2) : push_payload ? ape_router_pkg::QueueWidth'(1) : '0) -
                  (done ? ape_router_pkg::QueueWidth'(2) : pop_payload ? ape_router_pkg::QueueWidth'(1) : '0);
      packets_q <= packets_q + ape_router_pkg::PacketsWidth'(push_header) - ape_router_pkg::PacketsWidth'(done);
      if (route) begin
        routed_q <= 1'b1;
        drop_q <= !(info_route_valid_q && info_enabled);
        want_q <= info_want_q;
        length_q <= info_length_q;
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
        large_q <= {1'b0, length_q} + (LengthWidth + 1)'(2) >= {1'b0, least_i};
      end
    end
  end

  assign pending_words_o = {4'd0, pending_words_q};
  assign pending_packets_o = pending_packets_q;
  assign empty_o = !info_stored && !info_valid_q && payload_empty && !routed_q && !active_q;
  assign error_o = error_q;
  assign queued_o = queued_q;
  assign packets_o = packets_q;
  assign head_valid_o = active_q ? !discard_q : routed_q && !drop_q;
  assign head_port_o = active_q ? target_q[IdWidth-1:1] : want_q[IdWidth-1:1];
  assign large_o = large_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!grant_i || waiting_o) else $error("grant without a waiting packet");
      assert (!pop_i || valid_o) else $error("word taken that is not there");
      assert (!(push_header && push_footer && footer_real)) else $error("one word as two");
      assert (pending_words_q < 4'd12) else $error("credits pile up");
    end
  end
`endif

endmodule
