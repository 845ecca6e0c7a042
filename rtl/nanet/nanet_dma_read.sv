// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Reads datagrams to send from the memories of CPU and GPU, by AXI bursts of at most 256 bytes. Several are under way; their data comes in order from each
/// memory. A datagram that cannot be read ends with an error.
module nanet_dma_read (
    input  logic         clk_i,
    /// Synchronous, active low.
    input  logic         rst_ni,
    input  logic         valid_i,
    output logic         ready_o,
    input  nanet_pkg::send_t send_i,
    /// To the TLB.
    output logic         lookup_o,
    output logic [63-nanet_pkg::PageBits:0] page_o,
    input  logic         done_i,
    input  logic         ok_i,
    input  logic         gpu_i,
    input  logic [63-nanet_pkg::PageBits:0] physical_i,
    /// AXI to both memories: bit 0 is the CPU's, bit 1 the GPU's.
    output logic [1:0]   ar_valid_o,
    input  logic [1:0]   ar_ready_i,
    output axi_pkg::address_t ar_o,
    input  logic [1:0]   r_valid_i,
    output logic [1:0]   r_ready_o,
    input  logic [255:0] r_data_i,
    input  logic [1:0]   r_error_i,
    /// Datagrams to the sender of `port_o`.
    output logic         valid_o,
    input  logic         ready_i,
    output logic [1:0]   port_o,
    output nanet_pkg::wide_t wide_o
);

  // Gpu, failed, last of its datagram, bytes, port, destination.
  localparam int unsigned ChunkWidth = 3 + 9 + 2 + nanet_pkg::DestinationWidth;

  typedef enum logic [1:0] {
    StateIdle,
    StateLookup,
    StateRead
  } state_t;

  state_t state_q;
  nanet_pkg::destination_t to_q;
  logic [1:0] to_port_q;
  logic [10:0] left_q;
  logic [63:0] address_q;
  logic        gpu_q, asked, push, chunk_full;
  logic [63-nanet_pkg::PageBits:0] physical_q;
  logic [8:0]  space, bytes;
  logic        chunk_last;

  assign ready_o = state_q == StateIdle;
  assign lookup_o = state_q == StateLookup;
  assign page_o = address_q[63:nanet_pkg::PageBits];
  assign space = 9'd256 - {1'b0, address_q[7:0]};
  assign bytes = left_q > {2'd0, space} ? space : left_q[8:0];
  assign chunk_last = left_q == {2'd0, bytes};
  assign ar_valid_o = state_q == StateRead && !chunk_full ? {gpu_q, !gpu_q} : 2'b00;
  assign ar_o = {
    axi_pkg::IdWidth'(0), physical_q, address_q[nanet_pkg::PageBits-1:0], {3'd0, bytes[8:4] + {4'd0, bytes[3:0] != '0}} - 8'd1,
    axi_pkg::SizeFull, axi_pkg::BurstIncrement, axi_pkg::CacheBufferable, axi_pkg::ProtData
  };
  assign asked = (ar_valid_o & ar_ready_i) != '0;
  assign push = asked || (lookup_o && done_i && !ok_i && !chunk_full);

  // The chunk whose data comes.
  logic        chunk_valid, chunk_pop, gpu, failed, last, error_q, word_valid, word_last, wrong, taken;
  logic [8:0]  chunk_bytes, done_q, remaining;
  nanet_pkg::destination_t destination;
  logic [1:0]  port;
  logic [127:0] word;

  fifo #(
      .Width(ChunkWidth),
      .Depth(16)
  ) i_chunks (
      .clk_i,
      .rst_ni,
      .push_i (push),
      .data_i ({gpu_q && asked, !asked, chunk_last || !asked, bytes, to_port_q, to_q}),
      .full_o (chunk_full),
      .valid_o(chunk_valid),
      .data_o ({gpu, failed, last, chunk_bytes, port, destination}),
      .pop_i  (chunk_pop),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  assign word = gpu ? r_data_i[255:128] : r_data_i[127:0];
  assign word_valid = failed || r_valid_i[gpu];
  assign wrong = error_q || failed || r_error_i[gpu];
  assign remaining = chunk_bytes - done_q;
  assign word_last = failed || remaining <= 9'd16;
  assign valid_o = chunk_valid && word_valid;
  assign port_o = port;
  assign wide_o = {
    word_last && last, word_last && last && wrong, remaining >= 9'd16 ? 5'd16 : remaining[4:0], destination, word
  };
  assign taken = valid_o && ready_i;
  assign chunk_pop = taken && word_last;
  assign r_ready_o = taken && !failed ? {gpu, !gpu} : 2'b00;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      error_q <= 1'b0;
      done_q <= '0;
      state_q <= StateIdle;
    end else begin
      if (taken) begin
        done_q <= word_last ? '0 : done_q + 9'd16;
        error_q <= wrong && !(word_last && last);
      end
      case (state_q)
        StateIdle: begin
          if (valid_i) begin
            to_q <= send_i.destination;
            to_port_q <= send_i.port;
            left_q <= send_i.bytes;
            address_q <= send_i.address;
            state_q <= StateLookup;
          end
        end
        StateLookup: begin
          if (done_i && (ok_i || !chunk_full)) begin
            gpu_q <= gpu_i;
            physical_q <= physical_i;
            state_q <= ok_i ? StateRead : StateIdle;
          end
        end
        default: begin
          if (asked) begin
            left_q <= left_q - {2'd0, bytes};
            address_q <= address_q + {55'd0, bytes};
            if (chunk_last) state_q <= StateIdle;
            // Pages end where chunks do.
            else if (bytes == space && address_q[nanet_pkg::PageBits-1:8] == '1) state_q <= StateLookup;
          end
        end
      endcase
    end
  end

endmodule
