// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Makes a packet of a vector, or of the news of an error, which has no data. A packet that began follows without a gap of its own making.
module allreduce_tx (
    input  logic                                    clk_i,
    /// Synchronous, active low.
    input  logic                                    rst_ni,
    /// Own number, and bits of a node number for tile port, x and y; constant.
    input  logic [ni_pkg::NodeWidth-1:0]            node_i,
    input  logic [1:0]                              tile_bits_i,
    input  logic [3:0]                              x_bits_i,
    input  logic [3:0]                              y_bits_i,
    /// What is to be sent; stays until `done_o`.
    input  logic                                    start_i,
    input  logic [ni_pkg::NodeWidth-1:0]            destination_i,
    input  logic [allreduce_pkg::SequenceWidth-1:0] sequence_i,
    input  logic [allreduce_pkg::LevelWidth-1:0]    level_i,
    input  logic [allreduce_pkg::RankWidth-1:0]     rank_i,
    input  allreduce_pkg::command_t                 command_i,
    input  allreduce_pkg::outcome_t                 outcome_i,
    /// The word of the vector that is looked at.
    output logic [allreduce_pkg::WordWidth-1:0]     index_o,
    input  logic [127:0]                            vector_i,
    /// The last word of the packet is in the output register.
    output logic                                    done_o,
    /// Words of packets; taken at an edge where both valid and ready are high.
    output logic                                    valid_o,
    input  logic                                    ready_i,
    output logic [127:0]                            data_o
);

  localparam logic [1:0] StHeader = 2'd0;
  localparam logic [1:0] StPayload = 2'd1;
  localparam logic [1:0] StFooter = 2'd2;

  logic [1:0] state_q;
  logic [4:0] count_q;
  logic [31:0] crc_q, crc;
  logic valid_q, load, last;
  logic [127:0] data_q, word, sent, masked;
  logic [allreduce_pkg::BytesWidth-1:0] bytes;
  logic [4:0] words;
  allreduce_pkg::message_t message;
  ni_pkg::packet_header_t header;

  assign load = start_i && (!valid_q || ready_i);
  assign bytes = outcome_i.code == allreduce_pkg::CodeDone ? command_i.bytes : '0;
  assign words = allreduce_pkg::words_of(bytes);
  assign last = count_q + 5'd1 == words;
  assign index_o = count_q[allreduce_pkg::WordWidth-1:0];

  always_comb begin
    message = {sequence_i, level_i, command_i.operation, command_i.kind, rank_i, outcome_i.code, 2'd0};
    header = ni_pkg::exanet_header(node_i, destination_i, message, 9'd0, tile_bits_i, x_bits_i, y_bits_i);
    header.payload_bytes = bytes;
    header.kind = allreduce_pkg::PacketReduce;
    // Data beyond the vector are zero.
    masked = vector_i;
    for (int unsigned i = 1; i < 4; i++) if (last && bytes[3:2] != 2'd0 && 2'(i) >= bytes[3:2]) masked[32*i+:32] = '0;
    case (state_q)
      StHeader: word = header;
      StPayload: word = masked;
      default: word = {86'd0, outcome_i.culprit, 32'd0};
    endcase
    crc = ni_pkg::crc_word(state_q == StHeader ? ni_pkg::CrcStart : crc_q, word);
    sent = word;
    if (state_q == StFooter) sent[31:0] = ~crc;
  end

  assign done_o = load && state_q == StFooter;
  assign valid_o = valid_q;
  assign data_o = data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StHeader;
      count_q <= '0;
      crc_q <= '0;
      valid_q <= 1'b0;
      data_q <= '0;
    end else if (load) begin
      valid_q <= 1'b1;
      data_q <= sent;
      crc_q <= crc;
      case (state_q)
        StHeader: begin
          count_q <= '0;
          state_q <= words == '0 ? StFooter : StPayload;
        end
        StPayload: begin
          count_q <= count_q + 1'b1;
          if (last) state_q <= StFooter;
        end
        default: state_q <= StHeader;
      endcase
    end else if (ready_i) begin
      valid_q <= 1'b0;
    end
  end

endmodule
