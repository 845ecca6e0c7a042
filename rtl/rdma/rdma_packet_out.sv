// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Makes packets of what is to be sent, short messages before cells, and adds the CRC. A packet that began follows without a gap of its own making.
module rdma_packet_out (
    input  logic            clk_i,
    /// Synchronous, active low.
    input  logic            rst_ni,
    /// Own number, and bits of a node number for tile port, x and y; constant.
    input  logic [21:0]     node_i,
    input  logic [1:0]      tile_bits_i,
    input  logic [3:0]      x_bits_i,
    input  logic [3:0]      y_bits_i,
    /// A message with at most two words of payload, the first in the low half.
    input  logic            message_valid_i,
    output logic            message_ready_o,
    input  rdma_pkg::meta_t message_i,
    input  logic [255:0]    payload_i,
    /// A cell, complete.
    input  logic            cell_valid_i,
    input  rdma_pkg::meta_t cell_i,
    input  logic [127:0]    cell_data_i,
    output logic            cell_pop_o,
    output logic            cell_done_o,
    /// Words of packets; taken at an edge where both valid and ready are high.
    output logic            valid_o,
    input  logic            ready_i,
    output logic            sop_o,
    output logic            eop_o,
    output logic [127:0]    data_o
);

  localparam logic [1:0] StHeader = 2'd0;
  localparam logic [1:0] StPayload = 2'd1;
  localparam logic [1:0] StFooter = 2'd2;

  logic [1:0]   state_q;
  logic         is_cell_q, second_q;
  logic [4:0]   left_q;
  logic [31:0]  crc_q;
  logic         valid_q, sop_q, eop_q;
  logic [127:0] data_q;

  logic is_cell, any, load;
  /* verilator lint_off UNUSEDSIGNAL */
  rdma_pkg::meta_t meta;  // Routers mark.
  /* verilator lint_on UNUSEDSIGNAL */
  logic [4:0]   words;
  ni_pkg::packet_header_t header;
  logic [127:0] word, sent;
  logic [31:0]  crc;

  assign is_cell = state_q == StHeader ? !message_valid_i : is_cell_q;
  assign any = state_q != StHeader || message_valid_i || cell_valid_i;
  assign load = any && (!valid_q || ready_i);
  assign meta = is_cell ? cell_i : message_i;
  assign words = meta.bytes[8:4] + {4'd0, |meta.bytes[3:0]};

  always_comb begin
    header = ni_pkg::exanet_header(node_i, meta.node,
                                   {meta.channel, meta.transfer, meta.index, meta.served, meta.last_cell, meta.early}, 9'd0,
                                   tile_bits_i, x_bits_i, y_bits_i);
    header.payload_bytes = meta.bytes;
    header.kind = meta.kind;
    case (state_q)
      StHeader: word = header;
      StPayload: word = is_cell_q ? cell_data_i : second_q ? payload_i[255:128] : payload_i[127:0];
      default: word = {meta.slot, meta.notify, meta.request, meta.reason, meta.rank, meta.block, 1'b0, meta.va, meta.pdid, meta.attempt,
                       meta.last_block, meta.peer_slot, 32'd0};
    endcase
    crc = ni_pkg::crc_word(state_q == StHeader ? ni_pkg::CrcStart : crc_q, word);
    sent = word;
    if (state_q == StFooter) sent[31:0] = ~crc;
  end

  assign cell_pop_o = load && state_q == StPayload && is_cell_q;
  assign cell_done_o = load && state_q == StFooter && is_cell_q;
  assign message_ready_o = load && state_q == StFooter && !is_cell_q;
  assign valid_o = valid_q;
  assign sop_o = sop_q;
  assign eop_o = eop_q;
  assign data_o = data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StHeader;
      is_cell_q <= 1'b0;
      second_q <= 1'b0;
      left_q <= '0;
      crc_q <= '0;
      valid_q <= 1'b0;
      sop_q <= 1'b0;
      eop_q <= 1'b0;
      data_q <= '0;
    end else if (load) begin
      valid_q <= 1'b1;
      sop_q <= state_q == StHeader;
      eop_q <= state_q == StFooter;
      data_q <= sent;
      crc_q <= crc;
      case (state_q)
        StHeader: begin
          is_cell_q <= is_cell;
          second_q <= 1'b0;
          left_q <= words;
          state_q <= words == '0 ? StFooter : StPayload;
        end
        StPayload: begin
          second_q <= 1'b1;
          left_q <= left_q - 1'b1;
          if (left_q == 5'd1) state_q <= StFooter;
        end
        default: state_q <= StHeader;
      endcase
    end else if (ready_i) begin
      valid_q <= 1'b0;
    end
  end

endmodule
