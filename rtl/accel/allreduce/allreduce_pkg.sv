// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What the modules of the Allreduce accelerator share. docs/models/allreduce.md is the contract; models/nic/exanet/allreduce holds the same for C++.
package allreduce_pkg;

  localparam int unsigned RankWidth = 10;
  localparam int unsigned LevelWidth = 4;
  localparam int unsigned BytesWidth = 10;     ///< As in the ExaNet header; at most 256.
  localparam int unsigned SequenceWidth = 8;
  localparam int unsigned VectorWords = 16;    ///< 128-bit words of the largest vector.
  localparam int unsigned WordWidth = 4;       ///< Index of one of them.
  localparam int unsigned MaxLevels = 8;
  localparam int unsigned BoardSlots = 4;      ///< Slots of vectors from the own board; slot 0 of a server is not used.
  localparam int unsigned NumSlots = BoardSlots + MaxLevels;
  localparam int unsigned SlotWidth = 4;

  localparam logic [2:0] PacketReduce = 3'd7;  ///< Kind in the ExaNet header.
  localparam logic [3:0] LevelToServer = 4'd0; ///< The level of vectors to a server; 1 + l is that of exchange l.
  localparam logic [3:0] LevelResult = 4'd15;

  localparam logic [1:0] OperationSum = 2'd0;
  localparam logic [1:0] OperationMin = 2'd1;
  localparam logic [1:0] OperationMax = 2'd2;
  localparam logic [1:0] TypeInt32 = 2'd0;
  localparam logic [1:0] TypeFloat = 2'd1;
  localparam logic [1:0] TypeDouble = 2'd2;

  // How an operation ended.
  localparam logic [3:0] CodeDone = 4'd0;
  localparam logic [3:0] CodeTimeout = 4'd1;
  localparam logic [3:0] CodeMismatch = 4'd2;
  localparam logic [3:0] CodeUnknown = 4'd3;

  // Why an access to a register was refused.
  localparam logic [2:0] RefusedNothing = 3'd0;
  localparam logic [2:0] RefusedBusy = 3'd1;
  localparam logic [2:0] RefusedGroup = 3'd2;      ///< There is no group.
  localparam logic [2:0] RefusedBytes = 3'd3;
  localparam logic [2:0] RefusedKind = 3'd4;       ///< Operation or type.
  localparam logic [2:0] RefusedRank = 3'd5;       ///< Rank or size of a group.
  localparam logic [2:0] RefusedAddress = 3'd6;

  /// What is reduced.
  typedef struct packed {
    logic [1:0]            operation;
    logic [1:0]            kind;   ///< Type of the elements.
    logic [BytesWidth-1:0] bytes;
  } command_t;

  /// How an operation ended.
  typedef struct packed {
    logic [3:0]           code;
    logic [RankWidth-1:0] culprit;
  } outcome_t;

  /// The message field of the ExaNet header.
  typedef struct packed {
    logic [SequenceWidth-1:0] sequence_number;
    logic [LevelWidth-1:0]    level;
    logic [1:0]               operation;
    logic [1:0]               kind;
    logic [RankWidth-1:0]     rank;   ///< The sender's rank.
    logic [3:0]               code;
    logic [1:0]               zero;
  } message_t;

  localparam int unsigned CommandWidth = 4 + BytesWidth;
  localparam int unsigned OutcomeWidth = 4 + RankWidth;

  /// A vector that has arrived, without its data.
  typedef struct packed {
    logic [21:0]             node;
    logic [RankWidth-1:0]    rank;
    logic [CommandWidth-1:0] command;  ///< command_t
    logic [OutcomeWidth-1:0] outcome;  ///< outcome_t
  } tag_t;
  localparam int unsigned TagWidth = 22 + RankWidth + CommandWidth + OutcomeWidth;

  /// Whether there is such an operation, and a vector of so many bytes.
  function automatic logic shape_fits(input logic [1:0] operation, input logic [1:0] kind, input logic [BytesWidth-1:0] bytes);
    shape_fits = operation != 2'd3 && kind != 2'd3 && bytes != '0 && bytes <= 10'd256 && bytes[1:0] == 2'd0 &&
                 (kind != TypeDouble || !bytes[2]);
  endfunction

  /// 128-bit words of a vector.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic logic [4:0] words_of(input logic [BytesWidth-1:0] bytes);
  /* verilator lint_on UNUSEDSIGNAL */
    words_of = bytes[8:4] + {4'd0, |bytes[3:0]};
  endfunction

endpackage


