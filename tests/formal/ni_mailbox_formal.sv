// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// ni_mailbox: a ring never holds more than its depth, whatever the network sends, as long as the host moves its head over entries that are there; each copy of a
/// message gets the verdict of the first and changes nothing, and has none while the first is being written; a record that is cleared is never taken for a message.
/// One interface and one channel of a node stand for all. That the record of an entry in flight stays is assumed; the test benches assert it.
module ni_mailbox_formal (
    input logic         clk_i,
    input logic         message_valid_i,
    input logic [21:0]  message_source_i,
    input logic [127:0] message_header_i,
    input logic [511:0] message_data_i,
    input logic         answer_full_i,
    input logic         host_valid_i,
    input logic         host_write_i,
    input logic [5:0]   host_interface_i,
    input logic         host_pointers_i,
    input logic [3:0]   host_slot_i,
    input logic [3:0]   host_word_i,
    input logic [12:0]  host_data_i,
    input logic         written_valid_i,
    input logic         written_error_i,
    input logic         ring_write_i,
    input logic [63:0]  ring_i,
    input logic         config_write_i,
    input logic [5:0]   config_interface_i,
    input logic [15:0]  config_pdid_i,
    input logic         config_enable_i,
    input logic         forget_i,
    input logic         forget_node_i
);

  localparam int unsigned Depth = 4;

  logic rst_q = 1'b0;
  always_ff @(posedge clk_i) rst_q <= 1'b1;

  (* anyconst *) logic [5:0] ring;
  (* anyconst *) logic [8:0] key;

  logic ready, clearing, message_ready, push, event_valid, host_done, host_error, idle, commit;
  logic [2:0] verdict, answer_rank, from_rank;
  logic [21:0] answer_node;
  logic [15:0] answer_pdid;
  logic [31:0] answer_tag;
  logic [5:0] event_interface;
  logic [63:0] host_data;
  logic [8:0] count;
  logic [5:0] reserved;
  logic entry_valid, written_ready, forget_taken, ring_taken, ring_refused, set, written;
  ni_pkg::ring_entry_t entry;
  ni_pkg::ring_t host_ring, place;
  logic [2:0] tail, head;
  logic [26:0] record, seen;
  logic [8:0] commit_key, clear, clear_last, init;

  ni_mailbox #(
      .Depth   (Depth),
      .RingBits(2),
      .PeerBits(1)
  ) i_dut (
      .clk_i,
      .rst_ni             (rst_q),
      .ready_o            (ready),
      .clearing_o         (clearing),
      .message_valid_i,
      .message_source_i,
      .message_header_i,
      .message_data_i,
      .message_ready_o    (message_ready),
      .answer_push_o      (push),
      .answer_verdict_o   (verdict),
      .answer_node_o      (answer_node),
      .answer_rank_o      (answer_rank),
      .answer_pdid_o      (answer_pdid),
      .answer_tag_o       (answer_tag),
      .answer_from_rank_o (from_rank),
      .answer_full_i,
      .answer_reserved_o  (reserved),
      .entry_valid_o      (entry_valid),
      .entry_o            (entry),
      .written_valid_i,
      .written_ready_o    (written_ready),
      .written_error_i,
      .event_valid_o      (event_valid),
      .event_interface_o  (event_interface),
      .host_valid_i,
      .host_write_i,
      .host_interface_i,
      .host_pointers_i,
      .host_slot_i,
      .host_word_i,
      .host_data_i,
      .host_done_o        (host_done),
      .host_error_o       (host_error),
      .host_data_o        (host_data),
      .config_write_i,
      .config_interface_i,
      .config_pdid_i,
      .config_enable_i,
      .forget_i,
      .forget_node_i,
      .forget_taken_o     (forget_taken),
      .ring_write_i,
      .ring_i,
      .ring_taken_o       (ring_taken),
      .ring_refused_o     (ring_refused),
      .ring_o             (host_ring),
      .idle_o             (idle),
      .count_o            (count),
      .formal_interface_i (ring),
      .formal_key_i       (key),
      .formal_tail_o      (tail),
      .formal_head_o      (head),
      .formal_ring_o      (place),
      .formal_set_o       (set),
      .formal_written_o   (written),
      .formal_record_o    (record),
      .formal_commit_o    (commit),
      .formal_seen_o      (seen),
      .formal_commit_key_o(commit_key),
      .formal_clear_o     (clear),
      .formal_clear_last_o(clear_last),
      .formal_init_o      (init)
  );

  logic [2:0] used, mask, tail_q, mask_q;
  logic set_q, entered_q;
  logic known_q = 1'b0;
  logic cleared_q;  ///< The record has been cleared since reset.
  logic copy, copy_q;
  assign mask = 3'((6'd2 << place.bits) - 6'd1);
  assign used = (tail - head) & mask;
  assign copy = push && !written && commit_key == key && record[23:0] == answer_tag[31:8] && record[26:24] != ni_pkg::VerdictNone;

  always_ff @(posedge clk_i) begin
    known_q <= rst_q && init > {3'd0, ring};
    tail_q <= tail;
    mask_q <= mask;
    set_q <= rst_q && set;
    entered_q <= entry_valid;
    copy_q <= rst_q && copy;
    if (!rst_q) cleared_q <= 1'b0;
    else if (clearing && clear == key) cleared_q <= 1'b1;
  end

  always_comb begin
    if (rst_q) begin
      // What is written was in flight, and its record says so.
      assume (!written_valid_i || reserved != '0);
      if (written && commit_key == key) assume (record == {ni_pkg::VerdictPending, answer_tag[31:8]});
      // One access at a time.
      assume (!host_valid_i || !ring_write_i);
      // The host moves a head over entries that are there.
      if (host_valid_i && host_write_i && host_pointers_i && host_word_i == 4'd1 && host_interface_i == ring)
        assume (3'((tail - host_data_i[2:0]) & mask) <= used);

      assert (init <= 9'd256);
      if (clearing) assert (reserved == '0);
      // The pointers are clear long before the records are.
      if (!ready) assert (clearing && clear == init && clear_last == '1);
      if (!ready && init > {3'd0, ring}) assert (tail == '0 && head == '0);
      assert (place.bits == 4'd1 || place.bits == 4'd2);
      if (init > {3'd0, ring}) assert (used <= 3'(1 << place.bits) && (tail & ~mask) == '0 && (head & ~mask) == '0);
      // Until its turn comes after reset, a record may hold anything, but then all messages are dropped.
      if (!cleared_q) assert (clearing && clear <= key && clear_last == '1);
      if (cleared_q) assert (record[26:24] <= ni_pkg::VerdictPending);
      if (commit && commit_key == key && !clearing) assert (seen == record);
      if (push && commit_key == key) assert (verdict != ni_pkg::VerdictNone && verdict <= ni_pkg::VerdictMemory);
      if (copy) assert (verdict == record[26:24] && !entry_valid);
      if (copy_q) assert (!event_valid);
      // The answer to what is written to the host's memory comes when that has it.
      if (entry_valid) assert (!push);
      if (push && !written && commit_key == key) assert (record[26:24] != ni_pkg::VerdictPending);
      // An entry more is told, or goes to the host's memory.
      if (known_q && !set_q && tail != tail_q)
        assert (tail == ((tail_q + 3'd1) & mask_q) && (entered_q || (event_valid && event_interface == ring)));
      if (set_q) assert (tail == '0 && head == '0);
    end
  end

endmodule
