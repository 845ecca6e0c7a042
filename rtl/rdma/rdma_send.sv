// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The send unit: keeps the transfers at work in slots (the lower half for own channels, the upper half for reads of other nodes), opens up to two blocks of
/// each, asks for their cells in turn, and repeats a block that is refused, faults or is not answered in time. One event at a time; nothing here waits for
/// the network, so answers are always taken.
module rdma_send (
    input  logic              clk_i,
    /// Synchronous, active low.
    input  logic              rst_ni,
    /// The time in ticks.
    input  logic [15:0]       now_i,
    /* verilator lint_off UNUSEDSIGNAL */
    input  rdma_pkg::config_t config_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [255:0]      pdids_i,
    input  logic [15:0]       pages_i,
    /// Transfers of own channels.
    input  logic              job_valid_i,
    output logic              job_ready_o,
    input  rdma_pkg::job_t    job_i,
    /// An own transfer is over.
    output logic              finish_valid_o,
    output logic [9:0]        finish_channel_o,
    output logic [3:0]        finish_code_o,
    /// Acks and nacks.
    input  logic              answer_valid_i,
    output logic              answer_ready_o,
    /* verilator lint_off UNUSEDSIGNAL */
    input  rdma_pkg::meta_t   answer_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// Read requests and their two payload words.
    input  logic              request_valid_i,
    output logic              request_ready_o,
    input  rdma_pkg::meta_t   request_i,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [255:0]      request_payload_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// The data of an own read are complete.
    input  logic              done_valid_i,
    output logic              done_ready_o,
    /* verilator lint_off UNUSEDSIGNAL */
    input  rdma_pkg::meta_t   done_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// Slots whose next cell must wait. A transfer begins in a slot; where it goes, and that its first cell must wait.
    input  logic [rdma_pkg::NumSlots-1:0] blocked_i,
    output logic              begin_o,
    output logic [3:0]        begin_slot_o,
    output logic [6:0]        begin_node_o,
    input  logic              begin_waits_i,
    /// Cells for the read master.
    output logic              cell_valid_o,
    input  logic              cell_ready_i,
    output rdma_pkg::meta_t   cell_o,
    output logic [38:4]       cell_address_o,
    output logic [2:0]        cell_rank_o,
    /// A cell that could not be read.
    input  logic              fault_valid_i,
    output logic              fault_ready_o,
    /* verilator lint_off UNUSEDSIGNAL */
    input  rdma_pkg::meta_t   fault_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// Notifications and read requests for the network.
    output logic              message_valid_o,
    input  logic              message_ready_i,
    output rdma_pkg::meta_t   message_o,
    output logic [255:0]      payload_o,
    /// Answers to read requests; lost if nobody takes them, as the request is repeated.
    output logic              reply_valid_o,
    output rdma_pkg::meta_t   reply_o,
    /// Notifications in the own memory, and what became of them by slot.
    output logic              local_valid_o,
    input  logic              local_ready_i,
    output rdma_pkg::write_job_t local_o,
    input  logic              local_done_i,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [5:0]        local_slot_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic              local_error_i,
    /// Without input nothing happens.
    output logic              idle_o,
    /// Blocks repeated after silence (0), a refusal (1), a fault in the own memory (2); answers that nobody waits for (3).
    output logic [3:0]        event_o,
    /// For one cycle: a block is going to be sent again.
    output logic              repeat_o
);

  localparam int unsigned NumSlots = rdma_pkg::NumSlots;

  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StEvent = 3'd1;
  localparam logic [2:0] StOpen = 3'd2;
  localparam logic [2:0] StEmit = 3'd3;
  localparam logic [2:0] StMessage = 3'd4;
  localparam logic [2:0] StLocal = 3'd5;
  localparam logic [2:0] StFinish = 3'd6;

  // Slots: what is not in rdma_send_select.
  logic [NumSlots-1:0] notifying_q;  ///< Everything is acknowledged; the notification in the own memory is not there yet.
  rdma_pkg::job_t      jobs_q[NumSlots];
  logic [18:0]         next_block_q[NumSlots];

  // The event at work.
  logic [2:0]  state_q, state_next, event_q;
  logic [3:0]  slot_q;
  logic        side_q;
  logic        repeated_q, space_q;  ///< The read request is known already; a slot is free.
  logic [3:0]  code_q;
  logic        chosen, used, any_used, side_write, side_next;

  logic [4:0]  entry, timer_index;
  logic        timer_valid, local_valid, local_ready, local_error, local_queue_ready;
  logic [3:0]  local_slot;
  logic [rdma_pkg::NumEntries-1:0] sending, offered;

  rdma_pkg::job_t job, served;
  rdma_pkg::send_block_t block, now, next;
  logic [18:0] next_block, total;
  logic        match_answer, match_done, match_fault, active, other_active, waits, back, is_last, hold, opened;
  logic        write_job, write_entry, clear_entry, clear_slot, to_send, to_wait, to_back, retry, fail, backoff, emit;
  logic        busy;    ///< The other node is busy, which is no failure;
  logic        queued;  ///< and has put the block into its queue.
  logic        request_known, request_bad, expired_still;
  logic [3:0]  cause;
  logic [14:0] bytes;
  logic        last_cell, final_block;
  logic        starting;  ///< A transfer begins;
  logic        start;     ///< and its first cell or its request goes out at once.

  rdma_send_select i_select (
      .clk_i,
      .rst_ni,
      .choose_i       (state_q == StIdle),
      .answer_valid_i,
      .answer_slot_i  (answer_i.slot),
      .answer_side_i  (answer_i.block[0] && !answer_i.request),
      .done_valid_i,
      .done_slot_i    (done_i.peer_slot),
      .fault_valid_i,
      .fault_slot_i   (fault_i.slot),
      .fault_side_i   (fault_i.block[0]),
      .local_valid_i  (local_valid),
      .local_slot_i   (local_slot),
      .timer_valid_i  (timer_valid),
      .timer_index_i  (timer_index),
      .request_valid_i,
      .request_key_i  ({request_i.node, request_i.channel, request_i.transfer}),
      .job_valid_i,
      .sending_i      (offered),
      .space_i        (cell_ready_i && message_ready_i),
      .chosen_o       (chosen),
      .event_o        (event_q),
      .slot_o         (slot_q),
      .side_o         (side_q),
      .repeated_o     (repeated_q),
      .request_space_o(space_q),
      .side_write_i   (side_write),
      .side_i         (side_next),
      .used_o         (used),
      .any_used_o     (any_used),
      .take_i         (write_job),
      .free_i         (state_q == StFinish)
  );

  rdma_block_table i_blocks (
      .clk_i,
      .rst_ni,
      .now_i,
      .timeout_i     (config_i.timeout),
      .backoff_i     (config_i.backoff),
      .index_i       (entry),
      .block_o       (block),
      .active_o      (active),
      .waits_o       (waits),
      .back_o        (back),
      .expired_o     (expired_still),
      .other_active_o(other_active),
      .write_i       (write_entry),
      .block_i       (next),
      .to_send_i     (to_send),
      .to_wait_i     (to_wait),
      .queued_i      (queued),
      .to_back_i     (to_back),
      .to_free_i     (clear_entry),
      .clear_slot_i  (clear_slot),
      .sending_o     (sending),
      .timer_valid_o (timer_valid),
      .timer_index_o (timer_index),
      .timer_taken_i (state_q == StEvent && event_q == rdma_pkg::EventTimer)
  );

  rdma_cells i_cells (
      .clk_i,
      .job_i        (job),
      .slot_i       (slot_q),
      .starting_i   (starting),
      .block_i      (now),
      .total_o      (total),
      .bytes_o      (bytes),
      .last_cell_o  (last_cell),
      .final_block_o(final_block),
      .cell_o,
      .address_o    (cell_address_o),
      .rank_o       (cell_rank_o),
      .message_o,
      .payload_o,
      .local_o
  );

  stream_fifo #(
      .Width(5),
      .Depth(NumSlots)
  ) i_local_done (
      .clk_i,
      .rst_ni,
      .valid_i(local_done_i),
      .ready_o(local_queue_ready),
      .data_i ({local_error_i, local_slot_i[3:0]}),
      .valid_o(local_valid),
      .ready_i(local_ready),
      .data_o ({local_error, local_slot})
  );
  assign local_ready = state_q == StEvent && event_q == rdma_pkg::EventLocal;

  always_comb begin
    for (int s = 0; s < NumSlots; s++) offered[2*s+:2] = blocked_i[s] ? 2'b00 : sending[2*s+:2];
  end
  assign begin_o = write_job;
  assign begin_slot_o = slot_q;
  assign begin_node_o = job.node[6:0];

  // A slot's own notification has no block. After a block the other one is looked at, perhaps it can be opened.
  always_comb begin
    side_write = state_next == StLocal || state_next == StOpen || opened;
    if (state_next == StLocal) side_next = 1'b0;
    else if (opened || emit) side_next = !side_q;
    else side_next = event_q == rdma_pkg::EventAnswer && next_block[0];
  end

  // --- What becomes of it ---
  assign entry = {slot_q, side_q};
  // A transfer that begins is not in its slot yet.
  assign starting = state_q == StEvent && (event_q == rdma_pkg::EventJob || event_q == rdma_pkg::EventRequest);
  assign job = !starting ? jobs_q[slot_q] : event_q == rdma_pkg::EventJob ? job_i : served;
  assign now = starting ? '0 : block;
  assign next_block = next_block_q[slot_q];

  assign match_answer = used && job.node == answer_i.node && job.channel == answer_i.channel &&
                        job.transfer == answer_i.transfer && (job.kind == rdma_pkg::JobServed) == answer_i.served &&
                        (job.kind == rdma_pkg::JobRead) == answer_i.request && active &&
                        (answer_i.request || now.block == answer_i.block);
  assign match_done = used && job.kind == rdma_pkg::JobRead && job.node == done_i.node &&
                      job.channel == done_i.channel && job.transfer == done_i.transfer && active;
  assign match_fault = used && job.node == fault_i.node && job.channel == fault_i.channel &&
                       job.transfer == fault_i.transfer && active && now.block == fault_i.block && now.attempt == fault_i.attempt;

  always_comb begin
    served = '0;
    served.kind = rdma_pkg::JobServed;
    served.channel = request_i.channel;
    served.transfer = request_i.transfer;
    served.pdid = request_i.pdid;
    served.rank = request_i.rank;
    served.node = request_i.node;
    served.source = request_i.va;
    served.data = request_payload_i[63:0];
    served.notify_va = request_payload_i[102:64];
    served.notify = request_payload_i[127];
    served.destination = request_payload_i[166:128];
    served.length = request_payload_i[207:176];
    served.early = request_i.early;
    served.peer_slot = request_i.slot;
  end
  assign request_known = rdma_pkg::pdid_known(request_i.pdid, pdids_i, pages_i);
  assign request_bad = served.length == '0 || served.source[3:0] != served.destination[3:0];

  // A block that is not held up can be opened as long as its slot is free. The last block of a transfer that ends with a notification or completes a
  // read waits for the ones before it, so that its own completion is the transfer's.
  assign is_last = next_block + 1'b1 == total;
  assign hold = is_last && (job.notify || job.kind == rdma_pkg::JobServed) &&
                other_active;
  assign opened = state_q == StOpen && next_block < total && side_q == next_block[0] && !active && !hold;

  always_comb begin
    state_next = state_q;
    next = now;
    write_job = 1'b0;
    write_entry = 1'b0;
    clear_entry = 1'b0;
    clear_slot = 1'b0;
    emit = 1'b0;
    start = 1'b0;
    to_send = 1'b0;
    to_wait = 1'b0;
    to_back = 1'b0;
    retry = 1'b0;
    fail = 1'b0;
    backoff = 1'b0;
    busy = 1'b0;
    queued = 1'b0;
    cause = rdma_pkg::CodeDone;
    event_o = '0;
    repeat_o = 1'b0;
    answer_ready_o = 1'b0;
    done_ready_o = 1'b0;
    fault_ready_o = 1'b0;
    request_ready_o = 1'b0;
    job_ready_o = 1'b0;
    cell_valid_o = 1'b0;
    message_valid_o = 1'b0;
    local_valid_o = 1'b0;
    finish_valid_o = 1'b0;
    reply_valid_o = 1'b0;
    reply_o = request_i;
    reply_o.kind = ni_pkg::PacketRdmaAck;
    reply_o.bytes = '0;
    reply_o.reason = '0;
    reply_o.request = 1'b1;
    reply_o.served = 1'b0;
    case (state_q)
      StIdle: if (chosen) state_next = StEvent;

      StEvent: begin
        state_next = StIdle;
        case (event_q)
          rdma_pkg::EventAnswer: begin
            answer_ready_o = 1'b1;
            event_o[3] = !match_answer;
            if (match_answer) begin
              if (answer_i.kind == ni_pkg::PacketRdmaAck) begin
                if (answer_i.request) begin
                  // The other node is at it.
                  write_entry = 1'b1;
                  next.retries = '0;
                  to_wait = 1'b1;
                end else begin
                  clear_entry = 1'b1;
                  state_next = StOpen;
                end
              end else if (answer_i.reason == rdma_pkg::ReasonPdid) begin
                fail = 1'b1;
                cause = rdma_pkg::CodeRemotePdid;
              end else if (answer_i.reason == rdma_pkg::ReasonFailed) begin
                fail = 1'b1;
                cause = rdma_pkg::CodeRemoteFault;
              end else if (answer_i.reason == rdma_pkg::ReasonTurn) begin
                // The block was refused one attempt ago and has waited since.
                if (waits && answer_i.attempt + 1'b1 == now.attempt) begin
                  write_entry = 1'b1;
                  next.offset = '0;
                  next.index = '0;
                  to_send = 1'b1;
                end else begin
                  event_o[3] = 1'b1;
                end
              end else if (answer_i.attempt == now.attempt) begin
                retry = 1'b1;
                backoff = 1'b1;
                queued = answer_i.reason == rdma_pkg::ReasonQueued;
                busy = queued || answer_i.reason == rdma_pkg::ReasonBusy;
                cause = rdma_pkg::CodeRemoteFault;
                event_o[1] = 1'b1;
              end else begin
                event_o[3] = 1'b1;
              end
            end
          end
          rdma_pkg::EventDone: begin
            done_ready_o = 1'b1;
            if (match_done) begin
              clear_slot = 1'b1;
              state_next = job.local_notify ? StLocal : StFinish;
            end
          end
          rdma_pkg::EventFault: begin
            fault_ready_o = 1'b1;
            if (match_fault) begin
              retry = 1'b1;
              backoff = 1'b1;
              cause = rdma_pkg::CodeLocalFault;
              event_o[2] = 1'b1;
            end
          end
          rdma_pkg::EventLocal: begin
            retry = local_error;
            backoff = 1'b1;
            cause = local_error ? rdma_pkg::CodeNotifyFault : rdma_pkg::CodeDone;
            event_o[2] = local_error;
            if (!local_error) state_next = StFinish;
          end
          rdma_pkg::EventTimer: begin
            if (waits && expired_still) begin
              retry = 1'b1;
              cause = rdma_pkg::CodeTimeout;
              event_o[0] = 1'b1;
            end else if (back && expired_still) begin
              to_send = !notifying_q[slot_q];
              clear_entry = 1'b1;
              if (notifying_q[slot_q]) state_next = StLocal;
            end
          end
          rdma_pkg::EventRequest: begin
            request_ready_o = 1'b1;
            reply_valid_o = 1'b1;
            if (!request_known || request_bad) begin
              reply_o.kind = ni_pkg::PacketRdmaNack;
              reply_o.reason = request_known ? rdma_pkg::ReasonFailed : rdma_pkg::ReasonPdid;
            end else if (!repeated_q) begin
              if (space_q) begin
                write_job = 1'b1;
              end else begin
                reply_o.kind = ni_pkg::PacketRdmaNack;
                reply_o.reason = rdma_pkg::ReasonBusy;
              end
            end
          end
          rdma_pkg::EventJob: begin
            job_ready_o = 1'b1;
            write_job = 1'b1;
          end
          default: state_next = job.kind == rdma_pkg::JobRead ? StMessage : StEmit;
        endcase
        // With space for what it has to say first, a transfer begins at once, else in its turn.
        start = write_job && cell_ready_i && message_ready_i;
        if (write_job && job.kind == rdma_pkg::JobRead) begin
          write_entry = 1'b1;
          to_send = !start;
          to_wait = start;
          message_valid_o = start;
        end else if (write_job) begin
          state_next = StOpen;
          emit = start && !begin_waits_i;
        end
        if (retry) begin
          if (now.retries >= config_i.retries && !busy) begin
            fail = 1'b1;
          end else begin
            write_entry = 1'b1;
            repeat_o = 1'b1;
            next.retries = busy ? '0 : now.retries + 1'b1;
            next.attempt = now.attempt + 1'b1;
            next.offset = '0;
            next.index = '0;
            to_send = !backoff;
            to_back = backoff && !queued;
            to_wait = queued;
          end
        end
        if (fail) begin
          clear_slot = 1'b1;
          state_next = StFinish;
        end
      end

      StOpen: begin
        if (opened) begin
          write_entry = 1'b1;
          next = '0;
          next.block = next_block[17:0];
          to_send = 1'b1;
        end else begin
          state_next = StIdle;
          if (next_block == total && !active && !other_active) begin
            state_next = job.local_notify ? StLocal : StFinish;
          end
        end
      end

      StEmit: begin
        state_next = StIdle;
        emit = 1'b1;
      end

      StMessage: begin
        message_valid_o = 1'b1;
        to_wait = 1'b1;
        state_next = StIdle;
      end

      StLocal: begin
        local_valid_o = 1'b1;
        if (!notifying_q[slot_q]) begin
          write_entry = 1'b1;
          next = '0;
        end
        if (local_ready_i) state_next = StIdle;
      end

      default: begin
        // StFinish.
        state_next = StIdle;
        if (job.kind != rdma_pkg::JobServed) begin
          finish_valid_o = 1'b1;
        end else if (code_q != rdma_pkg::CodeDone) begin
          reply_valid_o = 1'b1;
          reply_o = '0;
          reply_o.kind = ni_pkg::PacketRdmaNack;
          reply_o.node = job.node;
          reply_o.channel = job.channel;
          reply_o.transfer = job.transfer;
          reply_o.slot = job.peer_slot;
          reply_o.pdid = job.pdid;
          reply_o.reason = rdma_pkg::ReasonFailed;
          reply_o.request = 1'b1;
        end
      end
    endcase
    if (emit) begin
      cell_valid_o = 1'b1;
      write_entry = 1'b1;
      next.offset = now.offset + bytes;
      next.index = now.index + 1'b1;
      to_wait = last_cell;
      to_send = !last_cell;
      if (last_cell && final_block) state_next = job.notify ? StMessage : StIdle;
    end
  end

  assign idle_o = state_q == StIdle && !any_used && !timer_valid && !local_valid;
  assign finish_channel_o = job.channel;
  assign finish_code_o = code_q;

  // --- State ---
  always_ff @(posedge clk_i) begin
    if (write_job) jobs_q[slot_q] <= job;
    if (write_job || opened) next_block_q[slot_q] <= write_job ? {18'd0, emit} : next_block + 1'b1;
    if (state_q == StEvent) code_q <= cause;
    if (!rst_ni) begin
      state_q <= StIdle;
      notifying_q <= '0;
    end else begin
      state_q <= state_next;
      if (state_q == StFinish) notifying_q[slot_q] <= 1'b0;
      if (state_q == StLocal) notifying_q[slot_q] <= 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!cell_valid_o || cell_ready_i) else $error("cell that the read master cannot take");
      assert (!message_valid_o || message_ready_i) else $error("message that nobody can take");
      assert (!local_done_i || local_queue_ready) else $error("more results than slots");
    end
  end
`endif

endmodule
