// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What goes out for a transfer and one of its blocks: the next cell (up to the next 256 bytes of the destination or the next page of the source), its
/// notification or read request, and the notification in the own memory. Where the next cell begins is known one cycle after the transfer and block are.
module rdma_cells (
    input  logic              clk_i,
    /// The transfer, in this slot. A transfer that begins (`starting_i`) has its first cell at once.
    /* verilator lint_off UNUSEDSIGNAL */
    input  rdma_pkg::job_t    job_i,
    input  logic [3:0]        slot_i,
    input  logic              starting_i,
    input  rdma_pkg::send_block_t block_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// Blocks of the transfer.
    output logic [18:0]       total_o,
    /// The next cell: its bytes of data, whether it is the last one of its block, and whether that is the last block.
    output logic [14:0]       bytes_o,
    output logic              last_cell_o,
    output logic              final_block_o,
    /// Packets.
    output rdma_pkg::meta_t   cell_o,
    output logic [38:4]       address_o,
    output logic [2:0]        rank_o,
    output rdma_pkg::meta_t   message_o,
    output logic [255:0]      payload_o,
    /// The notification in the own memory.
    output rdma_pkg::write_job_t local_o
);

  logic [38:0] source_q, destination_q, source, destination;
  logic [14:0] left_q, left;
  logic        final_q;
  logic [31:0] offset;
  logic [8:0]  to_boundary;
  logic [12:0] to_page;

  assign total_o = {1'b0, job_i.length[31:14]} + {18'd0, |job_i.length[13:0]};
  assign offset = {block_i.block, 14'd0} + {17'd0, block_i.offset};
  assign source = starting_i ? job_i.source : source_q;
  assign destination = starting_i ? job_i.destination : destination_q;
  assign final_block_o = starting_i ? total_o == 19'd1 : final_q;
  assign left = !starting_i ? left_q : final_block_o ? job_i.length[14:0] : 15'd16384;
  assign to_boundary = 9'd256 - {1'b0, destination[7:0]};
  assign to_page = 13'd4096 - {1'b0, source[11:0]};
  always_comb begin
    bytes_o = left;
    if (bytes_o > {6'd0, to_boundary}) bytes_o = {6'd0, to_boundary};
    if (bytes_o > {2'd0, to_page}) bytes_o = {2'd0, to_page};
  end
  assign last_cell_o = bytes_o == left;

  always_comb begin
    cell_o = '0;
    cell_o.kind = ni_pkg::PacketRdmaWrite;
    cell_o.node = job_i.node;
    cell_o.bytes = bytes_o[9:0] + {6'd0, destination[3:0]};
    cell_o.channel = job_i.channel;
    cell_o.transfer = job_i.transfer;
    cell_o.index = block_i.index;
    cell_o.slot = slot_i;
    cell_o.served = job_i.kind == rdma_pkg::JobServed;
    cell_o.last_cell = last_cell_o;
    cell_o.early = job_i.early;
    cell_o.notify = job_i.notify && final_block_o;
    cell_o.va = destination;
    cell_o.pdid = job_i.pdid;
    cell_o.rank = cell_o.served ? 3'd0 : job_i.rank;
    cell_o.block = block_i.block;
    cell_o.attempt = block_i.attempt;
    cell_o.last_block = final_block_o;
    cell_o.peer_slot = job_i.peer_slot;

    message_o = cell_o;
    if (job_i.kind == rdma_pkg::JobRead) begin
      message_o.kind = ni_pkg::PacketRdmaRead;
      message_o.bytes = 10'd32;
      message_o.va = job_i.source;
      message_o.block = '0;
      message_o.last_block = 1'b0;
      message_o.rank = job_i.rank;
    end else begin
      message_o.kind = ni_pkg::PacketRdmaNotify;
      message_o.bytes = 10'd16;
      message_o.va = job_i.notify_va;
      message_o.last_block = 1'b1;
    end
    message_o.index = '0;
    message_o.last_cell = 1'b0;
    message_o.notify = 1'b0;
    payload_o = '0;
    payload_o[63:0] = job_i.data;
    payload_o[102:64] = job_i.notify_va;
    payload_o[127] = job_i.notify;
    payload_o[166:128] = job_i.destination;
    payload_o[207:176] = job_i.length;

    local_o = '0;
    local_o.kind = rdma_pkg::WriteLocal;
    local_o.tag = {2'd0, slot_i};
    local_o.va = job_i.local_va;
    local_o.user = {3'd0, job_i.pdid};
    local_o.data = job_i.data;
  end
  assign address_o = source[38:4];
  assign rank_o = cell_o.served ? job_i.rank : 3'd0;

  always_ff @(posedge clk_i) begin
    source_q <= job_i.source + {7'd0, offset};
    destination_q <= job_i.destination + {7'd0, offset};
    final_q <= {1'b0, block_i.block} + 1'b1 == total_o;
    left_q <= ({1'b0, block_i.block} + 1'b1 == total_o && job_i.length[13:0] != '0 ? {1'b0, job_i.length[13:0]} : 15'd16384) - block_i.offset;
  end

endmodule
