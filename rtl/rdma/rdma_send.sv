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
    output logic [3:0]        event_o
);

  localparam int unsigned NumSlots = rdma_pkg::NumSlots;
  localparam int unsigned NumEntries = rdma_pkg::NumEntries;

  /// A block that is sent: its number, how far it is, and how often it was tried.
  typedef struct packed {
    logic [17:0] block;
    logic [14:0] offset;
    logic [6:0]  index;
    logic [3:0]  attempt;
    logic [3:0]  retries;
  } entry_t;

  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StEvent = 3'd1;
  localparam logic [2:0] StOpen = 3'd2;
  localparam logic [2:0] StEmit = 3'd3;
  localparam logic [2:0] StMessage = 3'd4;
  localparam logic [2:0] StLocal = 3'd5;
  localparam logic [2:0] StFinish = 3'd6;

  localparam logic [2:0] EvAnswer = 3'd0;
  localparam logic [2:0] EvDone = 3'd1;
  localparam logic [2:0] EvFault = 3'd2;
  localparam logic [2:0] EvLocal = 3'd3;
  localparam logic [2:0] EvTimer = 3'd4;
  localparam logic [2:0] EvRequest = 3'd5;
  localparam logic [2:0] EvJob = 3'd6;
  localparam logic [2:0] EvIssue = 3'd7;

  // Slots and their blocks.
  logic [NumSlots-1:0] used_q;
  logic [NumSlots-1:0] notifying_q;  ///< Everything is acknowledged; the notification in the own memory is not there yet.
  rdma_pkg::job_t      jobs_q[NumSlots];
  logic [18:0]         next_block_q[NumSlots];
  logic [8*44-1:0]     served_q;  ///< Node, channel and transfer of each read of another node.
  // A block is sent, waits for its answer or waits to be repeated; in none of them it is free.
  logic [NumEntries-1:0] send_q, wait_q, back_q;
  entry_t              entries_q[NumEntries];
  logic [15:0]         deadline_q[NumEntries];

  // The event at work.
  logic [2:0]  state_q, event_q;
  logic [3:0]  slot_q;
  logic        side_q;
  logic        repeated_q, room_q;  ///< Of a read request: known already; a slot is free.
  logic [3:0]  code_q;
  logic        issued_q;
  logic [38:0] source_q, destination_q;
  logic [14:0] left_q;
  logic        final_q;
  logic [4:0]  sweep_q;
  logic        expired_q;
  logic [4:0]  expired_entry_q;

  logic [7:0]  pick;
  logic [NumEntries-1:0] issue_grant;
  logic [4:0]  issue_entry, entry;
  logic [3:0]  own_free, served_free, served_same;
  logic        own_room, served_room, served_repeated, issue_possible, event_possible;
  logic        local_valid, local_ready, local_error, local_queue_ready;
  logic [3:0]  local_slot;

  rdma_pkg::job_t job, served;
  entry_t      now, next;
  logic [18:0] next_block, total;
  logic        match_answer, match_done, match_fault, active, is_last, hold, opened;
  logic        write_job, write_entry, clear_entry, clear_slot, to_send, to_wait, to_back, retry, fail, backoff, emit;
  logic        request_known, request_bad, expired_still;
  logic [3:0]  cause;
  logic [2:0]  state_next;
  logic [31:0] offset;
  logic [8:0]  to_boundary;
  logic [12:0] to_page;
  logic [14:0] bytes, left;
  logic [38:0] source, destination;
  logic        final_block;
  logic        starting;  ///< A transfer begins;
  logic        start;     ///< and its first cell or its request goes out at once.
  logic        last_cell;

  // --- Which event ---
  always_comb begin
    own_room = 1'b0;
    own_free = '0;
    served_room = 1'b0;
    served_free = '0;
    served_repeated = 1'b0;
    served_same = '0;
    for (int s = 0; s < 8; s++) begin
      if (!used_q[s]) begin
        own_room = 1'b1;
        own_free = 4'(s);
      end
      if (!used_q[8+s]) begin
        served_room = 1'b1;
        served_free = 4'(8 + s);
      end
      if (used_q[8+s] && served_q[44*s+:44] == {request_i.node, request_i.channel, request_i.transfer}) begin
        served_repeated = 1'b1;
        served_same = 4'(8 + s);
      end
    end
  end

  assign issue_possible = send_q != '0 && cell_ready_i && message_ready_i;
  always_comb begin
    pick = '0;
    if (answer_valid_i) pick[EvAnswer] = 1'b1;
    else if (done_valid_i) pick[EvDone] = 1'b1;
    else if (fault_valid_i) pick[EvFault] = 1'b1;
    else if (local_valid) pick[EvLocal] = 1'b1;
    else if (expired_q) pick[EvTimer] = 1'b1;
    else if (request_valid_i) pick[EvRequest] = 1'b1;
    else if (job_valid_i && own_room) pick[EvJob] = 1'b1;
    event_possible = pick != '0;
    // Other events cannot keep cells from being sent.
    if (issue_possible && (!event_possible || !issued_q)) begin
      pick = '0;
      pick[EvIssue] = 1'b1;
    end
    if (state_q != StIdle) pick = '0;
  end

  exanet_arbiter #(
      .NumRequests(NumEntries)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i (pick[EvIssue]),
      .request_i(send_q),
      .grant_o  (issue_grant)
  );
  assign issue_entry = rdma_pkg::encode(issue_grant);

  rdma_queue #(
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
  assign local_ready = state_q == StEvent && event_q == EvLocal;

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      repeated_q <= served_repeated;
      room_q <= served_room;
      side_q <= 1'b0;
      if (pick[EvAnswer]) begin
        event_q <= EvAnswer;
        slot_q <= answer_i.slot;
        side_q <= answer_i.block[0] && !answer_i.request;
      end else if (pick[EvDone]) begin
        event_q <= EvDone;
        slot_q <= done_i.peer_slot;
      end else if (pick[EvFault]) begin
        event_q <= EvFault;
        slot_q <= fault_i.slot;
        side_q <= fault_i.block[0];
      end else if (pick[EvLocal]) begin
        event_q <= EvLocal;
        slot_q <= local_slot;
      end else if (pick[EvTimer]) begin
        event_q <= EvTimer;
        {slot_q, side_q} <= expired_entry_q;
      end else if (pick[EvRequest]) begin
        event_q <= EvRequest;
        slot_q <= served_repeated ? served_same : served_free;
      end else if (pick[EvJob]) begin
        event_q <= EvJob;
        slot_q <= own_free;
      end else begin
        event_q <= EvIssue;
        {slot_q, side_q} <= issue_entry;
      end
    end else if (state_next == StLocal) begin
      side_q <= 1'b0;
    end else if (opened || (starting && emit && state_next == StOpen)) begin
      // The other block, perhaps.
      side_q <= !side_q;
    end else if (state_next == StOpen && state_q == StEvent) begin
      side_q <= event_q == EvAnswer ? next_block[0] : 1'b0;
    end
  end

  // --- What becomes of it ---
  assign entry = {slot_q, side_q};
  // A transfer that begins is not in its slot yet.
  assign starting = state_q == StEvent && (event_q == EvJob || event_q == EvRequest);
  assign job = !starting ? jobs_q[slot_q] : event_q == EvJob ? job_i : served;
  assign now = starting ? '0 : entries_q[entry];
  assign next_block = next_block_q[slot_q];
  assign active = send_q[entry] || wait_q[entry] || back_q[entry];
  assign total = {1'b0, job.length[31:14]} + {18'd0, |job.length[13:0]};

  assign match_answer = used_q[slot_q] && job.node == answer_i.node && job.channel == answer_i.channel &&
                        job.transfer == answer_i.transfer && (job.kind == rdma_pkg::JobServed) == answer_i.served &&
                        (job.kind == rdma_pkg::JobRead) == answer_i.request && active &&
                        (answer_i.request || now.block == answer_i.block);
  assign match_done = used_q[slot_q] && job.kind == rdma_pkg::JobRead && job.node == done_i.node &&
                      job.channel == done_i.channel && job.transfer == done_i.transfer && active;
  assign match_fault = used_q[slot_q] && job.node == fault_i.node && job.channel == fault_i.channel &&
                       job.transfer == fault_i.transfer && active && now.block == fault_i.block && now.attempt == fault_i.attempt;
  assign expired_still = 16'(now_i - deadline_q[entry]) < 16'h8000;

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
    served.peer_slot = request_i.slot;
  end
  assign request_known = rdma_pkg::pdid_known(request_i.pdid, pdids_i, pages_i);
  assign request_bad = served.length == '0 || served.source[3:0] != served.destination[3:0];

  // A block that is not held up can be opened as long as its place is free. The last block of a transfer that ends with a notification or completes a
  // read waits for the ones before it, so that its own completion is the transfer's.
  assign is_last = next_block + 1'b1 == total;
  assign hold = is_last && (job.notify || job.kind == rdma_pkg::JobServed) &&
                (send_q[entry^5'd1] || wait_q[entry^5'd1] || back_q[entry^5'd1]);
  assign opened = state_q == StOpen && next_block < total && side_q == next_block[0] && !active && !hold;

  // The cell to send: up to the next 256 bytes of the destination or the next page of the source.
  assign offset = {now.block, 14'd0} + {17'd0, now.offset};
  assign source = starting ? job.source : source_q;
  assign destination = starting ? job.destination : destination_q;
  assign final_block = starting ? total == 19'd1 : final_q;
  assign left = !starting ? left_q : final_block ? job.length[14:0] : 15'd16384;
  assign to_boundary = 9'd256 - {1'b0, destination[7:0]};
  assign to_page = 13'd4096 - {1'b0, source[11:0]};
  always_comb begin
    bytes = left;
    if (bytes > {6'd0, to_boundary}) bytes = {6'd0, to_boundary};
    if (bytes > {2'd0, to_page}) bytes = {2'd0, to_page};
  end
  assign last_cell = bytes == left;

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
    cause = rdma_pkg::CodeDone;
    event_o = '0;
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
      StIdle: if (pick != '0) state_next = StEvent;

      StEvent: begin
        state_next = StIdle;
        case (event_q)
          EvAnswer: begin
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
              end else if (answer_i.attempt == now.attempt) begin
                retry = 1'b1;
                backoff = 1'b1;
                cause = answer_i.reason == rdma_pkg::ReasonFault ? rdma_pkg::CodeRemoteFault : rdma_pkg::CodeRemoteBusy;
                event_o[1] = 1'b1;
              end else begin
                event_o[3] = 1'b1;
              end
            end
          end
          EvDone: begin
            done_ready_o = 1'b1;
            if (match_done) begin
              clear_slot = 1'b1;
              state_next = job.local_notify ? StLocal : StFinish;
            end
          end
          EvFault: begin
            fault_ready_o = 1'b1;
            if (match_fault) begin
              retry = 1'b1;
              backoff = 1'b1;
              cause = rdma_pkg::CodeLocalFault;
              event_o[2] = 1'b1;
            end
          end
          EvLocal: begin
            retry = local_error;
            backoff = 1'b1;
            cause = local_error ? rdma_pkg::CodeNotifyFault : rdma_pkg::CodeDone;
            event_o[2] = local_error;
            if (!local_error) state_next = StFinish;
          end
          EvTimer: begin
            if (wait_q[entry] && expired_still) begin
              retry = 1'b1;
              cause = rdma_pkg::CodeTimeout;
              event_o[0] = 1'b1;
            end else if (back_q[entry] && expired_still) begin
              to_send = !notifying_q[slot_q];
              clear_entry = 1'b1;
              if (notifying_q[slot_q]) state_next = StLocal;
            end
          end
          EvRequest: begin
            request_ready_o = 1'b1;
            reply_valid_o = 1'b1;
            if (!request_known || request_bad) begin
              reply_o.kind = ni_pkg::PacketRdmaNack;
              reply_o.reason = request_known ? rdma_pkg::ReasonFailed : rdma_pkg::ReasonPdid;
            end else if (!repeated_q) begin
              if (room_q) begin
                write_job = 1'b1;
              end else begin
                reply_o.kind = ni_pkg::PacketRdmaNack;
                reply_o.reason = rdma_pkg::ReasonBusy;
              end
            end
          end
          EvJob: begin
            job_ready_o = 1'b1;
            write_job = 1'b1;
          end
          default: state_next = job.kind == rdma_pkg::JobRead ? StMessage : StEmit;
        endcase
        // With room for what it has to say first, a transfer begins at once, else in its turn.
        start = write_job && cell_ready_i && message_ready_i;
        if (write_job && job.kind == rdma_pkg::JobRead) begin
          write_entry = 1'b1;
          to_send = !start;
          to_wait = start;
          message_valid_o = start;
        end else if (write_job) begin
          state_next = StOpen;
          emit = start;
        end
        if (retry) begin
          if (now.retries >= config_i.retries) begin
            fail = 1'b1;
          end else begin
            write_entry = 1'b1;
            next.retries = now.retries + 1'b1;
            next.attempt = now.attempt + 1'b1;
            next.offset = '0;
            next.index = '0;
            to_send = !backoff;
            to_back = backoff;
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
          if (next_block == total && !active && !(send_q[entry^5'd1] || wait_q[entry^5'd1] || back_q[entry^5'd1])) begin
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

  assign idle_o = state_q == StIdle && used_q == '0 && !expired_q && !local_valid;
  assign finish_channel_o = job.channel;
  assign finish_code_o = code_q;

  // --- What goes out ---
  always_comb begin
    cell_o = '0;
    cell_o.kind = ni_pkg::PacketRdmaWrite;
    cell_o.node = job.node;
    cell_o.bytes = bytes[9:0] + {6'd0, destination[3:0]};
    cell_o.channel = job.channel;
    cell_o.transfer = job.transfer;
    cell_o.index = now.index;
    cell_o.slot = slot_q;
    cell_o.served = job.kind == rdma_pkg::JobServed;
    cell_o.last_cell = last_cell;
    cell_o.early = job.early;
    cell_o.notify = job.notify && final_block;
    cell_o.va = destination;
    cell_o.pdid = job.pdid;
    cell_o.rank = cell_o.served ? 3'd0 : job.rank;
    cell_o.block = now.block;
    cell_o.attempt = now.attempt;
    cell_o.last_block = final_block;
    cell_o.peer_slot = job.peer_slot;

    message_o = cell_o;
    if (job.kind == rdma_pkg::JobRead) begin
      message_o.kind = ni_pkg::PacketRdmaRead;
      message_o.bytes = 10'd32;
      message_o.va = job.source;
      message_o.block = '0;
      message_o.last_block = 1'b0;
      message_o.rank = job.rank;
    end else begin
      message_o.kind = ni_pkg::PacketRdmaNotify;
      message_o.bytes = 10'd16;
      message_o.va = job.notify_va;
      message_o.last_block = 1'b1;
    end
    message_o.index = '0;
    message_o.last_cell = 1'b0;
    message_o.notify = 1'b0;
    payload_o = '0;
    payload_o[63:0] = job.data;
    payload_o[102:64] = job.notify_va;
    payload_o[127] = job.notify;
    payload_o[166:128] = job.destination;
    payload_o[207:176] = job.length;

    local_o = '0;
    local_o.kind = rdma_pkg::WriteLocal;
    local_o.tag = {2'd0, slot_q};
    local_o.va = job.local_va;
    local_o.bytes = 10'd8;
    local_o.user = {3'd0, job.pdid};
    local_o.data = job.data;
  end
  assign cell_address_o = source[38:4];
  assign cell_rank_o = cell_o.served ? job.rank : 3'd0;

  // --- State ---
  always_ff @(posedge clk_i) begin
    if (write_job) jobs_q[slot_q] <= job;
    if (write_job || opened) next_block_q[slot_q] <= write_job ? {18'd0, emit} : next_block + 1'b1;
    if (write_entry) entries_q[entry] <= next;
    if (to_wait || to_back) deadline_q[entry] <= now_i + (to_back ? config_i.backoff : config_i.timeout);
    // For the cell that is sent next.
    source_q <= job.source + {7'd0, offset};
    destination_q <= job.destination + {7'd0, offset};
    final_q <= {1'b0, now.block} + 1'b1 == total;
    left_q <= ({1'b0, now.block} + 1'b1 == total && job.length[13:0] != '0 ? {1'b0, job.length[13:0]} : 15'd16384) - now.offset;
    if (state_q == StEvent) code_q <= cause;
    if (!rst_ni) begin
      state_q <= StIdle;
      used_q <= '0;
      notifying_q <= '0;
      served_q <= '0;
      send_q <= '0;
      wait_q <= '0;
      back_q <= '0;
      issued_q <= 1'b0;
      sweep_q <= '0;
      expired_q <= 1'b0;
      expired_entry_q <= '0;
    end else begin
      state_q <= state_next;
      if (pick != '0) issued_q <= pick[EvIssue];
      if (write_job) begin
        used_q[slot_q] <= 1'b1;
        if (slot_q[3]) served_q[44*slot_q[2:0]+:44] <= {request_i.node, request_i.channel, request_i.transfer};
      end
      if (state_q == StFinish) begin
        used_q[slot_q] <= 1'b0;
        notifying_q[slot_q] <= 1'b0;
      end
      if (state_q == StLocal) notifying_q[slot_q] <= 1'b1;
      if (to_send || to_wait || to_back || clear_entry) begin
        send_q[entry] <= to_send;
        wait_q[entry] <= to_wait;
        back_q[entry] <= to_back;
      end
      if (clear_slot) begin
        send_q[{slot_q, 1'b0}+:2] <= '0;
        wait_q[{slot_q, 1'b0}+:2] <= '0;
        back_q[{slot_q, 1'b0}+:2] <= '0;
      end
      // One timer is looked at in each cycle in which there is any.
      if ((wait_q | back_q) != '0) sweep_q <= sweep_q + 1'b1;
      if (state_q == StEvent && event_q == EvTimer) begin
        expired_q <= 1'b0;
      end else if (!expired_q && (wait_q[sweep_q] || back_q[sweep_q]) && 16'(now_i - deadline_q[sweep_q]) < 16'h8000) begin
        expired_q <= 1'b1;
        expired_entry_q <= sweep_q;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!cell_valid_o || cell_ready_i) else $error("cell that the read master cannot take");
      assert (!message_valid_o || message_ready_i) else $error("message that nobody can take");
      assert (!local_done_i || local_queue_ready) else $error("more results than slots");
      assert ((send_q & wait_q) == '0 && (send_q & back_q) == '0 && (wait_q & back_q) == '0) else $error("a block in two states");
    end
  end
`endif

endmodule
