// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Remembers which transfer of a channel of a node was completed last, so that late packets of it are known as such when its context has gone. A place
/// holds one channel; it is free again when the entry is older than the lifetime. After reset the table clears itself and is not ready.
module rdma_history #(
    /// Places; a power of two, at most 1024.
    parameter int unsigned Entries = 1024
) (
    input  logic        clk_i,
    /// Synchronous, active low.
    input  logic        rst_ni,
    output logic        ready_o,
    /// The time and the lifetime in ticks.
    input  logic [15:0] now_i,
    input  logic [15:0] lifetime_i,
    /// Who is looked for (node, channel, whether it belongs to a read); the answer comes in the next cycle.
    input  logic [32:0] find_key_i,
    output logic        found_o,
    output logic [11:0] found_transfer_o,
    /// An entry is offered. In the next cycle `room_o` says whether its place can take it, and `put_i` puts it there. `put_key_i` and `put_transfer_i` must stay.
    input  logic        offer_i,
    input  logic [32:0] put_key_i,
    input  logic [11:0] put_transfer_i,
    output logic        room_o,
    input  logic        put_i
);

  localparam int unsigned IndexWidth = $clog2(Entries);

  if (Entries < 2 || Entries > 1024 || Entries != 1 << IndexWidth) begin : gen_check
    $error("rdma_history: Entries must be a power of two, 2 to 1024");
  end

  // Valid, key, transfer and time, most significant first.
  logic [61:0] entry_q[Entries];
  /* verilator lint_off UNUSEDSIGNAL */
  logic [61:0] found_q, kept_q;  // Each port needs a part.
  /* verilator lint_on UNUSEDSIGNAL */
  logic [61:0] written;
  logic [32:0] find_key_q;
  logic        clearing_q, offered_q, expired, write;
  logic [IndexWidth-1:0] clean_q, kept_index, kept_index_q, write_index;
  logic [9:0]  find_place, put_place;

  // Neighbours in number differ in their low bits: so do channels.
  assign find_place = find_key_i[10:1] ^ find_key_i[20:11] ^ find_key_i[30:21] ^ {find_key_i[32:31], 7'd0, find_key_i[0]};
  assign put_place = put_key_i[10:1] ^ put_key_i[20:11] ^ put_key_i[30:21] ^ {put_key_i[32:31], 7'd0, put_key_i[0]};
  assign kept_index = offer_i ? put_place[IndexWidth-1:0] : clean_q;

  assign ready_o = !clearing_q;
  assign found_o = found_q[61] && found_q[60:28] == find_key_q;
  assign found_transfer_o = found_q[27:16];
  assign expired = kept_q[61] && 16'(now_i - kept_q[15:0]) >= lifetime_i;
  assign room_o = offered_q && (!kept_q[61] || expired || kept_q[60:28] == put_key_i);

  // Whatever was looked at and is too old goes, so that no entry is there still when the time comes round again.
  assign write = clearing_q || put_i || expired;
  assign write_index = clearing_q ? clean_q : kept_index_q;
  assign written = put_i && !clearing_q ? {1'b1, put_key_i, put_transfer_i, now_i} : '0;

  always_ff @(posedge clk_i) begin
    if (write) entry_q[write_index] <= written;
    found_q <= entry_q[find_place[IndexWidth-1:0]];
    kept_q <= entry_q[kept_index];
    find_key_q <= find_key_i;
    kept_index_q <= kept_index;
    if (!rst_ni) begin
      clearing_q <= 1'b1;
      offered_q <= 1'b0;
      clean_q <= '0;
    end else begin
      offered_q <= offer_i;
      if (clearing_q || !offer_i) clean_q <= clean_q + 1'b1;
      if (clean_q == '1) clearing_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!put_i || room_o) else $error("entry for a place that is taken");
    end
  end
`endif

endmodule
