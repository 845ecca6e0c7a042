// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The mailbox: a ring of entries for each virtual interface, filled by messages from the network and emptied by the host, which moves the head.
/// What becomes of a message (its verdict) is decided when its first copy arrives and remembered for the sender's channel, so that every further copy
/// gets the same answer and changes nothing. A message takes two cycles.
module ni_mailbox #(
    /// Entries of each ring: a power of two from 2 to 16.
    parameter int unsigned Depth = 16,
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
    input  logic [4:0]                          host_data_i,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic                                host_done_o,
    output logic                                host_error_o,
    output logic [63:0]                         host_data_o,
    /// The system sets protection domain and enable bit of an interface.
    input  logic                                config_write_i,
    input  logic [ni_pkg::InterfaceWidth-1:0]   config_interface_i,
    input  logic [ni_pkg::PdidWidth-1:0]        config_pdid_i,
    input  logic                                config_enable_i,
    /// Forgets what a node sent, since it was reset; taken when nothing is being cleared.
    input  logic                                forget_i,
    input  logic [PeerBits-1:0]                 forget_node_i,

    /// Without input nothing happens.
    output logic                                idle_o,
    /// One-cycle pulses for the counters: unknown source, dropped while clearing, dropped for want of a slot for the answer, nacks full, disabled, PDID, duplicate,
    /// accepted (bit 7 to 0).
    output logic [7:0]                          count_o
`ifdef FORMAL
    ,
    /// One interface and one channel of a node for the proofs: pointers, the record, and the message that is being decided on.
    input  logic [ni_pkg::InterfaceWidth-1:0]   formal_interface_i,
    input  logic [PeerBits+ni_pkg::ChannelIdWidth-1:0] formal_key_i,
    output logic [$clog2(Depth):0]              formal_tail_o,
    output logic [$clog2(Depth):0]              formal_head_o,
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
  localparam int unsigned PeerChannels = PeerBits + ni_pkg::ChannelIdWidth;
  localparam int unsigned EntryWidth = ni_pkg::MessageWidth + 64;
  localparam int unsigned MemoryWidth = ni_pkg::VerdictWidth + ni_pkg::SequenceWidth;

  if (Depth < 2 || Depth > 16 || Depth != 1 << SlotBits) begin : gen_check_depth
    $error("ni_mailbox: Depth must be a power of two from 2 to 16");
  end
  if (PeerBits < 1 || PeerBits > 12) begin : gen_check_peers
    $error("ni_mailbox: PeerBits must be 1 to 12");
  end

  logic [EntryWidth-1:0] entries_q[ni_pkg::NumInterfaces*Depth];
  logic [MemoryWidth-1:0] verdicts_q[1<<PeerChannels];  ///< By source node and channel: verdict and sequence number of the last message.
  logic [SlotBits:0] tails_q[ni_pkg::NumInterfaces];    // One bit more than a slot tells full from empty.
  logic [SlotBits:0] heads_q[ni_pkg::NumInterfaces];
  logic [ni_pkg::PdidWidth-1:0] pdids_q[ni_pkg::NumInterfaces];
  logic [ni_pkg::NumInterfaces-1:0] enable_q;

  // The message in its second cycle.
  logic commit_q, stranger_q;
  logic [21:0] source_q;
  logic [MemoryWidth-1:0] seen_q;
  ni_pkg::message_tag_t tag;
  /* verilator lint_off UNUSEDSIGNAL */
  ni_pkg::message_tag_t arriving_tag;
  ni_pkg::ni_header_t header_q;
  ni_pkg::ni_header_t header;
  ni_pkg::gvas_t target;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [5:0] interface_number;
  logic [SlotBits:0] tail, head, used;
  logic duplicate, decide, accept;
  logic [2:0] verdict;
  logic [ni_pkg::MessageWidth-1:0] data;
  logic [7:0] count_d, count_q;

  // Clearing: of everything after reset, of one node's channels later.
  logic clearing_q;
  logic [PeerChannels-1:0] clear_q, arriving;
  logic [PeerChannels-1:0] clear_last_q;
  logic [8:0] init_q;

  logic host_take, host_done_q, host_error_q, host_pointers_q;
  logic [EntryWidth-1:0] entry_q;
  logic [63:0] entry_word;
  logic [SlotBits:0] pointer_q;
  logic [3:0] host_word_q;
  logic head_write, event_valid_q;
  logic [5:0] event_interface_q;

  assign header = message_header_i;
  assign arriving = {message_source_i[PeerBits-1:0], arriving_tag.channel};
  assign arriving_tag = header.tag;
  assign message_ready_o = !commit_q;

  // First cycle: look up what is known of the channel, which may be cleared at this very edge.
  always_ff @(posedge clk_i) begin
    if (message_valid_i && message_ready_o) begin
      header_q <= message_header_i;
      source_q <= message_source_i;
      seen_q <= clearing_q && clear_q == arriving ? '0 : verdicts_q[arriving];
    end
  end

  // Second cycle: decide.
  assign tag = header_q.tag;
  assign target = header_q.destination;
  assign interface_number = target.va[17:12];
  assign tail = tails_q[interface_number];
  assign head = heads_q[interface_number];
  assign used = tail - head;
  assign duplicate = seen_q[MemoryWidth-1:ni_pkg::SequenceWidth] != ni_pkg::VerdictNone &&
                     seen_q[ni_pkg::SequenceWidth-1:0] == tag.sequence_number;
  assign decide = commit_q && !stranger_q && !clearing_q && !answer_full_i;
  assign accept = decide && !duplicate && verdict == ni_pkg::VerdictAccepted;

  always_comb begin
    if (duplicate) verdict = seen_q[MemoryWidth-1:ni_pkg::SequenceWidth];
    else if (!enable_q[interface_number]) verdict = ni_pkg::VerdictDisabled;
    else if (pdids_q[interface_number] != target.pdid) verdict = ni_pkg::VerdictPdid;
    else if (used >= (SlotBits + 1)'(Depth)) verdict = ni_pkg::VerdictFull;
    else verdict = ni_pkg::VerdictAccepted;
  end

  // Words that the message does not have are left over from some other message of the network: zero.
  always_comb begin
    for (int w = 0; w < 4; w++) data[128*w+:128] = header_q.bytes > 9'(16 * w) ? message_data_i[128*w+:128] : '0;
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      entries_q[{interface_number, tail[SlotBits-1:0]}] <=
          {header_q.bytes[6:0], header_q.source_rank, source_q, tag.channel, tag.sequence_number, data};
    end
    if (host_take) entry_q <= entries_q[{host_interface_i, host_slot_i[SlotBits-1:0]}];
  end

  always_ff @(posedge clk_i) begin
    if (clearing_q) verdicts_q[clear_q] <= '0;
    else if (decide) verdicts_q[{source_q[PeerBits-1:0], tag.channel}] <= {verdict, tag.sequence_number};
  end

  always_ff @(posedge clk_i) begin
    if (!ready_o) tails_q[init_q[5:0]] <= '0;
    else if (accept) tails_q[interface_number] <= tail + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!ready_o) heads_q[init_q[5:0]] <= '0;
    else if (head_write) heads_q[host_interface_i] <= (SlotBits + 1)'(host_data_i);
  end

  always_ff @(posedge clk_i) begin
    if (config_write_i) pdids_q[config_interface_i] <= config_pdid_i;
  end

  always_comb begin
    count_d = '0;
    if (decide) begin
      count_d[0] = accept;
      count_d[1] = duplicate;
      count_d[2] = !duplicate && verdict == ni_pkg::VerdictPdid;
      count_d[3] = !duplicate && verdict == ni_pkg::VerdictDisabled;
      count_d[4] = !duplicate && verdict == ni_pkg::VerdictFull;
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
      end else if (forget_i) begin
        clearing_q <= 1'b1;
        clear_q <= {forget_node_i, {ni_pkg::ChannelIdWidth{1'b0}}};
        clear_last_q <= {forget_node_i, {ni_pkg::ChannelIdWidth{1'b1}}};
      end
      host_done_q <= host_take;
      host_error_q <= host_write_i ? !head_write : (host_pointers_i ? host_word_i > 4'd1 : host_word_i > 4'd8);
      host_pointers_q <= host_pointers_i;
      host_word_q <= host_word_i;
      pointer_q <= host_word_i == 4'd0 ? tails_q[host_interface_i] : heads_q[host_interface_i];
      event_valid_q <= accept;
      event_interface_q <= interface_number;
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
  assign idle_o = ready_o && !clearing_q && !commit_q && !host_done_q && !event_valid_q;
  assign host_done_o = host_done_q;
  assign host_error_o = host_error_q;
  assign host_data_o = host_pointers_q ? {{(63 - SlotBits) {1'b0}}, pointer_q} : entry_word;
  assign answer_push_o = decide;
  assign answer_verdict_o = verdict;
  assign answer_node_o = source_q;
  assign answer_rank_o = header_q.source_rank;
  assign answer_pdid_o = target.pdid;
  assign answer_tag_o = header_q.tag;
  assign answer_from_rank_o = target.rank;
  assign event_valid_o = event_valid_q;
  assign event_interface_o = event_interface_q;
  assign count_o = count_q;

`ifdef FORMAL
  assign formal_tail_o = tails_q[formal_interface_i];
  assign formal_head_o = heads_q[formal_interface_i];
  assign formal_record_o = verdicts_q[formal_key_i];
  assign formal_commit_o = commit_q && !stranger_q;
  assign formal_seen_o = seen_q;
  assign formal_commit_key_o = {source_q[PeerBits-1:0], tag.channel};
  assign formal_clear_o = clear_q;
  assign formal_clear_last_o = clear_last_q;
  assign formal_init_o = init_q;
`endif

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!accept || used < (SlotBits + 1)'(Depth)) else $error("entry written into a full ring");
      assert (!accept || answer_push_o) else $error("message accepted without an answer");
    end
  end
`endif

endmodule
