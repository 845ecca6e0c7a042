// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What the RDMA units share: sizes, the fields of their packets, transfers and their results. docs/models/exanet-rdma.md is the contract.
package rdma_pkg;

  localparam int unsigned NumPages = 16;
  localparam int unsigned NumChannels = 1024;  ///< Number {page, is_read, channel of the page}.
  localparam int unsigned ChannelWidth = 10;
  localparam int unsigned VaWidth = 39;
  localparam int unsigned BlockShift = 14;     ///< Blocks of 16 KB.
  localparam int unsigned NumSlots = 16;       ///< Transfers at once in the send unit: half own, half asked for by other nodes.
  localparam int unsigned NumEntries = 32;     ///< Blocks at once: two of each slot.
  localparam int unsigned MaxCells = 80;       ///< Cells of a block: at most 65 by the destination's and 5 by the source's boundaries.
  localparam int unsigned TickShift = 4;       ///< Timers count ticks of 16 cycles.
  localparam int unsigned NumThrottled = 128;  ///< Destinations that rdma_throttle tells apart, and entries of its table.
  localparam int unsigned ThrottleUnit = 160;  ///< Cycles of 1.024 us.
  localparam int unsigned FirmwareWidth = 20;  ///< Bits of the delay of the firmware in cycles.
  localparam int unsigned PageWidth = 46;      ///< Rank, protection domain, and the number of a page of 4 KB.

  /// Kinds of transfers.
  localparam logic [1:0] JobWrite = 2'd0;
  localparam logic [1:0] JobRead = 2'd1;
  localparam logic [1:0] JobServed = 2'd2;     ///< What another node's read asks for.

  // Reasons of a nack.
  localparam logic [3:0] ReasonPdid = 4'd1;
  localparam logic [3:0] ReasonFault = 4'd2;
  localparam logic [3:0] ReasonBusy = 4'd3;    ///< No entry in the queue for a context, or no slot for a read request.
  localparam logic [3:0] ReasonFailed = 4'd4;  ///< A read that the remote unit gave up.
  localparam logic [3:0] ReasonQueued = 4'd5;  ///< The block waits in the queue of the receive unit: its turn comes.
  localparam logic [3:0] ReasonTurn = 4'd6;    ///< Its turn has come.

  // State of a channel; from CodeAlignment on an error.
  localparam logic [3:0] CodeIdle = 4'd0;
  localparam logic [3:0] CodeBusy = 4'd1;
  localparam logic [3:0] CodeDone = 4'd2;
  localparam logic [3:0] CodeAlignment = 4'd3;
  localparam logic [3:0] CodeLength = 4'd4;
  localparam logic [3:0] CodeProtection = 4'd5;
  localparam logic [3:0] CodeTimeout = 4'd6;
  localparam logic [3:0] CodeRemotePdid = 4'd7;
  localparam logic [3:0] CodeLocalFault = 4'd8;
  localparam logic [3:0] CodeRemoteFault = 4'd9;
  localparam logic [3:0] CodeNotifyFault = 4'd11;

  localparam int unsigned MetaWidth = 163;
  localparam int unsigned JobWidth = 324;

  /// What a packet says beside its payload, most significant field first. The second group is the header's message field and the third the footer's
  /// upper 96 bits.
  typedef struct packed {
    logic [2:0]  kind;        ///< ni_pkg::PacketRdma*.
    logic [21:0] node;        ///< The other node: destination of what is sent, source of what came.
    logic [9:0]  bytes;       ///< Payload.
    logic [9:0]  channel;     ///< The channel of the node that asked for the transfer.
    logic [11:0] transfer;    ///< Counts the transfers of the channel.
    logic [6:0]  index;       ///< The index of the cell in its block.
    logic        served;      ///< Belongs to a read.
    logic        last_cell;
    logic        early;       ///< The notification may follow the data without waiting for their response.
    logic [3:0]  slot;        ///< The slot of the sender of the block; comes back in the answer.
    logic        notify;      ///< The block is complete only with its notification packet.
    logic        request;     ///< The answer is to a read request, not to a block.
    logic [3:0]  reason;      ///< Why a nack refuses.
    logic [2:0]  rank;
    logic [17:0] block;
    logic        mark;        ///< Of what came: it has met congestion. Zero in what is sent.
    logic [38:0] va;          ///< The address of the first byte in the memory of the destination (of a read request: of the source of the data).
    logic [15:0] pdid;
    logic [3:0]  attempt;
    logic        last_block;
    logic [3:0]  peer_slot;   ///< In a read, the asking node's slot.
  } meta_t;

  /// A transfer in the send unit, most significant field first.
  typedef struct packed {
    logic [1:0]  kind;
    logic [9:0]  channel;
    logic [11:0] transfer;
    logic [15:0] pdid;
    logic [2:0]  rank;
    logic [21:0] node;
    logic [38:0] source;
    logic [38:0] destination;
    logic [31:0] length;
    logic        notify;        ///< Write `data` to `notify_va` beside the destination when all data are there.
    logic [38:0] notify_va;
    logic [63:0] data;
    logic        local_notify;  ///< Write `data` to `local_va` in the own memory when the transfer is done.
    logic [38:0] local_va;
    logic        early;         ///< See meta_t.
    logic [3:0]  peer_slot;
  } job_t;

  /// A block that is sent, most significant field first: its number, how far it is, and how often it was tried.
  typedef struct packed {
    logic [17:0] block;
    logic [14:0] offset;
    logic [6:0]  index;
    logic [3:0]  attempt;
    logic [3:0]  retries;
  } send_block_t;

  localparam int unsigned SendBlockWidth = 48;

  // What the send unit deals with, one at a time.
  localparam logic [2:0] EventAnswer = 3'd0;   ///< An ack or a nack.
  localparam logic [2:0] EventDone = 3'd1;     ///< The data of an own read are complete.
  localparam logic [2:0] EventFault = 3'd2;    ///< A cell could not be read.
  localparam logic [2:0] EventLocal = 3'd3;    ///< What became of a notification in the own memory.
  localparam logic [2:0] EventTimer = 3'd4;    ///< The time of a block is over.
  localparam logic [2:0] EventRequest = 3'd5;  ///< Another node's read.
  localparam logic [2:0] EventJob = 3'd6;      ///< An own transfer.
  localparam logic [2:0] EventIssue = 3'd7;    ///< The next cell of a block.

  /// Registers of the control page, as the units use them.
  typedef struct packed {
    logic [15:0] lifetime;  ///< Ticks after which an unused receive context is given up.
    logic [3:0]  retries;
    logic [15:0] backoff;   ///< Ticks.
    logic [15:0] timeout;   ///< Ticks.
  } config_t;

  /// The register of rdma_throttle.
  typedef struct packed {
    logic [15:0] timer;     ///< Indices fall each so many times 1.024 us; 1 to 65535.
    logic        enable;
    logic [1:0]  shift;     ///< The table is in units of 1 / 2^shift.
    logic [6:0]  least;
    logic [6:0]  limit;
    logic [6:0]  increase;
  } throttle_t;

  /// The descriptor's first three words side by side, most significant field first.
  typedef struct packed {
    logic        local_notify;
    logic [23:0] reserved_2;
    logic [38:0] local_va;
    logic        notify;
    logic        early;
    logic [22:0] reserved_1;
    logic [38:0] notify_va;
    logic [63:0] data;
    logic [24:0] reserved_0;
    logic [38:0] va;         ///< In the own memory.
    logic [15:0] reserved;
    logic [31:0] length;
    logic [79:0] remote;     ///< ni_pkg::gvas_t.
  } descriptor_t;

  /// The protection domain belongs to a page in use.
  function automatic logic pdid_known(input logic [15:0] pdid, input logic [255:0] pdids, input logic [15:0] pages);
    pdid_known = 1'b0;
    for (int p = 0; p < 16; p++) if (pages[p] && pdids[16*p+:16] == pdid) pdid_known = 1'b1;
  endfunction

  // Jobs of the write master.
  localparam logic [1:0] WriteSkip = 2'd0;    ///< Only frees the words.
  localparam logic [1:0] WriteCell = 2'd1;
  localparam logic [1:0] WriteNotify = 2'd2;  ///< At the destination of a transfer.
  localparam logic [1:0] WriteLocal = 2'd3;   ///< At the initiator of a transfer.

  /// Something to write to the host's memory, most significant field first.
  typedef struct packed {
    logic [1:0]  kind;
    logic [5:0]  tag;    ///< Comes back with the result.
    logic [38:0] va;
    logic [9:0]  bytes;  ///< The bytes of a cell, counted from the begin of its first word; of WriteSkip: of the words to be freed.
    logic [18:0] user;   ///< Rank and protection domain.
    logic [63:0] data;   ///< What a notification writes.
    logic        known;  ///< The page of a cell is in the translation cache; comes back with the result.
  } write_job_t;

  localparam int unsigned WriteJobWidth = 141;

  /// One-hot to binary.
  function automatic logic [4:0] encode(input logic [31:0] hot);
    encode = '0;
    for (int i = 0; i < 32; i++) if (hot[i]) encode = encode | 5'(i);
  endfunction

endpackage
