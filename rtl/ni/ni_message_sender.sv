// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Holds what the host wrote for each channel (payload and destination) and makes the packets of the channels that ni_packetizer gives it.
module ni_message_sender (
    input  logic                                  clk_i,
    /// Synchronous, active low.
    input  logic                                  rst_ni,
    /// Own node and the widths of tile port and coordinates in a node number; constant.
    input  logic [ni_pkg::NodeWidth-1:0]          node_i,
    input  logic [1:0]                            tile_bits_i,
    input  logic [3:0]                            x_bits_i,
    input  logic [3:0]                            y_bits_i,

    /// The host writes word 0 to 7 of the payload or (word 8) the destination {node, rank, address} of a channel.
    input  logic                                  write_i,
    input  logic [ni_pkg::ChannelIdWidth-1:0]     write_channel_i,
    input  logic [3:0]                            write_word_i,
    input  logic [63:0]                           write_data_i,
    /// The system writes the protection domain and rank of an interface.
    input  logic                                  config_write_i,
    input  logic [ni_pkg::InterfaceWidth-1:0]     config_interface_i,
    input  logic [ni_pkg::PdidWidth-1:0]          config_pdid_i,
    input  logic [ni_pkg::RankWidth-1:0]          config_rank_i,

    /// See ni_packetizer.
    input  logic                                  send_valid_i,
    input  logic [ni_pkg::ChannelIdWidth-1:0]     send_channel_i,
    output logic                                  send_take_o,
    input  logic                                  send_taken_i,
    input  logic                                  send_go_i,
    input  logic [ni_pkg::SequenceWidth-1:0]      send_sequence_i,
    input  logic [ni_pkg::MessageBytesWidth-1:0]  send_bytes_i,

    /// Towards ni_tx_arbiter.
    output logic                                  valid_o,
    output logic [exanet_pkg::DataWidth-1:0]      data_o,
    input  logic                                  ready_i,
    /// Pulse: a packet begins.
    output logic                                  count_o,
    /// No packet is at work.
    output logic                                  idle_o
);

  // Both halves of a 128-bit payload word, and the destinations.
  logic [63:0] low_q[4*ni_pkg::NumChannels];
  logic [63:0] high_q[4*ni_pkg::NumChannels];
  logic [63:0] destinations_q[ni_pkg::NumChannels];
  logic [ni_pkg::PdidWidth+ni_pkg::RankWidth-1:0] interfaces_q[ni_pkg::NumInterfaces];

  logic [63:0] low_word_q, high_word_q, destination_q;
  logic [ni_pkg::PdidWidth+ni_pkg::RankWidth-1:0] interface_q;
  logic sending_q;
  logic [7:0] channel_q;
  logic [2:0] word_q, word_d;       ///< 0 header, 1 own header, 2 to 5 payload, last the footer.
  logic [2:0] last_word;
  logic [4:0] bytes_here;           ///< Bytes of the message in this payload word and after it, at most 16.
  logic [6:0] bytes_left;
  logic [127:0] mask;
  logic [31:0] tag;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [2:0] payload_word;         ///< One more than the payload words, too, at the footer.
  /* verilator lint_on UNUSEDSIGNAL */
  ni_pkg::ni_header_t header;

  assign send_take_o = !sending_q && send_valid_i;
  assign valid_o = sending_q && send_go_i;
  assign idle_o = !sending_q;
  assign count_o = valid_o && ready_i && word_q == 3'd0;
  assign last_word = 3'd2 + send_bytes_i[6:4] + {2'd0, |send_bytes_i[3:0]};
  assign tag = {send_sequence_i, channel_q};

  // The word after this one, so that the memory has read it by then.
  always_comb begin
    word_d = word_q;
    if (!sending_q) word_d = 3'd0;
    else if (valid_o && ready_i) word_d = word_q + 3'd1;
  end
  assign payload_word = word_d - 3'd2;

  always_ff @(posedge clk_i) begin
    if (write_i && write_word_i[3:0] < 4'd8 && !write_word_i[0]) low_q[{write_channel_i, write_word_i[2:1]}] <= write_data_i;
    if (write_i && write_word_i[3:0] < 4'd8 && write_word_i[0]) high_q[{write_channel_i, write_word_i[2:1]}] <= write_data_i;
    low_word_q <= low_q[{channel_q, payload_word[1:0]}];
    high_word_q <= high_q[{channel_q, payload_word[1:0]}];
  end

  always_ff @(posedge clk_i) begin
    if (write_i && write_word_i == 4'd8) destinations_q[write_channel_i] <= write_data_i;
    if (send_taken_i) destination_q <= destinations_q[send_channel_i];
  end

  always_ff @(posedge clk_i) begin
    if (config_write_i) interfaces_q[config_interface_i] <= {config_rank_i, config_pdid_i};
    if (send_taken_i) interface_q <= interfaces_q[send_channel_i[7:2]];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sending_q <= 1'b0;
      channel_q <= '0;
      word_q <= '0;
    end else begin
      word_q <= word_d;
      if (send_taken_i) begin
        sending_q <= 1'b1;
        channel_q <= send_channel_i;
      end else if (sending_q && (!send_go_i || (ready_i && word_q == last_word))) begin
        sending_q <= 1'b0;
        word_q <= 3'd0;
      end
    end
  end

  // Bytes beyond the message are zero: what an earlier message left behind is nobody's business.
  assign bytes_left = send_bytes_i - {word_q - 3'd2, 4'd0};
  assign bytes_here = bytes_left >= 7'd16 ? 5'd16 : {1'b0, bytes_left[3:0]};
  always_comb begin
    for (int b = 0; b < 16; b++) mask[8*b+:8] = {8{5'(b) < bytes_here}};
  end

  always_comb begin
    header.kind = ni_pkg::KindMessage;
    header.source_rank = interface_q[18:16];
    header.bytes = {2'd0, send_bytes_i};
    header.tag = tag;
    header.destination = {interface_q[15:0], destination_q};
    case (word_q)
      3'd0: data_o = ni_pkg::exanet_header(node_i, destination_q[63:42], tag, {2'd0, send_bytes_i}, tile_bits_i, x_bits_i, y_bits_i);
      3'd1: data_o = header;
      default: data_o = {high_word_q, low_word_q} & mask;
    endcase
  end

endmodule
