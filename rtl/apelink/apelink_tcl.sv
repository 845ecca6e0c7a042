// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// APElink transmission control logic: both directions of one link, between a port of the router and a transceiver. docs/models/apelink.md is the contract.
/// Without supervision both ends of a link are reset together, as the routers behind them are.
module apelink_tcl #(
    /// Words that can wait for transmission on each VC: a power of two, at least the router's initial credits.
    parameter int unsigned BufferWords = 64,
    /// Longest payload: 256 or 512.
    parameter int unsigned MaxPayloadBytes = 512,
    /// Each count is sent at least once in twice this many cycles, in a credit word if no packet does it.
    parameter int unsigned RefreshCycles = 4096,
    /// As in apelink_credits: 8, or 11 with long credit words. The same at both ends.
    parameter int unsigned CountWidth = apelink_pkg::CountWidth,
    /// A packet begins only when all its words are here.
    parameter bit StoreForward = 1'b0
) (
    input  logic                                clk_i,
    /// Synchronous, active low.
    input  logic                                rst_ni,
    /// TRED of VC 0 (low half) and VC 1: words that may be in use in the far router's buffer. May change at any time.
    input  logic [2*CountWidth-1:0]             tred_i,
    /// Both ends of the link watch each other; any of them may be reset alone, with the router behind it. Changes only while both are in reset.
    input  logic                                supervise_i,
    /// With supervision: the transceiver receives something.
    input  logic                                signal_i,

    /// Words from the router's output port; taken at an edge where both valid and ready are high.
    input  logic                                tx_valid_i,
    input  logic                                tx_vc_i,
    input  logic                                tx_sop_i,
    input  logic                                tx_eop_i,
    input  logic [apelink_pkg::DataWidth-1:0]   tx_data_i,
    output logic                                tx_ready_o,
    /// Credits to the router's output port, registered. A count of zero brings new health bits only.
    output logic                                credit_valid_o,
    output logic                                credit_vc_o,
    output logic [CountWidth-1:0]               credit_count_o,
    output logic [apelink_pkg::HealthWidth-1:0] credit_health_o,

    /// Words to the router's input port, registered.
    output logic                                rx_valid_o,
    output logic                                rx_vc_o,
    output logic                                rx_sop_o,
    output logic                                rx_eop_o,
    output logic [apelink_pkg::DataWidth-1:0]   rx_data_o,
    /// With the footer: this link damaged the packet; the footer's top bit is set as well.
    output logic                                rx_bad_o,
    /// Credits from the router's input port; its health bits count at every edge, with or without a credit.
    input  logic                                credit_valid_i,
    input  logic                                credit_vc_i,
    input  logic [CountWidth-1:0]               credit_count_i,
    input  logic [apelink_pkg::HealthWidth-1:0] credit_health_i,

    /// AXI streams to and from the transceiver.
    output logic [apelink_pkg::DataWidth-1:0]   m_tdata_o,
    output logic                                m_tvalid_o,
    input  logic                                m_tready_i,
    input  logic [apelink_pkg::DataWidth-1:0]   s_tdata_i,
    input  logic                                s_tvalid_i,
    output logic                                s_tready_o,

    /// Words in use in the far buffer, VC 0 in the low half.
    output logic [2*CountWidth-1:0]             used_o,
    /// Words that wait here for transmission.
    output logic [2*apelink_pkg::WaitingWidth-1:0] waiting_o,
    /// Counters; all wrap.
    output logic [apelink_pkg::EventWidth-1:0]  words_sent_o,
    output logic [apelink_pkg::EventWidth-1:0]  packets_sent_o,
    output logic [apelink_pkg::EventWidth-1:0]  packets_received_o,
    output logic [apelink_pkg::EventWidth-1:0]  corrected_headers_o,
    output logic [apelink_pkg::EventWidth-1:0]  uncorrectable_headers_o,
    output logic [apelink_pkg::EventWidth-1:0]  crc_errors_o,
    /// Packets not delivered for their header: uncorrectable or with a length that cannot be.
    output logic [apelink_pkg::EventWidth-1:0]  dropped_packets_o,
    output logic [apelink_pkg::EventWidth-1:0]  resyncs_o,
    /// Cycles in which a packet waits only for credits.
    output logic [apelink_pkg::EventWidth-1:0]  credit_stalls_o,
    output logic [apelink_pkg::EventWidth-1:0]  credit_words_o,
    /// State of the link; how often it went down; packets that were cut short at this end.
    output apelink_pkg::link_e                  link_o,
    output logic [apelink_pkg::EventWidth-1:0]  downs_o,
    output logic [apelink_pkg::EventWidth-1:0]  aborted_packets_o,
    /// Sticky: credits came that were not in use, the router sent words that begin no packet, or flags that differ from the length.
    output logic                                error_o,
    /// Nothing is inside: without input, nothing goes out but what refreshes the counts. Follows the registers.
    output logic                                idle_o
);

  localparam bit Long = CountWidth > apelink_pkg::CountWidth;

  logic [2*apelink_pkg::LengthWidth-1:0] words;
  logic [1:0] allow, take, discard, credit_error;
  logic [2*CountWidth-1:0] sent, freed, pending;
  logic word_event, packet_event, stall_event, credit_event;
  logic frame_valid, deliver, deliver_vc;
  // The receiver has looked at the rest.
  /* verilator lint_off UNUSEDSIGNAL */
  apelink_pkg::frame_t frame;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [apelink_pkg::LengthWidth-1:0] deliver_words;
  logic received_event, corrected_event, uncorrectable_event, length_event, crc_event, resync_event;
  logic error_q, health_new_q, served_q, credit_valid_q, credit_vc_q, next_vc, any_pending;
  logic [CountWidth-1:0] credit_count_q;
  logic [apelink_pkg::HealthWidth-1:0] health_q, far_health_q;
  logic [1:0] in_packet_q;
  apelink_pkg::link_e link;
  logic up, restart, record, fresh, down_event, abort_event, counts_valid, far_fresh_q;
  logic [2*CountWidth-1:0] delivered, far_delivered_q, far_freed_q;
  logic tx_idle, rx_idle;
  logic clk;  ///< Stands while nothing happens on the link.
  logic wake;

  idle_gate i_gate (
      .clk_i,
      .rst_ni,
      .busy_i(!idle_o || wake || tx_valid_i || credit_valid_i || s_tvalid_i),
      .clk_o (clk)
  );
  // What the frame has, and whether with it all counts of the far end are known, and of which VCs it has some.
  /* verilator lint_off UNUSEDSIGNAL */
  apelink_pkg::long_credit_t long_credit;
  /* verilator lint_on UNUSEDSIGNAL */
  logic is_long, known;
  logic [1:0] recorded;
  logic [2*CountWidth-1:0] far_sent, far_freed;

  apelink_tx #(
      .BufferWords    (BufferWords),
      .MaxPayloadBytes(MaxPayloadBytes),
      .RefreshCycles  (RefreshCycles),
      .CountWidth     (CountWidth),
      .StoreForward   (StoreForward)
  ) i_tx (
      .clk_i          (clk),
      .clk_free_i     (clk_i),
      .rst_ni,
      .tx_valid_i,
      .tx_vc_i,
      .tx_sop_i,
      .tx_data_i,
      .tx_ready_o,
      .words_o        (words),
      .allow_i        (allow),
      .take_o         (take),
      .sent_i         (sent),
      .freed_i        (freed),
      .health_i       (health_q),
      .supervise_i,
      .up_i           (up),
      // Nobody must take the old counts for new ones.
      .link_i         (restart ? apelink_pkg::Init : link),
      .delivered_i    (delivered),
      .fresh_i        (fresh),
      .m_tdata_o,
      .m_tvalid_o,
      .m_tready_i,
      .waiting_o,
      .word_event_o   (word_event),
      .packet_event_o (packet_event),
      .stall_event_o  (stall_event),
      .credit_event_o (credit_event),
      .abort_event_o  (abort_event),
      .wake_o         (wake),
      .discard_event_o(discard),
      .idle_o         (tx_idle)
  );

  apelink_rx #(
      .MaxPayloadBytes(MaxPayloadBytes)
  ) i_rx (
      .clk_i          (clk),
      .rst_ni,
      .s_tdata_i,
      .s_tvalid_i,
      .s_tready_o,
      .supervise_i,
      .down_i               (link == apelink_pkg::Down),
      .rx_valid_o,
      .rx_vc_o,
      .rx_sop_o,
      .rx_eop_o,
      .rx_data_o,
      .rx_bad_o,
      .frame_valid_o        (frame_valid),
      .frame_o              (frame),
      .deliver_o            (deliver),
      .deliver_vc_o         (deliver_vc),
      .deliver_words_o      (deliver_words),
      .packet_event_o       (received_event),
      .corrected_event_o    (corrected_event),
      .uncorrectable_event_o(uncorrectable_event),
      .length_event_o       (length_event),
      .crc_event_o          (crc_event),
      .resync_event_o       (resync_event),
      .idle_o               (rx_idle)
  );

  assign long_credit = {frame.check[7], frame.check[2:0], frame.sent, frame.freed1[2:0], frame.freed0};
  if (Long) begin : gen_long
    // A far end that was not reset when it told of one VC, and is when it tells of the other, or vice versa, begins anew.
    logic [1:0] known_q, told;
    assign is_long = frame.is_credit && frame.check[8];
    assign told = (known_q & {2{frame.vc == far_fresh_q}}) | {long_credit.vc, !long_credit.vc};
    assign known = frame.link == apelink_pkg::Up ? known_q == 2'b11 : is_long && told == 2'b11;
    assign recorded = is_long ? {long_credit.vc, !long_credit.vc} : 2'b00;
    always_ff @(posedge clk) begin
      if (!rst_ni || link == apelink_pkg::Up) known_q <= 2'b00;
      else if (record && is_long) known_q <= told;
    end
  end else begin : gen_short
    assign is_long = 1'b0;
    assign known = 1'b1;
    assign recorded = 2'b11;
  end
  // Of VC 0 in the low half; of both in a long credit word, whose VC counts.
  assign far_freed = is_long ? {2{CountWidth'(long_credit.freed)}} : {CountWidth'(frame.freed1), CountWidth'(frame.freed0)};
  assign far_sent = is_long ? {2{CountWidth'(long_credit.sent)}} :
                    {frame.is_credit ? CountWidth'(frame.check[7:0]) : CountWidth'(frame.sent), CountWidth'(frame.sent)};

  for (genvar v = 0; v < 2; v++) begin : gen_vc
    apelink_credits #(
        .MaxPacketWords(MaxPayloadBytes / 16 + 2),
        .CountWidth    (CountWidth)
    ) i_credits (
        .clk_i          (clk),
        .rst_ni,
        .tred_i         (tred_i[CountWidth*v+:CountWidth]),
        .words_i        (words[apelink_pkg::LengthWidth*v+:apelink_pkg::LengthWidth]),
        .allow_o        (allow[v]),
        .take_i         (take[v]),
        .sent_o         (sent[CountWidth*v+:CountWidth]),
        .used_o         (used_o[CountWidth*v+:CountWidth]),
        .full_i         (is_long),
        .freed_valid_i  (counts_valid && (!is_long || long_credit.vc == (v == 1))),
        .freed_i        (far_freed[CountWidth*v+:CountWidth]),
        .pending_o      (pending[CountWidth*v+:CountWidth]),
        .return_i       (any_pending && next_vc == (v == 1)),
        .sync_valid_i   (counts_valid && (is_long ? long_credit.vc == (v == 1) : frame.is_credit || frame.vc == (v == 1))),
        .sync_i         (far_sent[CountWidth*v+:CountWidth]),
        .deliver_i      (deliver && deliver_vc == (v == 1)),
        .deliver_words_i(deliver_words),
        .credit_valid_i (credit_valid_i && credit_vc_i == (v == 1)),
        .credit_count_i,
        .freed_o        (freed[CountWidth*v+:CountWidth]),
        .delivered_o    (delivered[CountWidth*v+:CountWidth]),
        .restart_i      (restart),
        .restart_delivered_i(far_delivered_q[CountWidth*v+:CountWidth]),
        .restart_freed_i(far_freed_q[CountWidth*v+:CountWidth]),
        .near_fresh_i   (fresh),
        .far_fresh_i    (far_fresh_q),
        .error_o        (credit_error[v])
    );
  end

  apelink_supervisor #(
      .RefreshCycles(RefreshCycles)
  ) i_supervisor (
      .clk_i          (clk),
      .rst_ni,
      .enable_i     (supervise_i),
      .signal_i,
      .frame_valid_i(frame_valid),
      .frame_link_i (frame.link),
      .known_i      (known),
      .state_o      (link),
      .restart_o    (restart),
      .record_o     (record),
      .fresh_o      (fresh),
      .down_event_o (down_event)
  );

  assign up = link == apelink_pkg::Up && !restart;
  assign link_o = link;
  // Frames that tell of a link that is not up have other counts.
  assign counts_valid = frame_valid && frame.link == apelink_pkg::Up && up;

  always_ff @(posedge clk) begin
    for (int v = 0; v < 2; v++) begin
      if (record && recorded[v]) begin
        far_delivered_q[CountWidth*v+:CountWidth] <= far_sent[CountWidth*v+:CountWidth];
        far_freed_q[CountWidth*v+:CountWidth] <= far_freed[CountWidth*v+:CountWidth];
      end
    end
    if (record) far_fresh_q <= frame.vc;
  end

  // Credits to the router: one VC a cycle, in turn where both have some.
  assign any_pending = pending != '0;
  assign next_vc = pending[CountWidth+:CountWidth] != '0 && (pending[0+:CountWidth] == '0 || !served_q);

  always_ff @(posedge clk) begin
    credit_vc_q <= next_vc;
    credit_count_q <= next_vc ? pending[CountWidth+:CountWidth] : pending[0+:CountWidth];
    if (!rst_ni) begin
      credit_valid_q <= 1'b0;
      served_q <= 1'b1;
      health_new_q <= 1'b0;
      health_q <= '0;
      far_health_q <= '0;
      in_packet_q <= '0;
      error_q <= 1'b0;
    end else begin
      credit_valid_q <= any_pending || health_new_q;
      if (any_pending) served_q <= next_vc;
      health_q <= credit_health_i;
      health_new_q <= frame_valid && frame.health != far_health_q;
      if (frame_valid) far_health_q <= frame.health;
      if (tx_valid_i && tx_ready_o) begin
        in_packet_q[tx_vc_i] <= !tx_eop_i;
        if (tx_sop_i == in_packet_q[tx_vc_i]) error_q <= 1'b1;
      end
      if (discard != 2'b00 || credit_error != 2'b00) error_q <= 1'b1;
    end
  end

  assign credit_valid_o = credit_valid_q;
  assign credit_vc_o = credit_vc_q;
  assign credit_count_o = credit_count_q;
  assign credit_health_o = far_health_q;
  assign error_o = error_q;
  assign idle_o = tx_idle && rx_idle && !any_pending && !credit_valid_q && !health_new_q && !supervise_i && health_q == credit_health_i;

  event_counter #(.Width(apelink_pkg::EventWidth)) i_words_sent (.clk_i(clk), .rst_ni, .event_i(word_event), .count_o(words_sent_o));
  event_counter #(.Width(apelink_pkg::EventWidth)) i_packets_sent (.clk_i(clk), .rst_ni, .event_i(packet_event), .count_o(packets_sent_o));
  event_counter #(.Width(apelink_pkg::EventWidth)) i_packets_received (.clk_i(clk), .rst_ni, .event_i(received_event), .count_o(packets_received_o));
  event_counter #(.Width(apelink_pkg::EventWidth)) i_corrected (.clk_i(clk), .rst_ni, .event_i(corrected_event), .count_o(corrected_headers_o));
  event_counter #(.Width(apelink_pkg::EventWidth)) i_uncorrectable (.clk_i(clk), .rst_ni, .event_i(uncorrectable_event), .count_o(uncorrectable_headers_o));
  event_counter #(.Width(apelink_pkg::EventWidth)) i_crc_errors (.clk_i(clk), .rst_ni, .event_i(crc_event), .count_o(crc_errors_o));
  event_counter #(.Width(apelink_pkg::EventWidth)) i_dropped (.clk_i(clk), .rst_ni, .event_i(uncorrectable_event || length_event), .count_o(dropped_packets_o));
  event_counter #(.Width(apelink_pkg::EventWidth)) i_resyncs (.clk_i(clk), .rst_ni, .event_i(resync_event), .count_o(resyncs_o));
  event_counter #(.Width(apelink_pkg::EventWidth)) i_stalls (.clk_i(clk), .rst_ni, .event_i(stall_event), .count_o(credit_stalls_o));
  event_counter #(.Width(apelink_pkg::EventWidth)) i_credit_words (.clk_i(clk), .rst_ni, .event_i(credit_event), .count_o(credit_words_o));
  event_counter #(.Width(apelink_pkg::EventWidth)) i_downs (.clk_i(clk), .rst_ni, .event_i(down_event), .count_o(downs_o));
  event_counter #(.Width(apelink_pkg::EventWidth)) i_aborted (.clk_i(clk), .rst_ni, .event_i(abort_event), .count_o(aborted_packets_o));

endmodule
