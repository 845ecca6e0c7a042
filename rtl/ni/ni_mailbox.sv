// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The mailbox: a ring of entries for each virtual interface, filled by messages from the network and emptied by the host, which moves the head.
/// What becomes of a message (its verdict) is decided when its first copy arrives and remembered for the sender's channel, so that every further copy
/// gets the same answer and changes nothing. A message takes two cycles. That of a message for a ring in the host's memory is known when the memory has answered;
/// its slot in the queue of answers is reserved until then. When as many as can be are in flight, a message for such a ring is dropped, and its sender tries again:
/// the receive side waits for nobody.
module ni_mailbox #(
    /// Entries of each ring in block RAM: a power of two from 2 to 16.
    parameter int unsigned Depth = 16,
    /// Without rings in block RAM, an interface without one in the host's memory is disabled.
    parameter bit BlockRings = 1'b1,
    /// Rings in the host's memory have up to 2^RingBits entries, 1 to 12.
    parameter int unsigned RingBits = 12,
    /// Sources are the nodes from 0 to 2^PeerBits - 1.
    parameter int unsigned PeerBits = 7
) (
    input  logic                                clk_i,
    /// Synchronous, active low.
    input  logic                                rst_ni,
    /// The pointers are cleared after reset (256 cycles); until then the host is not served.
    output logic                                ready_o,
    /// The memory of verdicts is being cleared; messages are dropped, their senders try again.
    output logic                                clearing_o,

    /// A message, taken with `message_ready_o`; its data come in the cycle after.
    input  logic                                message_valid_i,
    input  logic [ni_pkg::NodeWidth-1:0]        message_source_i,
    input  logic [exanet_pkg::DataWidth-1:0]    message_header_i,
    input  logic [ni_pkg::MessageWidth-1:0]     message_data_i,
    output logic                                message_ready_o,
    /// Its answer; see ni_answer_sender.
    output logic                                answer_push_o,
    output logic [ni_pkg::VerdictWidth-1:0]     answer_verdict_o,
    output logic [ni_pkg::NodeWidth-1:0]        answer_node_o,
    output logic [ni_pkg::RankWidth-1:0]        answer_rank_o,
    output logic [ni_pkg::PdidWidth-1:0]        answer_pdid_o,
    output logic [ni_pkg::TagWidth-1:0]         answer_tag_o,
    output logic [ni_pkg::RankWidth-1:0]        answer_from_rank_o,
    input  logic                                answer_full_i,
    /// Slots in the queue of answers that entries in flight will need.
    output logic [5:0]                          answer_reserved_o,
    /// An entry for the host's memory, at most RingWrites at once, and what became of the oldest; see ni_ring_writer.
    output logic                                entry_valid_o,
    output ni_pkg::ring_entry_t                 entry_o,
    input  logic                                written_valid_i,
    output logic                                written_ready_o,
    input  logic                                written_error_i,
    /// For one cycle: an entry has been added to this interface.
    output logic                                event_valid_o,
    output logic [ni_pkg::InterfaceWidth-1:0]   event_interface_o,

    /// The host reads an entry (word 0 to 7 payload, 8 information), or reads or writes a pointer (0 tail, 1 head, which alone is written); held until
    /// `host_done_o`, which comes with the result.
    input  logic                                host_valid_i,
    input  logic                                host_write_i,
    input  logic [ni_pkg::InterfaceWidth-1:0]   host_interface_i,
    input  logic                                host_pointers_i,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [3:0]                          host_slot_i,
    input  logic [3:0]                          host_word_i,
    input  logic [ni_pkg::RingBitsMax:0]        host_data_i,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic                                host_done_o,
    output logic                                host_error_o,
    output logic [63:0]                         host_data_o,
    /// The system sets protection domain and enable bit of an interface.
    input  logic                                config_write_i,
    input  logic [ni_pkg::InterfaceWidth-1:0]   config_interface_i,
    input  logic [ni_pkg::PdidWidth-1:0]        config_pdid_i,
    input  logic                                config_enable_i,
    /// Forgets what a node sent, since it was reset; held until it is taken, when nothing is being cleared or in flight.
    input  logic                                forget_i,
    input  logic [PeerBits-1:0]                 forget_node_i,
    output logic                                forget_taken_o,
    /// Sets where the ring of the interface that the host names is, and empties it; held until it is taken, when nothing is in flight. A ring that cannot be is
    /// refused.
    input  logic                                ring_write_i,
    /* verilator lint_off UNUSEDSIGNAL */
    input  ni_pkg::ring_t                       ring_i,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic                                ring_taken_o,
    output logic                                ring_refused_o,
    output ni_pkg::ring_t                       ring_o,

    /// Without input nothing happens.
    output logic                                idle_o,
    /// One-cycle pulses for the counters: nacks memory, unknown source, dropped while clearing, dropped for want of a slot for the answer or for the entry or because
    /// the first copy has no answer yet, nacks full, disabled, PDID, duplicate, accepted (bit 8 to 0).
    output logic [8:0]                          count_o
`ifdef FORMAL
    ,
    /// One interface and one channel of a node for the proofs: pointers, the record, and the message that is being decided on.
    input  logic [ni_pkg::InterfaceWidth-1:0]   formal_interface_i,
    input  logic [PeerBits+ni_pkg::ChannelIdWidth-1:0] formal_key_i,
    output logic [(RingBits > $clog2(Depth) ? RingBits : $clog2(Depth)):0] formal_tail_o,
    output logic [(RingBits > $clog2(Depth) ? RingBits : $clog2(Depth)):0] formal_head_o,
    /// Its ring; it is set at this edge.
    output ni_pkg::ring_t                       formal_ring_o,
    output logic                                formal_set_o,
    /// The answer is that of an entry that was written.
    output logic                                formal_written_o,
    output logic [ni_pkg::VerdictWidth+ni_pkg::SequenceWidth-1:0] formal_record_o,
    output logic                                formal_commit_o,
    output logic [ni_pkg::VerdictWidth+ni_pkg::SequenceWidth-1:0] formal_seen_o,
    output logic [PeerBits+ni_pkg::ChannelIdWidth-1:0] formal_commit_key_o,
    output logic [PeerBits+ni_pkg::ChannelIdWidth-1:0] formal_clear_o,
    output logic [PeerBits+ni_pkg::ChannelIdWidth-1:0] formal_clear_last_o,
    output logic [8:0]                          formal_init_o
`endif
);

  localparam int unsigned SlotBits = $clog2(Depth);
  localparam int unsigned PointerBits = RingBits > SlotBits ? RingBits : SlotBits;
  localparam int unsigned PeerChannels = PeerBits + ni_pkg::ChannelIdWidth;
  localparam int unsigned EntryWidth = ni_pkg::MessageWidth + 64;
  localparam int unsigned MemoryWidth = ni_pkg::VerdictWidth + ni_pkg::SequenceWidth;

  if (Depth < 2 || Depth > 16 || Depth != 1 << SlotBits) begin : gen_check_depth
    $error("ni_mailbox: Depth must be a power of two from 2 to 16");
  end
  if (PeerBits < 1 || PeerBits > 12) begin : gen_check_peers
    $error("ni_mailbox: PeerBits must be 1 to 12");
  end
  if (RingBits < 1 || RingBits > ni_pkg::RingBitsMax) begin : gen_check_rings
    $error("ni_mailbox: RingBits must be 1 to 12");
  end

  logic [MemoryWidth-1:0] verdicts_q[1<<PeerChannels];  ///< By source node and channel: verdict and sequence number of the last message.
  logic [PointerBits:0] tails_q[ni_pkg::NumInterfaces];  // One bit more than a slot tells full from empty.
  logic [PointerBits:0] heads_q[ni_pkg::NumInterfaces];
  logic [ni_pkg::PdidWidth-1:0] pdids_q[ni_pkg::NumInterfaces];
  logic [ni_pkg::NumInterfaces-1:0] enable_q;

  // The message in its second cycle.
  logic commit_q, stranger_q;
  logic [21:0] source_q;
  logic [MemoryWidth-1:0] seen, remembered_q, replacement_q;
  logic replaced_q;
  ni_pkg::message_tag_t tag;
  /* verilator lint_off UNUSEDSIGNAL */
  ni_pkg::message_tag_t arriving_tag;
  ni_pkg::ni_header_t header_q;
  ni_pkg::ni_header_t header;
  ni_pkg::gvas_t target;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [5:0] interface_number;
  logic [PointerBits:0] tail, head, used, mask, host_mask;
  logic duplicate, enters, decide, accept, usable;
  logic [2:0] verdict, decided;
  logic [ni_pkg::MessageWidth-1:0] data;
  logic [63:0] description;
  logic [8:0] count_d, count_q;

  // Rings in the host's memory.
  /* verilator lint_off UNUSEDSIGNAL */
  ni_pkg::ring_t ring;        ///< That of the message.
  /* verilator lint_on UNUSEDSIGNAL */
  ni_pkg::ring_t host_ring;   ///< That of the access.
  logic [ni_pkg::NumInterfaces-1:0] in_memory_q, events_q, broken_q;
  logic [ni_pkg::RingSlotWidth+3:0] places_q[ni_pkg::NumInterfaces];  ///< Entries and base of each ring.
  logic hold;  ///< No message is accepted for the host's memory.
  logic quiet, in_flight, full, placed, ring_set;
  logic [5:0] count;
  logic [PointerBits:0] slot;
  logic pending, complete, completed;
  logic [2:0] outcome;
  logic [5:0] written_interface;
  logic [21:0] written_node;
  logic [2:0] written_rank, written_from_rank;
  logic [15:0] written_pdid;
  ni_pkg::message_tag_t written_tag;

  // Clearing: of everything after reset, of one node's channels later.
  logic clearing_q;
  logic [PeerChannels-1:0] clear_q, arriving;
  logic [PeerChannels-1:0] clear_last_q;
  logic [8:0] init_q;

  logic host_take, host_done_q, host_error_q, host_pointers_q;
  logic [EntryWidth-1:0] entry_q;
  logic [63:0] entry_word;
  logic [PointerBits:0] pointer_q;
  logic [3:0] host_word_q;
  logic head_write, event_valid_q;
  logic [5:0] event_interface_q;

  assign header = message_header_i;
  assign arriving = {message_source_i[PeerBits-1:0], arriving_tag.channel};
  assign arriving_tag = header.tag;
  assign message_ready_o = !commit_q;

  // First cycle: look up what is known of the channel, which may be cleared, or completed, at this very edge.
  always_ff @(posedge clk_i) begin
    if (message_valid_i && message_ready_o) begin
      header_q <= message_header_i;
      source_q <= message_source_i;
      remembered_q <= verdicts_q[arriving];
      replaced_q <= 1'b0;
      replacement_q <= '0;
      if (clearing_q && clear_q == arriving) begin
        replaced_q <= 1'b1;
      end else if (complete && {written_node[PeerBits-1:0], written_tag.channel} == arriving) begin
        replaced_q <= 1'b1;
        replacement_q <= {outcome, written_tag.sequence_number};
      end
    end
  end
  assign seen = replaced_q ? replacement_q : remembered_q;

  // Second cycle: decide.
  assign tag = header_q.tag;
  assign target = header_q.destination;
  assign interface_number = target.va[17:12];
  assign tail = tails_q[interface_number];
  assign head = heads_q[interface_number];
  assign used = (tail - head) & mask;
  assign mask = ~({PointerBits + 1{1'b1}} << 1 << ring.bits);
  assign usable = ring.in_memory || BlockRings;
  assign pending = seen[MemoryWidth-1:ni_pkg::SequenceWidth] == ni_pkg::VerdictPending;
  assign duplicate = seen[MemoryWidth-1:ni_pkg::SequenceWidth] != ni_pkg::VerdictNone &&
                     seen[ni_pkg::SequenceWidth-1:0] == tag.sequence_number;
  assign enters = !duplicate && verdict == ni_pkg::VerdictAccepted;
  assign decide = commit_q && !stranger_q && !clearing_q && !answer_full_i && !pending && !(enters && ring.in_memory && hold);
  assign accept = decide && enters;

  always_comb begin
    if (duplicate) verdict = seen[MemoryWidth-1:ni_pkg::SequenceWidth];
    else if (!enable_q[interface_number] || !usable) verdict = ni_pkg::VerdictDisabled;
    else if (pdids_q[interface_number] != target.pdid) verdict = ni_pkg::VerdictPdid;
    else if (ring.broken) verdict = ni_pkg::VerdictMemory;
    else if (used >> ring.bits != '0) verdict = ni_pkg::VerdictFull;
    else verdict = ni_pkg::VerdictAccepted;
  end
  // An entry for the host's memory is accepted when that has taken it.
  assign decided = accept && ring.in_memory ? ni_pkg::VerdictPending : verdict;

  // Words that the message does not have are left over from some other message of the network: zero.
  always_comb begin
    for (int w = 0; w < 4; w++) data[128*w+:128] = header_q.bytes > 9'(16 * w) ? message_data_i[128*w+:128] : '0;
  end

  assign description = {header_q.bytes[6:0], header_q.source_rank, source_q, tag.channel, tag.sequence_number};

  if (BlockRings) begin : gen_block_rings
    logic [EntryWidth-1:0] entries_q[ni_pkg::NumInterfaces*Depth];
    always_ff @(posedge clk_i) begin
      if (accept && !ring.in_memory) entries_q[{interface_number, tail[SlotBits-1:0]}] <= {description, data};
      if (host_take) entry_q <= entries_q[{host_interface_i, host_slot_i[SlotBits-1:0]}];
    end
  end else begin : gen_no_block_rings
    assign entry_q = '0;
  end

  assign quiet = ready_o && !commit_q && !in_flight;
  assign ring_taken_o = ring_write_i && quiet;
  assign placed = ring_i.bits != '0 && 32'(ring_i.bits) <= RingBits && (ring_i.base & ~({ni_pkg::RingSlotWidth{1'b1}} << ring_i.bits)) == '0;
  assign ring_refused_o = ring_i.reserved != '0 || ring_i.low != '0 || !(ring_i.in_memory ? placed : BlockRings);
  assign ring_set = ring_taken_o && !ring_refused_o;
  assign forget_taken_o = forget_i && quiet && !clearing_q;
  assign hold = ring_write_i || forget_i || full;
  assign answer_reserved_o = count;

  always_comb begin
    ring = '0;
    ring.bits = 4'(SlotBits);
    if (in_memory_q[interface_number]) begin
      ring.in_memory = 1'b1;
      ring.broken = broken_q[interface_number];
      {ring.bits, ring.base} = places_q[interface_number];
    end
    host_ring = '0;
    host_ring.bits = 4'(SlotBits);
    if (in_memory_q[host_interface_i]) begin
      host_ring.in_memory = 1'b1;
      host_ring.events = events_q[host_interface_i];
      host_ring.broken = broken_q[host_interface_i];
      {host_ring.bits, host_ring.base} = places_q[host_interface_i];
    end
  end

  assign slot = tail & (mask >> 1);
  assign entry_valid_o = accept && ring.in_memory;
  assign entry_o.slot = ring.base | ni_pkg::RingSlotWidth'(slot);
  assign entry_o.user = {target.rank, target.pdid};
  assign entry_o.words = header_q.bytes[6:4] + {2'd0, header_q.bytes[3:0] != '0};
  assign entry_o.lap = ((tail >> ring.bits) & (PointerBits + 1)'(1)) == '0;
  assign entry_o.description = description;
  assign entry_o.data = data;

  // What the answers to entries in flight need.
  fifo #(
      .Width(6 + ni_pkg::NodeWidth + 2 * ni_pkg::RankWidth + ni_pkg::PdidWidth + ni_pkg::TagWidth),
      .Depth(ni_pkg::RingWrites)
  ) i_in_flight (
      .clk_i,
      .rst_ni,
      .push_i (entry_valid_o),
      .data_i ({interface_number, source_q, header_q.source_rank, target.pdid, tag, target.rank}),
      .full_o (full),
      .valid_o(in_flight),
      .data_o ({written_interface, written_node, written_rank, written_pdid, written_tag, written_from_rank}),
      .pop_i  (complete),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      /* verilator lint_on PINCONNECTEMPTY */
      .count_o(count)
  );

  // Between two messages. The records are not being cleared while something is in flight.
  assign complete = written_valid_i && !commit_q;
  assign written_ready_o = !commit_q;
  // Entries behind one that was refused have no position in the order of the ring.
  assign outcome = written_error_i || broken_q[written_interface] ? ni_pkg::VerdictMemory : ni_pkg::VerdictAccepted;
  assign completed = complete && outcome == ni_pkg::VerdictAccepted && events_q[written_interface];

  always_ff @(posedge clk_i) begin
    if (ring_set) places_q[host_interface_i] <= {ring_i.bits, ring_i.base};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_memory_q <= '0;
      events_q <= '0;
      broken_q <= '0;
    end else begin
      if (ring_set) begin
        in_memory_q[host_interface_i] <= ring_i.in_memory;
        events_q[host_interface_i] <= ring_i.events;
        broken_q[host_interface_i] <= 1'b0;
      end
      if (complete && written_error_i) broken_q[written_interface] <= 1'b1;
    end
  end
  assign ring_o = host_ring;

  always_ff @(posedge clk_i) begin
    if (clearing_q) verdicts_q[clear_q] <= '0;
    else if (decide) verdicts_q[{source_q[PeerBits-1:0], tag.channel}] <= {decided, tag.sequence_number};
    else if (complete) verdicts_q[{written_node[PeerBits-1:0], written_tag.channel}] <= {outcome, written_tag.sequence_number};
  end

  always_ff @(posedge clk_i) begin
    if (!ready_o) tails_q[init_q[5:0]] <= '0;
    else if (accept) tails_q[interface_number] <= (tail + 1'b1) & mask;
    else if (ring_set) tails_q[host_interface_i] <= '0;
  end

  assign host_mask = ~({PointerBits + 1{1'b1}} << 1 << host_ring.bits);
  always_ff @(posedge clk_i) begin
    if (!ready_o) heads_q[init_q[5:0]] <= '0;
    else if (head_write) heads_q[host_interface_i] <= (PointerBits + 1)'(host_data_i) & host_mask;
    else if (ring_set) heads_q[host_interface_i] <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (config_write_i) pdids_q[config_interface_i] <= config_pdid_i;
  end

  always_comb begin
    count_d = '0;
    if (complete) begin
      count_d[0] = outcome == ni_pkg::VerdictAccepted;
      count_d[8] = outcome != ni_pkg::VerdictAccepted;
    end else if (decide) begin
      count_d[0] = accept && !ring.in_memory;
      count_d[1] = duplicate;
      count_d[2] = !duplicate && verdict == ni_pkg::VerdictPdid;
      count_d[3] = !duplicate && verdict == ni_pkg::VerdictDisabled;
      count_d[4] = !duplicate && verdict == ni_pkg::VerdictFull;
      count_d[8] = !duplicate && verdict == ni_pkg::VerdictMemory;
    end else if (commit_q) begin
      count_d[7] = stranger_q;
      count_d[6] = !stranger_q && clearing_q;
      count_d[5] = !stranger_q && !clearing_q;
    end
  end

  // The host.
  assign host_take = ready_o && host_valid_i && !host_done_q;
  assign head_write = host_take && host_write_i && host_pointers_i && host_word_i == 4'd1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      commit_q <= 1'b0;
      stranger_q <= 1'b0;
      enable_q <= '0;
      clearing_q <= 1'b1;
      clear_q <= '0;
      clear_last_q <= '1;
      init_q <= '0;
      host_done_q <= 1'b0;
      host_error_q <= 1'b0;
      host_pointers_q <= 1'b0;
      host_word_q <= '0;
      pointer_q <= '0;
      event_valid_q <= 1'b0;
      event_interface_q <= '0;
      count_q <= '0;
    end else begin
      commit_q <= message_valid_i && message_ready_o;
      if (message_valid_i && message_ready_o) stranger_q <= (message_source_i >> PeerBits) != '0;
      if (config_write_i) enable_q[config_interface_i] <= config_enable_i;
      if (!ready_o) init_q <= init_q + 1'b1;
      if (clearing_q) begin
        clear_q <= clear_q + 1'b1;
        clearing_q <= clear_q != clear_last_q;
      end else if (forget_taken_o) begin
        clearing_q <= 1'b1;
        clear_q <= {forget_node_i, {ni_pkg::ChannelIdWidth{1'b0}}};
        clear_last_q <= {forget_node_i, {ni_pkg::ChannelIdWidth{1'b1}}};
      end
      host_done_q <= host_take;
      host_error_q <= host_write_i ? !head_write : (host_pointers_i ? host_word_i > 4'd1 : host_word_i > 4'd8 || !BlockRings || host_ring.in_memory);
      host_pointers_q <= host_pointers_i;
      host_word_q <= host_word_i;
      pointer_q <= host_word_i == 4'd0 ? tails_q[host_interface_i] : heads_q[host_interface_i];
      event_valid_q <= (accept && !ring.in_memory) || completed;
      event_interface_q <= commit_q ? interface_number : written_interface;
      count_q <= count_d;
    end
  end

  always_comb begin
    entry_word = entry_q[EntryWidth-1:ni_pkg::MessageWidth];
    for (int w = 0; w < 8; w++) begin
      if (host_word_q == 4'(w)) entry_word = entry_q[64*w+:64];
    end
  end

  assign ready_o = init_q[8];
  assign clearing_o = clearing_q;
  assign idle_o = ready_o && !clearing_q && !commit_q && !host_done_q && !event_valid_q && answer_reserved_o == '0;
  assign host_done_o = host_done_q;
  assign host_error_o = host_error_q;
  assign host_data_o = host_pointers_q ? {{(63 - PointerBits) {1'b0}}, pointer_q} : entry_word;
  assign answer_push_o = complete || (decide && decided != ni_pkg::VerdictPending);
  assign answer_verdict_o = complete ? outcome : verdict;
  assign answer_node_o = complete ? written_node : source_q;
  assign answer_rank_o = complete ? written_rank : header_q.source_rank;
  assign answer_pdid_o = complete ? written_pdid : target.pdid;
  assign answer_tag_o = complete ? written_tag : header_q.tag;
  assign answer_from_rank_o = complete ? written_from_rank : target.rank;
  assign event_valid_o = event_valid_q;
  assign event_interface_o = event_interface_q;
  assign count_o = count_q;

`ifdef FORMAL
  assign formal_tail_o = tails_q[formal_interface_i];
  assign formal_head_o = heads_q[formal_interface_i];
  assign formal_record_o = verdicts_q[formal_key_i];
  assign formal_commit_o = commit_q && !stranger_q;
  assign formal_seen_o = seen;
  assign formal_commit_key_o = complete ? {written_node[PeerBits-1:0], written_tag.channel} : {source_q[PeerBits-1:0], tag.channel};
  assign formal_written_o = complete;
  assign formal_set_o = ring_set && host_interface_i == formal_interface_i;
  always_comb begin
    formal_ring_o = '0;
    formal_ring_o.bits = 4'(SlotBits);
    if (in_memory_q[formal_interface_i]) begin
      formal_ring_o.in_memory = 1'b1;
      {formal_ring_o.bits, formal_ring_o.base} = places_q[formal_interface_i];
    end
  end
  assign formal_clear_o = clear_q;
  assign formal_clear_last_o = clear_last_q;
  assign formal_init_o = init_q;
`endif

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!accept || used >> ring.bits == '0) else $error("entry written into a full ring");
      assert (!accept || answer_push_o || entry_valid_o) else $error("message accepted without an answer");
      assert (!complete || verdicts_q[{written_node[PeerBits-1:0], written_tag.channel}] == {ni_pkg::VerdictPending, written_tag.sequence_number})
      else $error("the record of a message was replaced while its entry was written");
      assert (!written_valid_i || answer_reserved_o != '0) else $error("an entry was written that was not in flight");
    end
  end
`endif

endmodule
