// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Transmitter: buffers the router's words for each VC and sends whole packets, one after the other, each as Magic and Start, header, payload, footer
/// and CRC; credit words where no packet carries the counts, idle units where a word must be filled.
module apelink_tx #(
    /// Buffer of each VC in words: a power of two, at least the router's initial credits, so that one VC never blocks the other.
    parameter int unsigned BufferWords = 64,
    /// Longest payload: 256 or 512.
    parameter int unsigned MaxPayloadBytes = 512,
    /// Each count is sent at least once in twice this many cycles, in a credit word if no packet does it.
    parameter int unsigned RefreshCycles = 4096,
    /// As in apelink_credits. With 11 bits, all of a count is sent at least once in this many cycles, in long credit words.
    parameter int unsigned CountWidth = apelink_pkg::CountWidth,
    /// A packet begins only when all its words are here: no gaps in packets, so credits never wait for the router, at the price of latency.
    parameter bit StoreForward = 1'b0
) (
    input  logic                                  clk_i,
    /// As `clk_i`, but always runs: for the time until the counts are sent again. `clk_i` may stand while idle_o is high and wake_o low.
    input  logic                                  clk_free_i,
    /// Synchronous, active low.
    input  logic                                  rst_ni,
    /// Words from the router; taken at an edge where both valid and ready are high.
    input  logic                                  tx_valid_i,
    input  logic                                  tx_vc_i,
    input  logic                                  tx_sop_i,
    input  logic [apelink_pkg::DataWidth-1:0]     tx_data_i,
    output logic                                  tx_ready_o,
    /// Towards apelink_credits, VC 0 in the low part: length of the packet or refuse at the head, whether it may go, that it goes.
    output logic [2*apelink_pkg::LengthWidth-1:0] words_o,
    input  logic [1:0]                            allow_i,
    output logic [1:0]                            take_o,
    /// Counts and health for the frames.
    input  logic [2*CountWidth-1:0]               sent_i,
    input  logic [2*CountWidth-1:0]               freed_i,
    input  logic [apelink_pkg::HealthWidth-1:0]   health_i,
    /// A packet that is not all sent 2 * RefreshCycles after its begin is cut short, so that the far end hears of this one in time.
    input  logic                                  supervise_i,
    /// Packets may begin. If it falls within a packet, the rest of the packet is taken from the router and not sent.
    input  logic                                  up_i,
    /// What is told of the link, and while it is not up: words that were delivered here, and whether this end has been reset since it was up.
    input  apelink_pkg::link_e                    link_i,
    input  logic [2*CountWidth-1:0]               delivered_i,
    input  logic                                  fresh_i,
    /// AXI stream to the transceiver.
    output logic [apelink_pkg::DataWidth-1:0]     m_tdata_o,
    output logic                                  m_tvalid_o,
    input  logic                                  m_tready_i,
    /// Words in the buffers, VC 0 in the low part.
    output logic [2*apelink_pkg::WaitingWidth-1:0] waiting_o,
    /// Events: a word or a whole packet went out; a packet waits only for credits; a credit word went out.
    output logic                                  word_event_o,
    output logic                                  packet_event_o,
    output logic                                  stall_event_o,
    output logic                                  credit_event_o,
    /// A word that cannot begin a packet was discarded, for each VC.
    output logic [1:0]                            discard_event_o,
    /// A packet was cut short.
    output logic                                  abort_event_o,
    /// The counts will soon be due to be sent again.
    output logic                                  wake_o,
    /// Nothing waits to be sent; refreshing aside, nothing will be without input.
    output logic                                  idle_o
);

  localparam int unsigned MaxPacketWords = MaxPayloadBytes / 16 + 2;
  localparam int unsigned TimerWidth = $clog2(RefreshCycles + 2);  ///< Holds 1 beside others.
  localparam int unsigned PacketTimerWidth = $clog2(2 * RefreshCycles + 1);
  /// Between frames while the link is not up.
  localparam int unsigned HelloCycles = RefreshCycles < 64 ? RefreshCycles : 64;
  localparam bit Long = CountWidth > apelink_pkg::CountWidth;
  localparam int unsigned LongWidth = apelink_pkg::LongCountWidth;
  /// Large buffers are block RAM, in which a word is visible an edge later.
  localparam bit Block = BufferWords > 128;
  /// Instead of words that do not come; the last is a footer with its mark.
  localparam logic [apelink_pkg::DataWidth-1:0] Filler = {1'b1, {apelink_pkg::DataWidth - 1{1'b0}}};

  if ((StoreForward && BufferWords < MaxPacketWords) || BufferWords > (Long ? 2048 : 128)) begin : gen_check_buffer
    $error("apelink_tx: BufferWords must hold the largest packet if it is stored, and fit the counts");
  end
  if (CountWidth != apelink_pkg::CountWidth && CountWidth != LongWidth) begin : gen_check_counts
    $error("apelink_tx: CountWidth must be 8 or 11");
  end
  if (MaxPayloadBytes < 16 || MaxPayloadBytes > 512 || MaxPayloadBytes % 16 != 0) begin : gen_check_payload
    $error("apelink_tx: MaxPayloadBytes must be whole words, 16 to 512 bytes");
  end
  if (RefreshCycles < 1) begin : gen_check_refresh
    $error("apelink_tx: RefreshCycles must be 1 or more");
  end

  typedef enum logic [1:0] {
    Between,  ///< No packet has begun.
    Words,    ///< `left_q` words of the packet are still to go, the header first.
    Crc
  } state_e;

  logic [2*apelink_pkg::DataWidth-1:0] data;
  logic [1:0] sop, full, empty, valid, pop, bad, ready, start;
  state_e state_q, state_d;
  logic vc_q, vc_d, served_q, served_d;
  logic [1:0] told_sent_q;  ///< VCs whose sent count went out with a packet in this period.
  logic [apelink_pkg::LengthWidth-1:0] left_q, left_d;
  logic [31:0] crc_q, crc_next;
  logic [TimerWidth-1:0] timer_q;
  logic [2*CountWidth+apelink_pkg::HealthWidth+1:0] told_q, tell;
  logic [1:0] behind;  ///< VCs whose low bits do not say any more how much has been freed since they were told last: the upper half counts for nothing.
  logic [1:0] owed_q;  ///< VCs whose long credit word is due.
  logic last_long_q;   ///< VC of the last long credit word.
  logic make_long, long_vc;
  apelink_pkg::long_credit_t long_credit;
  logic [PacketTimerWidth-1:0] packet_timer_q;
  logic due_q;  ///< The timer has ended; a register of the clock that may stand.
  logic begun_q, late_q, fill_word, abort;
  logic [1:0] skipping;  ///< VCs whose next words belong to a packet that was cut short.

  logic pick, selected, refresh, period_end, period_over, send_frame, send_credit, send_word;
  logic [apelink_pkg::DataWidth-1:0] head;
  logic [apelink_pkg::CheckWidth-1:0] check;
  apelink_pkg::frame_t frame;
  logic [2*CountWidth-1:0] counts;
  logic late;
  logic [apelink_pkg::DataWidth-1:0] units;
  logic [2:0] count;
  logic [1:0] fill;
  logic slot;

  for (genvar v = 0; v < 2; v++) begin : gen_vc
    logic [$clog2(BufferWords):0] fifo_count;
    logic [apelink_pkg::WaitingWidth-1:0] waiting;
    logic [9:0] payload_bytes;
    logic [apelink_pkg::LengthWidth-1:0] skip_q;
    fifo #(
        .Width   (apelink_pkg::DataWidth + 1),
        .Depth   (BufferWords),
        .BlockRam(Block)
    ) i_fifo (
        .clk_i,
        .rst_ni,
        .push_i (tx_valid_i && tx_ready_o && tx_vc_i == (v == 1)),
        .data_i ({tx_sop_i, tx_data_i}),
        .full_o (full[v]),
        .valid_o(valid[v]),
        .data_o ({sop[v], data[apelink_pkg::DataWidth*v+:apelink_pkg::DataWidth]}),
        .pop_i  (pop[v]),
        .empty_o(empty[v]),
        .count_o(fifo_count)
    );
    // Block RAM counts without the word that is visible.
    assign waiting = apelink_pkg::WaitingWidth'(fifo_count) + apelink_pkg::WaitingWidth'(Block && valid[v]);
    assign payload_bytes = data[apelink_pkg::DataWidth*v+apelink_pkg::PayloadBytesLow+:10];
    assign bad[v] = !sop[v] || payload_bytes > 10'(MaxPayloadBytes);
    // Refuse goes word by word, and is counted as sent, so that its credits come back.
    assign words_o[apelink_pkg::LengthWidth*v+:apelink_pkg::LengthWidth] = bad[v] ? 6'd1 :
                                                                           apelink_pkg::packet_words(payload_bytes);
    assign ready[v] = valid[v] && !bad[v] && (!StoreForward ||
                      waiting >= apelink_pkg::WaitingWidth'(words_o[apelink_pkg::LengthWidth*v+:apelink_pkg::LengthWidth]));
    assign start[v] = ready[v] && allow_i[v] && up_i && !skipping[v];
    assign discard_event_o[v] = state_q == Between && valid[v] && bad[v] && allow_i[v] && up_i && !skipping[v];
    assign skipping[v] = skip_q != '0;
    assign pop[v] = discard_event_o[v] || (send_word && vc_q == (v == 1)) || (skipping[v] && valid[v]);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        skip_q <= '0;
      end else begin
        skip_q <= skip_q - (skipping[v] && valid[v] ? 6'd1 : 6'd0) + (fill_word && vc_q == (v == 1) ? 6'd1 : 6'd0) +
                  (abort && vc_q == (v == 1) ? left_q : 6'd0);
      end
    end
    assign waiting_o[apelink_pkg::WaitingWidth*v+:apelink_pkg::WaitingWidth] = waiting;
    assign take_o[v] = discard_event_o[v] || (send_frame && !send_credit && pick == (v == 1));
  end

  assign tx_ready_o = full == 2'b00;
  assign pick = start == 2'b11 ? !served_q : start[1];
  assign selected = state_q == Between ? pick : vc_q;
  assign head = selected ? data[2*apelink_pkg::DataWidth-1:apelink_pkg::DataWidth] : data[apelink_pkg::DataWidth-1:0];
  // Nothing needs to be said again where packets of both VCs have just said it.
  assign period_end = due_q;
  assign refresh = Long ? (owed_q | behind) != 2'b00 : period_end && told_sent_q != 2'b11;
  // Deep links: one that has just gone down says so at once, and then often.
  assign period_over = Long ? period_end || (send_frame && make_long && link_i != told_q[2*CountWidth+apelink_pkg::HealthWidth+:2]) :
                              (send_frame && send_credit) || (period_end && !refresh);
  // Matters with `send_frame` only.
  assign send_credit = refresh || start == 2'b00;
  assign make_long = Long && send_credit && (refresh || link_i != apelink_pkg::Up);
  assign long_vc = (owed_q | behind) == 2'b00 ? !last_long_q : !(owed_q[0] || behind[0]);
  assign long_credit.vc = long_vc;
  assign long_credit.sent = long_vc ? LongWidth'(counts[CountWidth+:CountWidth]) : LongWidth'(counts[0+:CountWidth]);
  assign long_credit.freed = long_vc ? LongWidth'(freed_i[CountWidth+:CountWidth]) : LongWidth'(freed_i[0+:CountWidth]);
  if (Long) begin : gen_behind
    for (genvar v = 0; v < 2; v++) begin : gen_behind_vc
      /* verilator lint_off UNUSEDSIGNAL */
      logic [CountWidth-1:0] untold;
      /* verilator lint_on UNUSEDSIGNAL */
      assign untold = freed_i[CountWidth*v+:CountWidth] - told_q[apelink_pkg::HealthWidth+CountWidth*v+:CountWidth];
      assign behind[v] = untold[CountWidth-1:apelink_pkg::CountWidth-1] != '0;
    end
  end else begin : gen_never_behind
    assign behind = 2'b00;
  end

  apelink_secded_encode i_encode (
      .data_i (head),
      .check_o(check)
  );

  apelink_crc32 i_crc (
      .crc_i (crc_q),
      .data_i(head),
      .crc_o (crc_next)
  );

  always_comb begin
    frame = '0;
    frame.magic = apelink_pkg::Magic;
    frame.is_credit = send_credit;
    frame.link = link_i;
    frame.vc = link_i != apelink_pkg::Up ? fresh_i : !send_credit && pick;
    frame.check = send_credit ? {1'b0, counts[CountWidth+:8]} : check;
    frame.health = health_i;
    frame.freed0 = freed_i[7:0];
    frame.freed1 = freed_i[CountWidth+:8];
    frame.sent = !send_credit && pick ? counts[CountWidth+:8] : counts[7:0];
    if (make_long) begin
      frame.check = {1'b1, long_credit.vc, 4'd0, long_credit.sent[LongWidth-1:8]};
      frame.sent = long_credit.sent[7:0];
      frame.freed1 = {5'd0, long_credit.freed[LongWidth-1:8]};
      frame.freed0 = long_credit.freed[7:0];
    end
    frame.crc8 = apelink_pkg::frame_crc(frame[55:0]);
  end

  assign counts = link_i != apelink_pkg::Up ? delivered_i : sent_i;
  assign tell = {link_i, freed_i, health_i};
  assign fill_word = state_q == Words && late_q && (!valid[vc_q] || skipping[vc_q]) && slot && up_i;
  assign abort = state_q == Words && !up_i;
  assign abort_event_o = abort || (fill_word && left_q == 6'd1);
  assign late = supervise_i && begun_q && packet_timer_q == '0;

  // What goes out at this edge.
  always_comb begin
    state_d = state_q;
    vc_d = vc_q;
    served_d = served_q;
    left_d = left_q;
    send_frame = 1'b0;
    send_word = 1'b0;
    units = fill_word ? Filler : head;
    count = '0;
    case (state_q)
      Between: begin
        if (refresh || start != 2'b00 || told_q != tell) begin
          // Two units fill a word if two wait.
          send_frame = !fill[1] || slot;
          if (send_frame) begin
            units[63:0] = frame;
            count = 3'd2;
            if (!send_credit) begin
              state_d = Words;
              vc_d = pick;
              served_d = pick;
              left_d = pick ? words_o[2*apelink_pkg::LengthWidth-1:apelink_pkg::LengthWidth] :
                              words_o[apelink_pkg::LengthWidth-1:0];
            end
          end
        end else if (fill != 2'd0 && (fill != 2'd3 || slot)) begin
          // One unit a cycle: cheaper than all at once, and the line is idle.
          units[31:0] = apelink_pkg::IdleUnit;
          count = 3'd1;
        end
      end
      Words: begin
        if (!up_i) begin
          state_d = Between;
        end else if (((valid[vc_q] && !skipping[vc_q]) || fill_word) && slot) begin
          send_word = !fill_word;
          count = 3'd4;
          left_d = left_q - 6'd1;
          if (left_q == 6'd1) state_d = Crc;
        end
      end
      default: begin
        if (!up_i) begin
          state_d = Between;
        end else if (fill != 2'd3 || slot) begin
          units[31:0] = ~crc_q;
          count = 3'd1;
          state_d = Between;
        end
      end
    endcase
  end

  apelink_packer i_packer (
      .clk_i,
      .rst_ni,
      .units_i(units),
      .count_i(count),
      .fill_o (fill),
      .ready_o(slot),
      .m_tdata_o,
      .m_tvalid_o,
      .m_tready_i
  );

  always_ff @(posedge clk_i) begin
    if (send_frame) crc_q <= '1;
    else if (send_word) crc_q <= crc_next;
    if (!rst_ni) begin
      state_q <= Between;
      vc_q <= 1'b0;
      // So that VC 0 is served first.
      served_q <= 1'b1;
      left_q <= '0;
      told_q <= '0;
      told_sent_q <= '0;
      owed_q <= '0;
      last_long_q <= 1'b1;
      packet_timer_q <= '0;
      begun_q <= 1'b0;
      due_q <= 1'b0;
      late_q <= 1'b0;
    end else begin
      state_q <= state_d;
      due_q <= !period_over && timer_q <= TimerWidth'(1);
      vc_q <= vc_d;
      served_q <= served_d;
      left_q <= left_d;
      if (period_over) told_sent_q <= '0;
      else if (send_frame) told_sent_q[pick] <= 1'b1;
      if (Long) begin
        owed_q <= (period_end ? 2'b11 : owed_q) & ~(send_frame && make_long ? {long_vc, !long_vc} : 2'b00);
        if (send_frame && make_long) last_long_q <= long_vc;
      end
      if (send_frame) begin
        told_q <= tell;
        // A long credit word tells nothing of the other VC.
        for (int v = 0; v < 2; v++) begin
          if (make_long && long_vc != v[0]) begin
            told_q[apelink_pkg::HealthWidth+CountWidth*v+:CountWidth] <= told_q[apelink_pkg::HealthWidth+CountWidth*v+:CountWidth];
          end
        end
      end
      if (state_q != Words) begin
        packet_timer_q <= PacketTimerWidth'(2 * RefreshCycles);
        begun_q <= 1'b0;
        late_q <= 1'b0;
      end else begin
        if (packet_timer_q != '0) packet_timer_q <= packet_timer_q - 1'b1;
        if (send_word) begun_q <= 1'b1;
        if (late) late_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_free_i) begin
    if (!rst_ni) timer_q <= TimerWidth'(RefreshCycles);
    else if (period_over) timer_q <= link_i == apelink_pkg::Up ? TimerWidth'(RefreshCycles) : TimerWidth'(HelloCycles);
    else if (timer_q != '0) timer_q <= timer_q - 1'b1;
  end

  assign wake_o = timer_q <= TimerWidth'(1) || owed_q != 2'b00;
  assign idle_o = state_q == Between && empty == 2'b11 && told_q == tell && fill == 2'd0 && !m_tvalid_o;
  assign word_event_o = send_word;
  assign packet_event_o = send_word && left_q == 6'd1;
  assign credit_event_o = send_frame && send_credit;
  assign stall_event_o = state_q == Between && (ready & ~allow_i & ~skipping) != 2'b00 && up_i;

endmodule
