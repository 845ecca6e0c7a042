// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Takes vectors from the network into slots, one for each sender and for each of two operations: the present one and the next, whose vectors may
/// come before the present one has ended. A vector counts when its packet is complete and its CRC is right.
module allreduce_rx #(
    /// A server has slots for its board and for each exchange, a client has one for the result.
    parameter bit Server = 1'b1
) (
    input  logic                                    clk_i,
    /// Synchronous, active low.
    input  logic                                    rst_ni,
    /// Own number; constant.
    input  logic [ni_pkg::NodeWidth-1:0]            node_i,
    /// Words of packets, those of a packet one after the other; always taken.
    input  logic                                    valid_i,
    input  logic                                    sop_i,
    input  logic                                    eop_i,
    input  logic [127:0]                            data_i,
    /// The present operation.
    input  logic [allreduce_pkg::SequenceWidth-1:0] sequence_i,
    /// It ends: its vectors are no longer needed.
    input  logic                                    finish_i,
    /// A slot of the present operation: whether its vector is here, and what it says.
    input  logic [allreduce_pkg::SlotWidth-1:0]     slot_i,
    output logic                                    here_o,
    output allreduce_pkg::tag_t                     tag_o,
    /// Any slot of the present operation has a vector.
    output logic                                    any_o,
    /// Looks at a word of a slot.
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [allreduce_pkg::SlotWidth-1:0]     read_slot_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic                                    read_odd_i,
    input  logic [allreduce_pkg::WordWidth-1:0]     read_word_i,
    output logic [127:0]                            data_o,
    /// For one cycle: a packet was dropped as malformed or corrupt (0), as that of an operation that is over or far ahead, or as one that is here
    /// (1).
    output logic [1:0]                              dropped_o
);

  localparam int unsigned Slots = Server ? allreduce_pkg::NumSlots : 1;
  localparam int unsigned SlotBits = Server ? allreduce_pkg::SlotWidth : 1;

  localparam logic [1:0] StIdle = 2'd0;
  localparam logic [1:0] StPayload = 2'd1;
  localparam logic [1:0] StFooter = 2'd2;
  localparam logic [1:0] StDrop = 2'd3;

  (* ram_style = "distributed" *)
  logic [127:0] data_q[2*(2**SlotBits)*allreduce_pkg::VectorWords];
  (* ram_style = "distributed" *)
  logic [allreduce_pkg::TagWidth-1:0] tags_q[2*(2**SlotBits)];
  // Bit 0 of an operation's number tells its slots from those of the next.
  logic [2*Slots-1:0] fresh_q;
  logic [Slots-1:0] fresh_now, fresh_of;

  logic [1:0] state_q;
  logic [4:0] words_q, count_q;
  logic [31:0] crc_q, crc;
  logic [21:0] source_q;
  /* verilator lint_off UNUSEDSIGNAL */
  allreduce_pkg::message_t message_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [allreduce_pkg::BytesWidth-1:0] bytes_q;

  /* verilator lint_off UNUSEDSIGNAL */
  ni_pkg::packet_header_t header;  // Where the packet went is the routers' business.
  /* verilator lint_on UNUSEDSIGNAL */
  logic [4:0] header_words;
  logic header_good, intact, shape, mapped, near, known, good, store, odd;
  logic [allreduce_pkg::SlotWidth-1:0] slot;
  allreduce_pkg::tag_t tag;

  assign header = data_i;
  assign header_words = allreduce_pkg::words_of(header.payload_bytes);
  assign header_good = sop_i && !eop_i && header.payload_bytes <= 10'd256 && header.destination == {2'd0, node_i} &&
                       header.source[23:22] == '0 && header.kind == allreduce_pkg::PacketReduce;
  assign crc = ni_pkg::crc_word(state_q == StIdle || sop_i ? ni_pkg::CrcStart : crc_q,
                                state_q == StFooter && !sop_i ? {data_i[127:32], 32'd0} & ~ni_pkg::Mark : data_i);
  assign intact = valid_i && state_q == StFooter && !sop_i && eop_i && crc == ~data_i[31:0];

  // The slot of what comes in. Vectors of other operations than the present one and the next have none.
  always_comb begin
    tag.node = source_q;
    tag.rank = message_q.rank;
    tag.command = {message_q.operation, message_q.kind, bytes_q};
    tag.outcome = {message_q.code, data_i[32+:allreduce_pkg::RankWidth]};
    shape = message_q.code <= allreduce_pkg::CodeUnknown && bytes_q == '0;
    if (message_q.code == allreduce_pkg::CodeDone) shape = allreduce_pkg::shape_fits(message_q.operation, message_q.kind, bytes_q);
    odd = message_q.sequence_number[0];
    if (Server) begin
      mapped = message_q.level == allreduce_pkg::LevelToServer ? message_q.rank[1:0] != 2'd0 : message_q.level <= 4'(allreduce_pkg::MaxLevels);
      slot = message_q.level == allreduce_pkg::LevelToServer ? {2'd0, message_q.rank[1:0]} : message_q.level + 4'(allreduce_pkg::BoardSlots - 1);
    end else begin
      mapped = message_q.level == allreduce_pkg::LevelResult;
      slot = '0;
    end
    near = message_q.sequence_number == sequence_i || message_q.sequence_number == sequence_i + 1'b1;
    fresh_of = odd ? fresh_q[Slots+:Slots] : fresh_q[0+:Slots];
    known = 1'b0;
    for (int unsigned i = 0; i < Slots; i++) if (slot == allreduce_pkg::SlotWidth'(i) && fresh_of[i]) known = 1'b1;
    good = intact && shape && mapped && near && !known;
    store = valid_i && state_q == StPayload && !sop_i && mapped && near && !known;
    dropped_o[0] = valid_i && (sop_i ? state_q != StIdle || !header_good
                                     : state_q == StIdle || (state_q == StPayload && eop_i) ||
                                       (state_q == StFooter && !(intact && shape && mapped)));
    dropped_o[1] = intact && shape && mapped && !good;
  end

  assign data_o = data_q[{read_odd_i, read_slot_i[SlotBits-1:0], read_word_i}];
  assign tag_o = tags_q[{sequence_i[0], slot_i[SlotBits-1:0]}];
  assign any_o = fresh_now != '0;
  assign fresh_now = sequence_i[0] ? fresh_q[Slots+:Slots] : fresh_q[0+:Slots];
  always_comb begin
    here_o = 1'b0;
    for (int unsigned i = 0; i < Slots; i++) if (slot_i == allreduce_pkg::SlotWidth'(i) && fresh_now[i]) here_o = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (store) data_q[{odd, slot[SlotBits-1:0], count_q[allreduce_pkg::WordWidth-1:0]}] <= data_i;
    if (good) tags_q[{odd, slot[SlotBits-1:0]}] <= tag;
    if (!rst_ni) begin
      state_q <= StIdle;
      words_q <= '0;
      count_q <= '0;
      crc_q <= '0;
      source_q <= '0;
      message_q <= '0;
      bytes_q <= '0;
      fresh_q <= '0;
    end else begin
      for (int unsigned i = 0; i < Slots; i++) begin
        if (good && slot == allreduce_pkg::SlotWidth'(i) && !odd) fresh_q[i] <= 1'b1;
        if (good && slot == allreduce_pkg::SlotWidth'(i) && odd) fresh_q[Slots+i] <= 1'b1;
      end
      // What comes for an operation in the cycle in which it ends is too late.
      if (finish_i && !sequence_i[0]) fresh_q[0+:Slots] <= '0;
      if (finish_i && sequence_i[0]) fresh_q[Slots+:Slots] <= '0;
      if (valid_i) begin
        crc_q <= crc;
        if (sop_i) begin
          // This holds in the midst of a packet too, which then is lost: the next one shall not be.
          source_q <= header.source[21:0];
          message_q <= header.message;
          bytes_q <= header.payload_bytes;
          words_q <= header_words;
          count_q <= '0;
          if (header_good) state_q <= header_words == '0 ? StFooter : StPayload;
          else state_q <= eop_i ? StIdle : StDrop;
        end else begin
          case (state_q)
            StPayload: begin
              count_q <= count_q + 1'b1;
              if (eop_i) state_q <= StIdle;
              else if (count_q + 5'd1 == words_q) state_q <= StFooter;
            end
            StFooter: state_q <= eop_i ? StIdle : StDrop;
            StDrop: if (eop_i) state_q <= StIdle;
            default: if (!eop_i) state_q <= StDrop;
          endcase
        end
      end
    end
  end

endmodule
