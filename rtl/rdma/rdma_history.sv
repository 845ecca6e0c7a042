// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Remembers which transfer of a channel of a node was completed last, so that late packets of it are known as such when its context has gone. An entry
/// holds one channel; one that is older than the lifetime counts as none. That is found out when it is looked at, so nothing needs to happen while
/// time passes; but in each half of time's range all entries are looked at once, so that time never comes round to an entry that is still there.
/// After reset the table clears itself and is not ready.
module rdma_history #(
    /// Entries; a power of two, at most 1024.
    parameter int unsigned Entries = 1024
) (
    input  logic        clk_i,
    /// Synchronous, active low.
    input  logic        rst_ni,
    output logic        ready_o,
    /// Without input nothing happens.
    output logic        idle_o,
    /// The time and the lifetime in ticks.
    input  logic [27:0] time_i,
    input  logic [15:0] lifetime_i,
    /// Who is looked for (node, channel, whether it belongs to a read); the answer comes in the next cycle.
    input  logic [32:0] find_key_i,
    output logic        found_o,
    output logic [11:0] found_transfer_o,
    /// An entry is offered. In the next cycle `space_o` says whether its slot can take it, and `put_i` puts it there. `put_key_i` and `put_transfer_i` must stay.
    input  logic        offer_i,
    input  logic [32:0] put_key_i,
    input  logic [11:0] put_transfer_i,
    output logic        space_o,
    input  logic        put_i
);

  localparam int unsigned IndexWidth = $clog2(Entries);
  localparam int unsigned EntryWidth = 74;

  if (Entries < 2 || Entries > 1024 || Entries != 1 << IndexWidth) begin : gen_check
    $error("rdma_history: Entries must be a power of two, 2 to 1024");
  end

  // Valid, key, transfer and time, most significant first.
  logic [EntryWidth-1:0] entry_q[Entries];
  logic [EntryWidth-1:0] found_q, kept_q, written;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [11:0] kept_transfer;  // What is replaced is older.
  /* verilator lint_on UNUSEDSIGNAL */
  logic [32:0] find_key_q, found_key, kept_key;
  logic [27:0] found_time, kept_time;
  logic        found_valid, kept_valid;
  logic        clearing_q, offered_q, sweeping_q, looked_q, half_q, look, expired, write;
  logic [IndexWidth-1:0] clean_q, kept_index, kept_index_q, write_index;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [9:0]  find_slot, put_slot;  // With fewer entries only the low bits.
  /* verilator lint_on UNUSEDSIGNAL */

  // Channels in use are few and low, and so are the numbers of nodes: turned round, the number fills the index from above.
  for (genvar b = 0; b < 10; b++) begin : gen_slot
    assign find_slot[b] = find_key_i[1+b] ^ find_key_i[20-b] ^ find_key_i[21+b] ^ (b < 2 ? find_key_i[31+b%2] : b == 9 && find_key_i[0]);
    assign put_slot[b] = put_key_i[1+b] ^ put_key_i[20-b] ^ put_key_i[21+b] ^ (b < 2 ? put_key_i[31+b%2] : b == 9 && put_key_i[0]);
  end
  assign kept_index = offer_i ? put_slot[IndexWidth-1:0] : clean_q;

  assign {found_valid, found_key, found_transfer_o, found_time} = found_q;
  assign {kept_valid, kept_key, kept_transfer, kept_time} = kept_q;

  assign ready_o = !clearing_q;
  assign idle_o = !clearing_q && !sweeping_q && half_q == time_i[27];
  assign found_o = found_valid && found_key == find_key_q && 28'(time_i - found_time) < {12'd0, lifetime_i};
  assign expired = kept_valid && 28'(time_i - kept_time) >= {12'd0, lifetime_i};
  assign space_o = offered_q && (!kept_valid || expired || kept_key == put_key_i);

  // Not while an entry is put, which could be the one that is looked at.
  assign look = sweeping_q && !offer_i && !put_i;
  assign write = clearing_q || put_i || (looked_q && expired);
  assign write_index = clearing_q ? clean_q : kept_index_q;
  assign written = put_i && !clearing_q ? {1'b1, put_key_i, put_transfer_i, time_i} : '0;

  always_ff @(posedge clk_i) begin
    if (write) entry_q[write_index] <= written;
    found_q <= entry_q[find_slot[IndexWidth-1:0]];
    kept_q <= entry_q[kept_index];
    find_key_q <= find_key_i;
    kept_index_q <= kept_index;
    if (!rst_ni) begin
      clearing_q <= 1'b1;
      offered_q <= 1'b0;
      sweeping_q <= 1'b0;
      looked_q <= 1'b0;
      half_q <= 1'b0;
      clean_q <= '0;
    end else begin
      offered_q <= offer_i;
      looked_q <= look;
      if (clearing_q || look) clean_q <= clean_q + 1'b1;
      if (clearing_q && clean_q == '1) clearing_q <= 1'b0;
      if (look && clean_q == '1) sweeping_q <= 1'b0;
      if (!clearing_q && half_q != time_i[27]) begin
        half_q <= time_i[27];
        sweeping_q <= 1'b1;
        clean_q <= '0;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!put_i || space_o) else $error("entry for a slot that is taken");
    end
  end
`endif

endmodule
