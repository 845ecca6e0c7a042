// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Reads ARP packets (RFC 826) from frames that the parser has read before.
module nanet_arp_rx (
    input  logic                     clk_i,
    /// Synchronous, active low.
    input  logic                     rst_ni,
    input  logic [31:0]              ip_i,      ///< The own address.
    /// A word leaves the parser.
    input  logic                     take_i,
    // Only what ARP needs.
    /* verilator lint_off UNUSEDSIGNAL */
    input  nanet_pkg::beat_t         beat_i,
    input  nanet_pkg::frame_header_t header_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [2:0]               index_i,
    /// The packet is one of IPv4 over Ethernet; valid with the last word.
    output logic                     ok_o,
    /// For one cycle after the last word of a good frame: who sent it, and whether it asks for the own address or tells it something.
    output logic                     valid_o,
    output logic                     request_o,
    output logic                     for_me_o,
    output logic [47:0]              mac_o,
    output logic [31:0]              ip_o
);

  localparam logic [47:0] Ipv4OverEthernet = 48'h04060008_0100;  // Hardware type 1, protocol type 0800, lengths 6 and 4.

  logic [15:0] hardware_q, mac_low_q, target_q;
  logic [31:0] formats_q;
  logic [31:0] mac_high_q, ip_q, target;
  logic [15:0] operation_q;
  logic        for_me_q, ok, valid_q, short_q, long_q;

  assign target = {nanet_pkg::swap16(target_q), nanet_pkg::swap16(beat_i.data[15:0])};
  assign ok = header_i.mine && header_i.ethertype == nanet_pkg::EthertypeArp && {formats_q, hardware_q} == Ipv4OverEthernet &&
      (operation_q == 16'd1 || operation_q == 16'd2);
  assign ok_o = ok;
  assign long_q = !short_q && (index_i == 3'd7);

  assign valid_o = valid_q;
  assign request_o = operation_q == 16'd1;
  assign for_me_o = for_me_q;
  assign mac_o = nanet_pkg::swap48({mac_high_q, mac_low_q});
  assign ip_o = nanet_pkg::swap32(ip_q);

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      case (index_i)
        3'd1: hardware_q <= beat_i.data[63:48];
        3'd2: begin
          formats_q <= beat_i.data[31:0];
          operation_q <= nanet_pkg::swap16(beat_i.data[47:32]);
          mac_low_q <= beat_i.data[63:48];
        end
        3'd3: {ip_q, mac_high_q} <= beat_i.data;
        3'd4: target_q <= beat_i.data[63:48];
        3'd5: for_me_q <= target == ip_i;
        default: ;
      endcase
    end
    if (!rst_ni) begin
      valid_q <= 1'b0;
      short_q <= 1'b1;
    end else begin
      valid_q <= take_i && beat_i.last && !beat_i.error && ok && (long_q || (index_i == 3'd7 && beat_i.keep[3]));
      if (take_i) short_q <= beat_i.last || index_i != 3'd7;
    end
  end

endmodule
