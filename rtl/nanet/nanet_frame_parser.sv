// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Reads the Ethernet and IPv4 headers of frames as they pass. A word leaves one cycle after it came, with its position in the frame. All fields of the
/// header are there when word 5 leaves and stay until the frame has ended.
module nanet_frame_parser (
    input  logic                        clk_i,
    /// Synchronous, active low.
    input  logic                        rst_ni,
    // Nothing is routed here.
    /* verilator lint_off UNUSEDSIGNAL */
    input  nanet_pkg::station_t         station_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic                        valid_i,
    output logic                        ready_o,
    input  nanet_pkg::beat_t            beat_i,
    output logic                        valid_o,
    input  logic                        ready_i,
    output nanet_pkg::beat_t            beat_o,
    output logic [2:0]                  index_o,  ///< Word of the frame, 7 for all that follow.
    output nanet_pkg::frame_header_t    header_o
);

  nanet_pkg::beat_t beat_q;
  logic             valid_q, first_q, take;
  logic [2:0]       index_q;
  logic [15:0]      ethertype_q, total_q;
  logic [47:0]      source_mac_q;
  logic [31:0]      source_ip_q, sum_q;
  logic [15:0]      destination_high_q, destination_low_q;
  logic [7:0]       version_q, protocol_q;
  logic             mine_q, fragment_q, to_all;
  logic [63:0]      d;
  logic [31:0]      destination_ip;

  assign ready_o = !valid_q || ready_i;
  assign take = valid_i && ready_o;
  assign d = beat_i.data;

  logic [2:0] index_next;
  assign index_next = first_q ? 3'd0 : index_q == 3'd7 ? 3'd7 : index_q + 3'd1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      first_q <= 1'b1;
      index_q <= '0;
    end else begin
      if (ready_o) valid_q <= valid_i;
      if (take) begin
        first_q <= beat_i.last;
        index_q <= index_next;
      end
    end
    if (take) begin
      beat_q <= beat_i;
      case (index_next)
        3'd0: begin
          mine_q <= d[47:0] == nanet_pkg::swap48(station_i.mac) || d[47:0] == '1;
          source_mac_q[15:0] <= d[63:48];
        end
        3'd1: begin
          source_mac_q[47:16] <= d[31:0];
          ethertype_q <= nanet_pkg::swap16(d[47:32]);
          version_q <= d[55:48];
          sum_q <= {14'd0, nanet_pkg::sum64(d, 8'hc0)};
        end
        3'd2: begin
          total_q <= nanet_pkg::swap16(d[15:0]);
          // More fragments, or an offset.
          fragment_q <= d[37] || d[36:32] != '0 || d[47:40] != '0;
          protocol_q <= d[63:56];
          sum_q <= sum_q + {14'd0, nanet_pkg::sum64(d, 8'hff)};
        end
        3'd3: begin
          source_ip_q <= nanet_pkg::swap32(d[47:16]);
          destination_high_q <= nanet_pkg::swap16(d[63:48]);
          sum_q <= sum_q + {14'd0, nanet_pkg::sum64(d, 8'hff)};
        end
        3'd4: begin
          destination_low_q <= nanet_pkg::swap16(d[15:0]);
          sum_q <= sum_q + {14'd0, nanet_pkg::sum64(d, 8'h03)};
        end
        default: ;
      endcase
    end
  end

  assign destination_ip = {destination_high_q, destination_low_q};
  assign to_all = destination_ip == '1 || destination_ip == (station_i.ip | ~station_i.netmask);

  assign valid_o = valid_q;
  assign beat_o = beat_q;
  assign index_o = index_q;

  logic [nanet_pkg::ResultWidth-1:0] verdict;
  always_comb begin
    verdict = protocol_q == nanet_pkg::ProtocolUdp ? nanet_pkg::ResultUdp : nanet_pkg::ResultIcmp;
    if (ethertype_q != nanet_pkg::EthertypeIpv4) verdict = nanet_pkg::ResultEthertype;
    else if (version_q != 8'h45 || total_q < 16'd28) verdict = nanet_pkg::ResultIpHeader;
    else if (nanet_pkg::fold(sum_q) != 16'hffff) verdict = nanet_pkg::ResultIpChecksum;
    else if (destination_ip != station_i.ip && !to_all) verdict = nanet_pkg::ResultOther;
    else if (fragment_q) verdict = nanet_pkg::ResultFragment;
    else if (protocol_q != nanet_pkg::ProtocolUdp && protocol_q != nanet_pkg::ProtocolIcmp) verdict = nanet_pkg::ResultProtocol;
    if (!mine_q) verdict = nanet_pkg::ResultOther;
  end

  assign header_o = {
    mine_q, nanet_pkg::swap48(source_mac_q), ethertype_q, verdict, total_q, source_ip_q
  };

endmodule
