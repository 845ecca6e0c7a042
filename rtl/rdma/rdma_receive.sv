// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The receive unit: decides what becomes of each cell and notification, counts what the memory has taken, and answers for whole blocks. A context is one
/// channel of one node and holds two blocks. A block that finds none waits in a queue, of which its sender is told, and is asked for when its turn comes. The
/// unit handles one event in two cycles: what the memory answered, a notification that is due, a turn, or a packet.
module rdma_receive #(
    /// Transfers at once; a power of two, at most 32.
    parameter int unsigned NumContexts = 32,
    /// Blocks that wait for a context; a power of two.
    parameter int unsigned NumWaiting = 64,
    /// Pages that are known to be present; a power of two.
    parameter int unsigned NumTranslations = 64
) (
    input  logic              clk_i,
    /// Synchronous, active low.
    input  logic              rst_ni,
    /// The time in ticks.
    input  logic [27:0]       time_i,
    /// Without input nothing happens: no context is left, all transfers are in the history.
    output logic              idle_o,
    /* verilator lint_off UNUSEDSIGNAL */
    input  rdma_pkg::config_t config_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [255:0]      pdids_i,
    input  logic [15:0]       pages_i,
    /// Cells and notifications; the word at the begin of the oldest one's payload.
    input  logic              cell_valid_i,
    output logic              cell_ready_o,
    input  rdma_pkg::meta_t   cell_i,
    /// A notification: what to write where.
    input  logic [63:0]       notify_data_i,
    input  logic [38:0]       notify_va_i,
    /// Notifications of the initiator, from the send unit: kind WriteLocal. Their results go back there.
    input  logic              local_valid_i,
    output logic              local_ready_o,
    input  rdma_pkg::write_job_t local_i,
    output logic              local_done_o,
    /// The write master.
    output logic              job_valid_o,
    input  logic              job_ready_i,
    /// It has nothing left to do: cells wait for that, since only then the payload's begin is at hand.
    input  logic              job_free_i,
    output rdma_pkg::write_job_t job_o,
    input  logic              result_valid_i,
    output logic              result_ready_o,
    input  logic [1:0]        result_kind_i,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [5:0]        result_tag_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic              result_error_i,
    input  logic [rdma_pkg::PageWidth-1:0] result_page_i,
    input  logic              result_known_i,
    /// The translation cache: in use, forgets, and has writes from before that under way.
    input  logic              translate_i,
    input  logic              forget_i,
    output logic              draining_o,
    /// An answer; lost if nobody takes it, as its receiver asks again.
    output logic              answer_valid_o,
    output rdma_pkg::meta_t   answer_o,
    /// The data of an own read are complete; lost likewise.
    output logic              done_valid_o,
    output rdma_pkg::meta_t   done_o,
    /// Cells that were not written again (0), cells of blocks or transfers that are over (1), faults (2), packets without right or context (3), blocks put into
    /// the queue (4).
    output logic [4:0]        event_o
);

  localparam int unsigned IndexWidth = $clog2(NumContexts);

  if (NumContexts < 2 || NumContexts > 32 || NumContexts != 1 << IndexWidth) begin : gen_check
    $error("rdma_receive: NumContexts must be a power of two, 2 to 32");
  end

  // States of a block.
  localparam logic [1:0] BlockActive = 2'd0;
  localparam logic [1:0] BlockFaulted = 2'd1;
  localparam logic [1:0] BlockNotifying = 2'd2;
  localparam logic [1:0] BlockComplete = 2'd3;

  /// A block in a context.
  typedef struct packed {
    logic [1:0]  state;
    logic [6:0]  written;   ///< Cells that the memory has taken.
    logic [4:0]  writes;    ///< In flight.
    logic [4:0]  unknown;   ///< Those of them to pages that may be missing.
    logic [6:0]  total;     ///< Cells; zero until the last one has been seen.
    logic        notify;    ///< It ends with a notification ...
    logic        notified;  ///< ... whose packet is here.
    logic        early;     ///< It may follow the last cell without waiting for the memory's answer.
    logic        torn;      ///< It did not begin with its first cell: those before found no context, or are lost.
    logic [11:0] transfer;
    logic [3:0]  slot;
    logic        served;
    logic [15:0] pdid;
    logic [2:0]  rank;
    logic [17:0] block;
    logic [3:0]  attempt;   ///< The attempt of the newest cell, or of the fault.
    logic        last_block;
    logic [3:0]  peer_slot;
  } block_t;

  /// A block in the queue: what its sender needs to know it again.
  typedef struct packed {
    logic [21:0] node;
    logic [9:0]  channel;
    logic        served;
    logic [11:0] transfer;
    logic [3:0]  slot;
    logic [15:0] pdid;
    logic [2:0]  rank;
    logic [17:0] block;
    logic [3:0]  attempt;
    logic        last_block;
    logic [3:0]  peer_slot;
  } turn_t;

  localparam int unsigned TurnWidth = 95;

  localparam logic [2:0] EvResult = 3'd0;
  localparam logic [2:0] EvNotify = 3'd1;
  localparam logic [2:0] EvLocal = 3'd2;
  localparam logic [2:0] EvTurn = 3'd3;
  localparam logic [2:0] EvCell = 3'd4;

  // Blocks: two for each context.
  logic [2*NumContexts-1:0]  live_q;     ///< The block's state is of this transfer.
  block_t                    block_q[2*NumContexts];
  logic [rdma_pkg::MaxCells-1:0] seen_q[2*NumContexts];  ///< Cells that the write master has.
  logic [102:0]              notify_q[2*NumContexts];

  // Completed transfers whose context has gone.
  logic        contexts_ready, contexts_idle, history_found, late, over;
  logic [11:0] history_transfer, history_age, context_transfer;

  // The event at work.
  logic        busy_q, hit_q, space_q, known_q;
  logic [2:0]  event_q;
  logic [IndexWidth:0] index_q;
  logic [IndexWidth-1:0] owner;
  logic        result_notify_q, result_error_q, result_known_q, learnable, learnable_q, known;
  logic [rdma_pkg::PageWidth-1:0] result_page_q;

  logic [32:0] key;
  logic [31:0] own_key;  ///< Node and channel.
  logic        hit, space, cell_wait, due_valid, due_ready, due_push, due_push_ready;
  logic [IndexWidth-1:0] found_index;
  logic [IndexWidth:0]   due_index;
  logic [4:0]  pick;

  // The queue. Its oldest entry is looked at again when there may be a context for it.
  turn_t       turn_in, turn;
  logic        turn_push, turn_space, turn_valid, turn_pop, turn_look, look_q, freed, ask_again;
  logic [11:0] transfer;  ///< The packet or turn at work belongs to it.

  block_t      old, fresh, next;
  /* verilator lint_off UNUSEDSIGNAL */
  block_t      other;  // The context's other block.
  /* verilator lint_on UNUSEDSIGNAL */
  logic        other_complete;
  logic [rdma_pkg::MaxCells-1:0] seen, seen_next, cell_bit;
  logic [11:0] transfer_age;
  logic [3:0]  attempt_age;
  logic [4:0]  writes;
  logic [6:0]  settled;
  logic        write_block, begin_transfer, begin_block, keep, complete, due, issue, store_notify;
  logic        answer, answer_nack;
  logic [3:0]  answer_reason;
  logic        result;

  assign idle_o = !busy_q && !due_valid && !turn_valid && contexts_idle;

  // --- Which event ---
  assign turn_look = busy_q ? event_q == EvTurn : turn_valid && look_q;
  assign key = turn_look ? {turn.node, turn.channel, turn.served} : {cell_i.node, cell_i.channel, cell_i.served};
  always_comb begin
    cell_wait = cell_valid_i && job_ready_i && job_free_i && contexts_ready;
    pick = '0;
    if (!busy_q) begin
      if (result_valid_i) pick[EvResult] = 1'b1;
      else if (due_valid && job_ready_i) pick[EvNotify] = 1'b1;
      else if (local_valid_i && job_ready_i) pick[EvLocal] = 1'b1;
      else if (turn_look) pick[EvTurn] = 1'b1;
      else if (cell_wait) pick[EvCell] = 1'b1;
    end
  end

  assign result_ready_o = pick[EvResult];
  assign local_done_o = pick[EvResult] && result_kind_i == rdma_pkg::WriteLocal;
  assign due_ready = pick[EvNotify];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      event_q <= '0;
      index_q <= '0;
      hit_q <= 1'b0;
      space_q <= 1'b0;
      known_q <= 1'b0;
      result_notify_q <= 1'b0;
      result_error_q <= 1'b0;
      result_known_q <= 1'b0;
      result_page_q <= '0;
      learnable_q <= 1'b0;
    end else begin
      busy_q <= pick != '0 && !local_done_o;
      hit_q <= hit;
      space_q <= space;
      known_q <= rdma_pkg::pdid_known(cell_i.pdid, pdids_i, pages_i);
      result_notify_q <= result_kind_i == rdma_pkg::WriteNotify;
      result_error_q <= result_error_i;
      result_known_q <= result_known_i;
      result_page_q <= result_page_i;
      learnable_q <= learnable;
      if (pick[EvResult]) begin
        event_q <= EvResult;
        index_q <= result_tag_i[IndexWidth:0];
      end else if (pick[EvNotify]) begin
        event_q <= EvNotify;
        index_q <= due_index;
      end else if (pick[EvLocal]) begin
        event_q <= EvLocal;
      end else if (pick[EvTurn]) begin
        event_q <= EvTurn;
        index_q <= {found_index, turn.block[0]};
      end else begin
        event_q <= EvCell;
        index_q <= {found_index, cell_i.block[0]};
      end
    end
  end

  // --- What becomes of it ---
  assign owner = index_q[IndexWidth:1];
  assign old = block_q[index_q];
  assign other = block_q[index_q ^ 1];
  assign other_complete = live_q[index_q ^ 1] && other.state == BlockComplete;
  assign seen = seen_q[index_q];
  assign result = busy_q && event_q == EvResult;
  assign transfer = event_q == EvTurn ? turn.transfer : cell_i.transfer;
  assign transfer_age = transfer - context_transfer;
  assign attempt_age = cell_i.attempt - old.attempt;
  assign cell_bit = {{rdma_pkg::MaxCells - 1{1'b0}}, 1'b1} << cell_i.index;

  always_comb begin
    fresh = '0;
    fresh.transfer = cell_i.transfer;
    fresh.slot = cell_i.slot;
    fresh.early = cell_i.early;
    fresh.torn = cell_i.index != '0;
    fresh.served = cell_i.served;
    fresh.pdid = cell_i.pdid;
    fresh.rank = cell_i.rank;
    fresh.block = cell_i.block;
    fresh.attempt = cell_i.attempt;
    fresh.last_block = cell_i.last_block;
    fresh.peer_slot = cell_i.peer_slot;
  end

  always_comb begin
    next = old;
    seen_next = seen;
    write_block = 1'b0;
    begin_transfer = 1'b0;
    begin_block = 1'b0;
    keep = 1'b0;
    complete = 1'b0;
    due = 1'b0;
    issue = 1'b0;
    store_notify = 1'b0;
    answer = 1'b0;
    answer_nack = 1'b0;
    answer_reason = '0;
    over = 1'b0;
    ask_again = 1'b0;
    turn_push = 1'b0;
    turn_pop = 1'b0;
    event_o = '0;
    if (busy_q && event_q == EvCell) begin
      // Refusals are said once a block, with its last cell: the sender needs no more.
      if (!known_q) begin
        answer = cell_i.last_cell;
        answer_nack = 1'b1;
        answer_reason = rdma_pkg::ReasonPdid;
        event_o[3] = 1'b1;
      end else if (!hit_q && late) begin
        answer = cell_i.last_cell;
        answer_nack = history_age != '0;
        answer_reason = rdma_pkg::ReasonFailed;
        event_o[1] = 1'b1;
      end else if (!hit_q) begin
        // Nobody passes those who wait.
        begin_transfer = space_q && !turn_valid;
        begin_block = begin_transfer;
        ask_again = !begin_transfer && cell_i.last_cell;
        event_o[3] = !begin_transfer;
      end else if (transfer_age[11]) begin
        // Only a read that nobody waits for any more still sends this.
        answer = cell_i.last_cell;
        answer_nack = 1'b1;
        answer_reason = rdma_pkg::ReasonFailed;
        event_o[1] = 1'b1;
      end else if (transfer_age != '0) begin
        // The sender is done with what was before. While writes of that are in flight nothing new begins.
        begin_transfer = writes == '0;
        begin_block = writes == '0;
        event_o[1] = writes != '0;
      end else if (!live_q[index_q] || (cell_i.block > old.block && old.writes == '0)) begin
        begin_block = 1'b1;
      end else if (cell_i.block != old.block) begin
        // The block two before was acknowledged before this one was opened.
        answer = cell_i.last_cell && cell_i.block < old.block;
        event_o[1] = 1'b1;
      end else if (old.state == BlockFaulted && attempt_age != '0 && !attempt_age[3] && old.writes == '0) begin
        begin_block = 1'b1;
      end else if (old.state == BlockActive) begin
        keep = 1'b1;
      end else if (old.state == BlockComplete) begin
        answer = cell_i.last_cell;
        event_o[1] = 1'b1;
      end else begin
        event_o[1] = 1'b1;
      end
      if (begin_block) begin
        next = fresh;
        seen_next = '0;
      end
      if (begin_block || keep) begin
        write_block = 1'b1;
        if (!attempt_age[3]) next.attempt = cell_i.attempt;
        if (cell_i.kind == ni_pkg::PacketRdmaNotify) begin
          next.notified = 1'b1;
          store_notify = 1'b1;
        end else if ((seen_next & cell_bit) != '0) begin
          event_o[0] = 1'b1;
        end else begin
          seen_next = seen_next | cell_bit;
          issue = 1'b1;
          next.writes = next.writes + 1'b1;
          if (!known) next.unknown = next.unknown + 1'b1;
          if (cell_i.notify) next.notify = 1'b1;
          if (cell_i.last_cell) next.total = cell_i.index + 1'b1;
        end
        // It is asked for again at once.
        if (next.torn && cell_i.last_cell) begin
          next.torn = 1'b0;
          ask_again = 1'b1;
        end
      end
      if (ask_again) begin
        answer = 1'b1;
        answer_nack = 1'b1;
        answer_reason = turn_space ? rdma_pkg::ReasonQueued : rdma_pkg::ReasonBusy;
        turn_push = turn_space;
        event_o[4] = turn_space;
      end
    end else if (busy_q && event_q == EvTurn) begin
      // It stays only for want of a context. Nobody waits for one whose transfer is over.
      turn_pop = hit_q || late || space_q;
      begin_transfer = !hit_q && !late && space_q;
      answer = begin_transfer || (hit_q && !transfer_age[11]);
      answer_nack = 1'b1;
      answer_reason = rdma_pkg::ReasonTurn;
    end else if (busy_q && event_q == EvResult) begin
      write_block = 1'b1;
      next.writes = old.writes - 1'b1;
      if (!result_notify_q && !result_known_q) next.unknown = old.unknown - 1'b1;
      if (result_error_q) begin
        next.state = BlockFaulted;
        event_o[2] = 1'b1;
      end else if (result_notify_q) begin
        // If it did not wait, data may have failed before it.
        if (old.state != BlockFaulted) next.state = BlockComplete;
      end else begin
        next.written = old.written + 1'b1;
      end
      complete = next.state == BlockComplete;
      if (next.state == BlockFaulted && next.writes == '0) begin
        answer = 1'b1;
        answer_nack = 1'b1;
        answer_reason = rdma_pkg::ReasonFault;
      end
    end
    // With the last cell that the memory has taken, or was told of if that cannot fail, or the notification's packet after it.
    settled = next.notify && (next.early || next.unknown == '0) ? next.written + {2'd0, next.writes} : next.written;
    if (write_block && next.state == BlockActive && next.total != '0 && settled == next.total &&
        (!next.notify || next.notified)) begin
      if (next.notify) begin
        next.state = BlockNotifying;
        due = 1'b1;
        next.writes = next.writes + 1'b1;
      end else begin
        next.state = BlockComplete;
        complete = 1'b1;
      end
    end
    if (complete) answer = 1'b1;
    // The transfer is over with its last block and the one before it: the sender has opened no block before its last but one was acknowledged.
    over = complete && ((next.last_block && (next.block == '0 || (other_complete && other.block + 1'b1 == next.block))) ||
                        (other_complete && other.last_block && next.block + 1'b1 == other.block));
  end

  // --- Contexts and the history ---
  assign history_age = transfer - history_transfer;
  assign late = history_found && (history_age == '0 || history_age[11]);

  rdma_contexts #(
      .NumContexts(NumContexts)
  ) i_contexts (
      .clk_i,
      .rst_ni,
      .time_i,
      .lifetime_i      (config_i.lifetime),
      .ready_o         (contexts_ready),
      .idle_o          (contexts_idle),
      .key_i           (key),
      .hit_o           (hit),
      .space_o         (space),
      .index_o         (found_index),
      .found_o         (history_found),
      .found_transfer_o(history_transfer),
      .owner_i         (owner),
      .own_key_o       (own_key),
      .transfer_o      (context_transfer),
      .writes_o        (writes),
      .begin_i         (begin_transfer),
      .begin_transfer_i(transfer),
      .use_i           (busy_q && (event_q == EvResult || event_q == EvNotify || begin_transfer || (event_q == EvCell && hit_q))),
      .begin_block_i   (begin_block),
      .over_i          (over),
      .issue_i         (issue),
      .due_i           (due),
      .result_i        (result),
      .quiet_i         (!busy_q && pick == '0),
      .freed_o         (freed)
  );

  assign due_push = due;

  stream_fifo #(
      .Width(IndexWidth + 1),
      .Depth(2 * NumContexts)
  ) i_due (
      .clk_i,
      .rst_ni,
      .valid_i(due_push),
      .ready_o(due_push_ready),
      .data_i (index_q),
      .valid_o(due_valid),
      .ready_i(due_ready),
      .data_o (due_index)
  );

  // --- The queue ---
  assign turn_in = {cell_i.node, cell_i.channel, cell_i.served, cell_i.transfer, cell_i.slot, cell_i.pdid, cell_i.rank, cell_i.block, cell_i.attempt,
                    cell_i.last_block, cell_i.peer_slot};

  stream_fifo #(
      .Width(TurnWidth),
      .Depth(NumWaiting)
  ) i_turns (
      .clk_i,
      .rst_ni,
      .valid_i(turn_push),
      .ready_o(turn_space),
      .data_i (turn_in),
      .valid_o(turn_valid),
      .ready_i(turn_pop),
      .data_o (turn)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) look_q <= 1'b0;
    else if (turn_push || freed) look_q <= 1'b1;
    else if (busy_q && event_q == EvTurn) look_q <= turn_pop;
  end

  rdma_translations #(
      .Entries(NumTranslations)
  ) i_translations (
      .clk_i,
      .rst_ni,
      .enable_i   (translate_i),
      .forget_i,
      .draining_o,
      .page_i     (event_q == EvResult ? result_page_q : {cell_i.rank, cell_i.pdid, cell_i.va[38:12]}),
      .known_o    (known),
      .learn_i    (result && !result_error_q && !result_notify_q && learnable_q),
      .fault_i    (result && result_error_q),
      .learnable_o(learnable),
      .write_i    (job_valid_o && job_o.kind != rdma_pkg::WriteSkip),
      .response_i (pick[EvResult])
  );

  // --- Orders to the write master ---
  assign cell_ready_o = busy_q && event_q == EvCell;
  assign local_ready_o = busy_q && event_q == EvLocal;
  assign job_valid_o = busy_q && event_q != EvResult && event_q != EvTurn;

  always_comb begin
    job_o = local_i;
    if (event_q == EvCell) begin
      job_o.kind = issue ? rdma_pkg::WriteCell : rdma_pkg::WriteSkip;
      job_o.tag = 6'(index_q);
      job_o.va = cell_i.va;
      job_o.bytes = cell_i.bytes;
      job_o.user = {cell_i.rank, cell_i.pdid};
      job_o.data = '0;
      job_o.known = known;
    end else if (event_q == EvNotify) begin
      job_o.kind = rdma_pkg::WriteNotify;
      job_o.tag = 6'(index_q);
      job_o.user = {old.rank, old.pdid};
      {job_o.va, job_o.data} = notify_q[index_q];
      job_o.known = 1'b0;
    end
  end

  // --- Answers ---
  assign answer_valid_o = answer;
  assign done_valid_o = answer && !answer_nack && answer_o.served && answer_o.last_block;
  assign done_o = answer_o;
  always_comb begin
    answer_o = '0;
    if (event_q == EvCell) begin
      answer_o = cell_i;
    end else if (event_q == EvTurn) begin
      answer_o.node = turn.node;
      answer_o.channel = turn.channel;
      answer_o.transfer = turn.transfer;
      answer_o.slot = turn.slot;
      answer_o.served = turn.served;
      answer_o.pdid = turn.pdid;
      answer_o.rank = turn.rank;
      answer_o.block = turn.block;
      answer_o.attempt = turn.attempt;
      answer_o.last_block = turn.last_block;
      answer_o.peer_slot = turn.peer_slot;
    end else begin
      answer_o.node = own_key[31:10];
      answer_o.channel = own_key[9:0];
      answer_o.transfer = old.transfer;
      answer_o.slot = old.slot;
      answer_o.served = old.served;
      answer_o.pdid = old.pdid;
      answer_o.rank = old.rank;
      answer_o.block = old.block;
      answer_o.attempt = old.attempt;
      answer_o.last_block = old.last_block;
      answer_o.peer_slot = old.peer_slot;
    end
    answer_o.kind = answer_nack ? ni_pkg::PacketRdmaNack : ni_pkg::PacketRdmaAck;
    answer_o.bytes = '0;
    answer_o.reason = answer_nack ? answer_reason : '0;
    answer_o.request = 1'b0;
  end

  // --- Tables ---
  always_ff @(posedge clk_i) begin
    if (write_block) begin
      block_q[index_q] <= next;
      seen_q[index_q] <= seen_next;
    end
    if (store_notify) notify_q[index_q] <= {notify_va_i, notify_data_i};
    if (!rst_ni) begin
      live_q <= '0;
    end else begin
      if (begin_transfer) begin
        live_q[{owner, 1'b0}] <= begin_block && !index_q[0];
        live_q[{owner, 1'b1}] <= begin_block && index_q[0];
      end else if (begin_block) begin
        live_q[index_q] <= 1'b1;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!job_valid_o || job_ready_i) else $error("order that the write master cannot take");
      assert (!due_push || due_push_ready) else $error("more notifications due than blocks");
    end
  end
`endif

endmodule
