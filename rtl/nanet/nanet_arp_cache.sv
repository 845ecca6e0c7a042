// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Which MAC address an IP address has: 256 entries, one for each value of the lowest 8 bits of an address, the newest stays.
module nanet_arp_cache (
    input  logic        clk_i,
    /// Synchronous, active low.
    input  logic        rst_ni,
    /// Forgets all.
    input  logic        flush_i,
    /// Learns that `update_ip_i` has `update_mac_i`, or only if it knows the address already.
    input  logic        update_i,
    input  logic        update_known_i,
    input  logic [31:0] update_ip_i,
    input  logic [47:0] update_mac_i,
    /// In the same cycle.
    input  logic [31:0] ip_i,
    output logic        hit_o,
    output logic [47:0] mac_o
);

  (* ram_style = "distributed" *)
  logic [71:0]  entries_q[256];  ///< The other bits of the IP address, MAC address.
  (* ram_style = "distributed" *)
  logic [23:0]  tags_q[256];     ///< The first of them once more, to look at while one is learnt.
  logic [255:0] valid_q;
  logic [71:0]  entry;
  logic         write;

  assign entry = entries_q[ip_i[7:0]];
  assign hit_o = valid_q[ip_i[7:0]] && entry[71:48] == ip_i[31:8];
  assign mac_o = entry[47:0];
  assign write = update_i && (!update_known_i || (valid_q[update_ip_i[7:0]] && tags_q[update_ip_i[7:0]] == update_ip_i[31:8]));

  always_ff @(posedge clk_i) begin
    if (write) begin
      entries_q[update_ip_i[7:0]] <= {update_ip_i[31:8], update_mac_i};
      tags_q[update_ip_i[7:0]] <= update_ip_i[31:8];
    end
    if (!rst_ni || flush_i) valid_q <= '0;
    else if (write) valid_q[update_ip_i[7:0]] <= 1'b1;
  end

endmodule
