// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Answers and asks by ARP (RFC 826) and tells the sender of datagrams which MAC address a destination has. Addresses outside the own network are those of
/// the gateway. A request that nobody answers is repeated; after `Attempts` the destination has failed.
module nanet_arp #(
    parameter int unsigned Attempts = 3,
    /// Bits of the time between two requests.
    parameter int unsigned TimeoutWidth = 32
) (
    input  logic                     clk_i,
    /// Synchronous, active low.
    input  logic                     rst_ni,
    input  nanet_pkg::station_t      station_i,
    input  logic [TimeoutWidth-1:0]  timeout_i,  ///< Cycles between two requests, at least 1.
    input  logic                     flush_i,
    /// From the receiver.
    input  logic                     heard_i,
    input  logic                     heard_request_i,
    input  logic                     heard_for_me_i,
    input  logic [47:0]              heard_mac_i,
    input  logic [31:0]              heard_ip_i,
    /// Asks for an address until there is an answer.
    input  logic                     resolve_i,
    input  logic [31:0]              resolve_ip_i,
    output logic                     resolved_o,  ///< With `mac_o` or `failed_o`.
    output logic                     failed_o,
    output logic [47:0]              mac_o,
    /// Frames to send.
    output logic                     valid_o,
    input  logic                     ready_i,
    output nanet_pkg::beat_t         beat_o
);

  logic                    hit, all, near;
  logic [47:0]             mac;
  logic [31:0]             hop;
  logic [TimeoutWidth-1:0] timer_q;
  logic [2:0]              attempts_q;
  logic                    ask_q, waiting_q, failed_q, busy_q, sends_request_q, answer_q;
  logic [2:0]              word_q;
  logic [47:0]             answer_mac_q, to_mac_q;
  logic [31:0]             answer_ip_q, to_ip_q, asked_q;
  logic                    done, expired;

  assign near = ((resolve_ip_i ^ station_i.ip) & station_i.netmask) == '0;
  assign all = resolve_ip_i == '1 || (near && (resolve_ip_i | station_i.netmask) == '1);
  assign hop = near || station_i.gateway == '0 ? resolve_ip_i : station_i.gateway;

  nanet_arp_cache i_cache (
      .clk_i,
      .rst_ni,
      .flush_i,
      .update_i      (heard_i && heard_ip_i != '0),
      // As in RFC 826: who does not speak to this port is only brought up to date.
      .update_known_i(!heard_for_me_i),
      .update_ip_i   (heard_ip_i),
      .update_mac_i  (heard_mac_i),
      .ip_i          (hop),
      .hit_o         (hit),
      .mac_o         (mac)
  );

  assign failed_o = failed_q && !hit && !all;
  assign resolved_o = resolve_i && (all || hit || failed_q);
  assign mac_o = all ? '1 : mac;
  assign done = busy_q && ready_i && word_q == 3'd7;
  assign expired = waiting_q && timer_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ask_q <= 1'b0;
      waiting_q <= 1'b0;
      failed_q <= 1'b0;
      attempts_q <= '0;
      timer_q <= '0;
      answer_q <= 1'b0;
      busy_q <= 1'b0;
      word_q <= '0;
    end else begin
      failed_q <= 1'b0;
      if (timer_q != '0) timer_q <= timer_q - 1'b1;
      if (!resolve_i || resolved_o) begin
        waiting_q <= 1'b0;
        ask_q <= 1'b0;
        attempts_q <= '0;
      end else if (!waiting_q || expired) begin
        if (attempts_q == 3'(Attempts)) begin
          failed_q <= 1'b1;
          waiting_q <= 1'b0;
        end else begin
          waiting_q <= 1'b1;
          ask_q <= 1'b1;
          attempts_q <= attempts_q + 1'b1;
          timer_q <= timeout_i;
        end
      end
      // One frame at a time, answers first. The newest question is the one that is answered.
      if (!busy_q || done) begin
        busy_q <= answer_q || ask_q;
        word_q <= '0;
        sends_request_q <= !answer_q;
        to_mac_q <= answer_q ? answer_mac_q : '1;
        to_ip_q <= answer_q ? answer_ip_q : asked_q;
        if (answer_q) answer_q <= 1'b0;
        else if (ask_q) ask_q <= 1'b0;
      end else if (ready_i) word_q <= word_q + 1'b1;
      if (heard_i && heard_request_i && heard_for_me_i) begin
        answer_q <= 1'b1;
        answer_mac_q <= heard_mac_i;
        answer_ip_q <= heard_ip_i;
      end
      if (resolve_i && !resolved_o && (!waiting_q || expired)) asked_q <= hop;
    end
  end

  logic [47:0] own_mac, to_mac, target_mac;
  logic [31:0] own_ip, to_ip;
  logic [63:0] data;
  assign own_mac = nanet_pkg::swap48(station_i.mac);
  assign to_mac = nanet_pkg::swap48(to_mac_q);
  assign target_mac = sends_request_q ? '0 : to_mac;
  assign own_ip = nanet_pkg::swap32(station_i.ip);
  assign to_ip = nanet_pkg::swap32(to_ip_q);

  always_comb begin
    case (word_q)
      3'd0: data = {own_mac[15:0], to_mac};
      3'd1: data = {16'h0100, 16'h0608, own_mac[47:16]};
      3'd2: data = {own_mac[15:0], 6'd0, !sends_request_q, sends_request_q, 8'd0, 16'h0406, 16'h0008};
      3'd3: data = {own_ip, own_mac[47:16]};
      3'd4: data = {to_ip[15:0], target_mac};
      3'd5: data = {48'd0, to_ip[31:16]};
      default: data = '0;
    endcase
  end
  assign valid_o = busy_q;
  assign beat_o = {word_q == 3'd7, 1'b0, word_q == 3'd7 ? 8'h0f : 8'hff, data};

endmodule
