// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Takes packets apart. A packet counts only when it is complete and its CRC is right; anything else is dropped and counted. Cells and notifications wait
/// with their payload in a buffer; answers go past them; read requests that find their queue full are dropped, as their sender repeats them.
module rdma_packet_in #(
    /// Words for cells; a power of two.
    parameter int unsigned BufferWords = 256,
    /// Cells and notifications; a power of two.
    parameter int unsigned MaxCells = 16
) (
    input  logic            clk_i,
    /// Synchronous, active low.
    input  logic            rst_ni,
    /// Own number; constant.
    input  logic [21:0]     node_i,
    /// Words of packets, those of a packet one after the other; taken at an edge where both valid and ready are high.
    input  logic            valid_i,
    output logic            ready_o,
    input  logic            sop_i,
    input  logic            eop_i,
    input  logic [127:0]    data_i,
    /// The oldest cell or notification; it stays from the cycle in which its last word comes. The payloads lie one after the other in the buffer.
    output logic            cell_valid_o,
    input  logic            cell_ready_i,
    output rdma_pkg::meta_t cell_o,
    /// Looks into the buffer.
    input  logic [$clog2(BufferWords)-1:0] buffer_addr_i,
    output logic [127:0]    data_o,
    /// So many of the oldest words are free again.
    input  logic [4:0]      free_i,
    /// Answers to own packets.
    output logic            answer_valid_o,
    input  logic            answer_ready_i,
    output rdma_pkg::meta_t answer_o,
    /// Read requests with their two words of payload, the first in the low half.
    output logic            request_valid_o,
    input  logic            request_ready_i,
    output rdma_pkg::meta_t request_o,
    output logic [255:0]    request_payload_o,
    /// In the cycle in which its last word comes: a cell that has met congestion, or a notice; and what it says.
    output logic            marked_o,
    output logic            notice_o,
    /* verilator lint_off UNUSEDSIGNAL */
    output rdma_pkg::meta_t arrived_o,
    /* verilator lint_on UNUSEDSIGNAL */
    /// Without input nothing happens: nothing waits to be taken. A packet of which words are missing waits for input.
    output logic            idle_o,
    /// A packet was dropped as malformed or corrupt (0), or a read request for want of space (1).
    output logic [1:0]      dropped_o
);

  localparam int unsigned PointerWidth = $clog2(BufferWords);

  localparam logic [1:0] StIdle = 2'd0;
  localparam logic [1:0] StPayload = 2'd1;
  localparam logic [1:0] StFooter = 2'd2;
  localparam logic [1:0] StDrop = 2'd3;

  logic [127:0] buffer_q[BufferWords];
  logic [PointerWidth-1:0] begin_q;  ///< Position of the first word of the packet that comes in.
  logic [PointerWidth:0]   used_q;   ///< Words of packets that are complete and not freed.

  logic [1:0]   state_q;
  logic [4:0]   words_q, count_q;
  logic [31:0]  crc_q;
  logic [34:0]  start_q;    ///< Kind, node and bytes of the packet.
  logic [31:0]  message_q;
  logic [255:0] payload_q;

  /* verilator lint_off UNUSEDSIGNAL */
  ni_pkg::packet_header_t header;  // Where the packet went is the routers' business.
  /* verilator lint_on UNUSEDSIGNAL */
  rdma_pkg::meta_t meta, oldest;
  logic [4:0]   header_words, meta_words;
  logic [31:0]  crc;
  logic         take, header_good, intact, store, good, is_cell, is_answer, is_request, is_notice, shape;
  logic         cell_ready, cell_waits, answer_ready, request_ready;

  assign header = data_i;
  assign header_words = header.payload_bytes[8:4] + {4'd0, |header.payload_bytes[3:0]};
  assign header_good = sop_i && !eop_i && header.payload_bytes <= 10'd256 && header.destination == {2'd0, node_i} &&
                       header.source[23:22] == '0;
  assign crc = ni_pkg::crc_word(state_q == StIdle || sop_i ? ni_pkg::CrcStart : crc_q,
                                state_q == StFooter && !sop_i ? {data_i[127:32], 32'd0} & ~ni_pkg::Mark : data_i);

  // There is space for any packet whenever one may begin, so that no state of the buffers can hold up the rest of one.
  assign ready_o = state_q != StIdle || (used_q <= (PointerWidth + 1)'(BufferWords - 16) && cell_ready && answer_ready);
  assign take = valid_i && ready_o;
  assign intact = take && state_q == StFooter && !sop_i && eop_i && crc == ~data_i[31:0];

  assign meta = {start_q, message_q, data_i[127:32]};
  assign meta_words = words_q;
  always_comb begin
    is_cell = meta.kind == ni_pkg::PacketRdmaWrite || meta.kind == ni_pkg::PacketRdmaNotify;
    is_answer = meta.kind == ni_pkg::PacketRdmaAck || meta.kind == ni_pkg::PacketRdmaNack;
    is_request = meta.kind == ni_pkg::PacketRdmaRead;
    is_notice = meta.kind == ni_pkg::PacketNotice;
    // What its kind demands: a cell lies between two boundaries of 256 bytes.
    if (meta.kind == ni_pkg::PacketRdmaWrite) begin
      shape = meta.bytes > {6'd0, meta.va[3:0]} && {2'd0, meta.va[7:4]} + {1'b0, meta_words} <= 6'd16 &&
              meta.index < 7'(rdma_pkg::MaxCells);
    end else if (meta.kind == ni_pkg::PacketRdmaNotify) begin
      shape = meta.bytes == 10'd16;
    end else if (is_request) begin
      shape = meta.bytes == 10'd32;
    end else begin
      shape = meta.bytes == '0;
    end
    good = intact && shape && (is_cell || is_answer || is_request || is_notice);
    store = good && is_cell;
    dropped_o[0] = take && (sop_i ? state_q != StIdle || !header_good : state_q == StIdle || (state_q == StFooter && !good) ||
                                    (state_q == StPayload && eop_i));
    dropped_o[1] = good && is_request && !request_ready;
  end

  stream_fifo #(
      .Width(rdma_pkg::MetaWidth),
      .Depth(MaxCells)
  ) i_cells (
      .clk_i,
      .rst_ni,
      .valid_i(store),
      .ready_o(cell_ready),
      .data_i (meta),
      .valid_o(cell_waits),
      .ready_i(cell_ready_i),
      .data_o (oldest)
  );

  stream_fifo #(
      .Width(rdma_pkg::MetaWidth),
      .Depth(4)
  ) i_answers (
      .clk_i,
      .rst_ni,
      .valid_i(good && is_answer),
      .ready_o(answer_ready),
      .data_i (meta),
      .valid_o(answer_valid_o),
      .ready_i(answer_ready_i),
      .data_o (answer_o)
  );

  stream_fifo #(
      .Width(rdma_pkg::MetaWidth + 256),
      .Depth(8)
  ) i_requests (
      .clk_i,
      .rst_ni,
      .valid_i(good && is_request),
      .ready_o(request_ready),
      .data_i ({payload_q, meta}),
      .valid_o(request_valid_o),
      .ready_i(request_ready_i),
      .data_o ({request_payload_o, request_o})
  );

  assign idle_o = !cell_waits && !answer_valid_o && !request_valid_o;
  assign marked_o = good && meta.kind == ni_pkg::PacketRdmaWrite && meta.mark;
  assign notice_o = good && is_notice;
  assign arrived_o = meta;
  assign cell_valid_o = cell_waits || store;
  assign cell_o = cell_waits ? oldest : meta;
  assign data_o = buffer_q[buffer_addr_i];

  always_ff @(posedge clk_i) begin
    if (take && state_q == StPayload) buffer_q[begin_q + PointerWidth'(count_q)] <= data_i;
    if (!rst_ni) begin
      state_q <= StIdle;
      begin_q <= '0;
      used_q <= '0;
      words_q <= '0;
      count_q <= '0;
      crc_q <= '0;
      start_q <= '0;
      message_q <= '0;
      payload_q <= '0;
    end else begin
      used_q <= used_q + (store ? (PointerWidth + 1)'(meta_words) : '0) - (PointerWidth + 1)'(free_i);
      if (store) begin_q <= begin_q + PointerWidth'(meta_words);
      if (take) begin
        crc_q <= crc;
        if (sop_i) begin
          // This holds in the midst of a packet too, which then is lost: the next one shall not be.
          start_q <= {header.kind, header.source[21:0], header.payload_bytes};
          message_q <= header.message;
          words_q <= header_words;
          count_q <= '0;
          if (header_good) state_q <= header_words == '0 ? StFooter : StPayload;
          else state_q <= eop_i ? StIdle : StDrop;
        end else begin
          case (state_q)
            StPayload: begin
              count_q <= count_q + 1'b1;
              if (count_q == '0) payload_q[127:0] <= data_i;
              if (count_q == 5'd1) payload_q[255:128] <= data_i;
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

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (used_q <= (PointerWidth + 1)'(BufferWords)) else $error("more words than slots");
      assert ({{PointerWidth - 4{1'b0}}, free_i} <= used_q) else $error("more words freed than used");
    end
  end
`endif

endmodule
