// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The ExaNet router: 7 to 64 ports, 2 VCs, dimension-ordered routing on a torus or a route table for any other, virtual cut-through, credits.
/// What it does at each clock edge is written in docs/models/exanet-router.md and nowhere else.
///
/// The fields of port p of a link are bit p (or slice p) of the vectors below: port 0 is the tile, 1 + 2d is "+" and 2 + 2d is "-" of dimension d.
/// All link outputs are registers. The configuration is taken while reset is low.
module exanet_router #(
    /// Bits of a word: 128, 256 or 512. Header and footer are the low 128 bits of a word of their own.
    parameter int unsigned DataWidth = exanet_pkg::DataWidth,
    /// Input buffer of each port and VC in words: a power of two that holds the largest packet, at most 128.
    parameter int unsigned BufferWords = 64,
    /// Destination nodes of the route table: 0 (no table) to 1024.
    parameter int unsigned RouteTableEntries = 0,
    /// 7 to 64. Routes by coordinates go through the first 7.
    parameter int unsigned NumPorts = 7,
    /// Input VC number: 2 * port + vc. Output VCs likewise.
    localparam int unsigned NumInputs = NumPorts * exanet_pkg::NumVcs,
    localparam int unsigned InputIdWidth = $clog2(NumPorts) + 1,
    /// An entry of the route table: valid, output port, output VC.
    localparam int unsigned RouteWidth = InputIdWidth + 1
) (
    input  logic                                        clk_i,
    /// Synchronous, active low; two edges.
    input  logic                                        rst_ni,

    /// Own coordinates and lattice sizes minus one: X in bits 7..0, Y in 15..8, Z in 23..16.
    input  logic [3*exanet_pkg::CoordWidth-1:0]         coordinates_i,
    input  logic [3*exanet_pkg::CoordWidth-1:0]         last_i,
    /// Packets are routed by the table, not by their coordinates. Ignored without a table.
    input  logic                                        table_enable_i,
    /// Writes the entry of a destination node in the table of an input VC (2 * port + vc), in any state: valid, output port, output VC.
    input  logic                                        table_we_i,
    input  logic [InputIdWidth-1:0]                     table_input_i,
    input  logic [exanet_pkg::TableAddressWidth-1:0]    table_address_i,
    input  logic [RouteWidth-1:0]                       table_data_i,
    /// Ports that are connected.
    input  logic [NumPorts-1:0]                         port_enable_i,
    /// Buffer words of each VC of the neighbour at each port.
    input  logic [NumPorts*exanet_pkg::CreditWidth-1:0] initial_credits_i,
    /// When outputs mark packets, and the ports that lead to hosts and mark also without credits.
    input  logic [exanet_pkg::MarkWidth-1:0]            mark_threshold_i,
    input  logic [exanet_pkg::MarkWidth-1:0]            mark_rate_i,
    input  logic [exanet_pkg::LengthWidth-1:0]          mark_least_i,
    input  logic [NumPorts-1:0]                         mark_hosts_i,
    /// Health of the own node; goes out with each credit.
    input  logic [exanet_pkg::HealthWidth-1:0]          health_i,

    /// Words from the links.
    input  logic [NumPorts-1:0]                         rx_valid_i,
    input  logic [NumPorts-1:0]                         rx_vc_i,
    input  logic [NumPorts-1:0]                         rx_sop_i,
    input  logic [NumPorts-1:0]                         rx_eop_i,
    input  logic [NumPorts*DataWidth-1:0]               rx_data_i,
    /// Credits to the links for words that have left the buffers.
    output logic [NumPorts-1:0]                         credit_valid_o,
    output logic [NumPorts-1:0]                         credit_vc_o,
    output logic [NumPorts*exanet_pkg::CreditWidth-1:0] credit_count_o,
    output logic [NumPorts*exanet_pkg::HealthWidth-1:0] credit_health_o,

    /// Words to the links; a word is taken at an edge where both valid and ready are high.
    output logic [NumPorts-1:0]                         tx_valid_o,
    output logic [NumPorts-1:0]                         tx_vc_o,
    output logic [NumPorts-1:0]                         tx_sop_o,
    output logic [NumPorts-1:0]                         tx_eop_o,
    output logic [NumPorts*DataWidth-1:0]               tx_data_o,
    input  logic [NumPorts-1:0]                         tx_ready_i,
    /// Credits from the links.
    input  logic [NumPorts-1:0]                         credit_valid_i,
    input  logic [NumPorts-1:0]                         credit_vc_i,
    input  logic [NumPorts*exanet_pkg::CreditWidth-1:0] credit_count_i,
    input  logic [NumPorts*exanet_pkg::HealthWidth-1:0] credit_health_i,

    /// No state changes without input: buffers and output registers are empty, no credits are pending or registered. Follows the registers.
    output logic                                        idle_o,
    /// By port: a packet waits for a VC that has no owner only because that lacks credits. Follows the registers.
    output logic [NumPorts-1:0]                         credit_stall_o,
    /// By port, sticky: words were lost or dropped, a packet is not framed as its header says, or too many credits came back.
    output logic [NumPorts-1:0]                         error_o,
    /// Health of each neighbour, as its last credit said.
    output logic [NumPorts*exanet_pkg::HealthWidth-1:0] neighbour_health_o
);

  if (BufferWords < exanet_pkg::MaxPacketWords || BufferWords > 128) begin : gen_check_buffer
    $error("exanet_router: BufferWords must hold the largest packet and fit the credit count");
  end
  if (DataWidth != 128 && DataWidth != 256 && DataWidth != 512) begin : gen_check_width
    $error("exanet_router: DataWidth must be 128, 256 or 512");
  end
  if (NumPorts < 7 || NumPorts > 64) begin : gen_check_ports
    $error("exanet_router: NumPorts must be 7 to 64");
  end
  if (RouteTableEntries > 2 ** exanet_pkg::TableAddressWidth) begin : gen_check_table
    $error("exanet_router: RouteTableEntries has at most as many entries as the table has addresses");
  end

  /// Bits from the requests to one output VC, a bit for each input VC, to those to the next.
  localparam int unsigned RequestStride = 2 ** InputIdWidth;

  logic [3*exanet_pkg::CoordWidth-1:0] here_q, last_q;
  logic [NumPorts-1:0] port_enable_q;
  logic table_enable_q;
  logic [NumPorts*exanet_pkg::CreditWidth-1:0] initial_credits_q;
  exanet_pkg::marking_t marking_q;
  logic [NumPorts-1:0] mark_hosts_q;
  logic [NumPorts*exanet_pkg::HealthWidth-1:0] neighbour_health_q;
  logic [exanet_pkg::HealthWidth-1:0] health_q;

  // By input VC.
  logic [NumInputs-1:0] waiting, routed, valid, first, last, grant, pop;
  logic [NumInputs*InputIdWidth-1:0] want;
  logic [NumInputs*exanet_pkg::LengthStride-1:0] length;
  logic [NumInputs*exanet_pkg::CreditWidth-1:0] count;
  logic [NumInputs*DataWidth-1:0] data;
  // By output VC, then input VC.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [NumInputs*RequestStride-1:0] request;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [NumPorts-1:0] input_idle, input_error, output_error;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      here_q <= coordinates_i;
      last_q <= last_i;
      port_enable_q <= port_enable_i;
      table_enable_q <= table_enable_i;
      initial_credits_q <= initial_credits_i;
      marking_q <= {mark_threshold_i, mark_rate_i, mark_least_i};
      mark_hosts_q <= mark_hosts_i;
    end
    health_q <= health_i;
  end

  for (genvar p = 0; p < NumPorts; p++) begin : gen_input
    logic [1:0] table_we;
    assign table_we = {table_we_i && table_input_i == InputIdWidth'(2 * p + 1), table_we_i && table_input_i == InputIdWidth'(2 * p)};
    exanet_input_port #(
        .DataWidth        (DataWidth),
        .BufferWords      (BufferWords),
        .RouteTableEntries(RouteTableEntries),
        .NumPorts         (NumPorts)
    ) i_port (
        .clk_i,
        .rst_ni,
        .here_i        (here_q),
        .last_i        (last_q),
        .table_enable_i(table_enable_q),
        .table_we_i    (table_we),
        .table_address_i,
        .table_data_i,
        .port_enable_i (port_enable_q),
        .enable_i      (port_enable_q[p]),
        .rx_valid_i    (rx_valid_i[p]),
        .rx_vc_i       (rx_vc_i[p]),
        .rx_sop_i      (rx_sop_i[p]),
        .rx_eop_i      (rx_eop_i[p]),
        .rx_data_i     (rx_data_i[DataWidth*p+:DataWidth]),
        .credit_valid_o(credit_valid_o[p]),
        .credit_vc_o   (credit_vc_o[p]),
        .credit_count_o(credit_count_o[exanet_pkg::CreditWidth*p+:exanet_pkg::CreditWidth]),
        .waiting_o     (waiting[2*p+:2]),
        .want_o        (want[2*InputIdWidth*p+:2*InputIdWidth]),
        .length_o      (length[2*exanet_pkg::LengthStride*p+:2*exanet_pkg::LengthStride]),
        .routed_o      (routed[2*p+:2]),
        .count_o       (count[2*exanet_pkg::CreditWidth*p+:2*exanet_pkg::CreditWidth]),
        .grant_i       (grant[2*p+:2]),
        .valid_o       (valid[2*p+:2]),
        .data_o        (data[2*DataWidth*p+:2*DataWidth]),
        .first_o       (first[2*p+:2]),
        .last_o        (last[2*p+:2]),
        .pop_i         (pop[2*p+:2]),
        .idle_o        (input_idle[p]),
        .error_o       (input_error[p])
    );
    assign credit_health_o[exanet_pkg::HealthWidth*p+:exanet_pkg::HealthWidth] = health_q;
  end

  // Every waiting packet asks for one output VC.
  always_comb begin
    /* verilator lint_off WIDTHCONCAT */
    request = '0;
    /* verilator lint_on WIDTHCONCAT */
    for (int i = 0; i < NumInputs; i++) begin
      if (waiting[i]) begin
        for (int o = 0; o < NumInputs; o++) begin
          request[RequestStride*o+i] = want[InputIdWidth*i+:InputIdWidth] == InputIdWidth'(o);
        end
      end
    end
  end

  for (genvar p = 0; p < NumPorts; p++) begin : gen_output
    logic [NumInputs-1:0] port_grant, port_pop;
    // Grants and pops of this port and those before it.
    logic [NumInputs-1:0] grants, pops;
    exanet_output_port #(
        .DataWidth(DataWidth),
        .NumPorts (NumPorts),
        .Port     (p)
    ) i_port (
        .clk_i,
        .rst_ni,
        .marking_i        (marking_q),
        .mark_host_i      (mark_hosts_q[p]),
        .initial_credits_i(initial_credits_q[exanet_pkg::CreditWidth*p+:exanet_pkg::CreditWidth]),
        .request_i        ({request[RequestStride*(2*p+1)+:NumInputs], request[RequestStride*2*p+:NumInputs]}),
        .length_i         (length),
        .routed_i         (routed),
        .want_i           (want),
        .count_i          (count),
        .valid_i          (valid),
        .data_i           (data),
        .first_i          (first),
        .last_i           (last),
        .grant_o          (port_grant),
        .pop_o            (port_pop),
        .tx_valid_o       (tx_valid_o[p]),
        .tx_vc_o          (tx_vc_o[p]),
        .tx_sop_o         (tx_sop_o[p]),
        .tx_eop_o         (tx_eop_o[p]),
        .tx_data_o        (tx_data_o[DataWidth*p+:DataWidth]),
        .tx_ready_i       (tx_ready_i[p]),
        .credit_valid_i   (credit_valid_i[p] && port_enable_q[p]),
        .credit_vc_i      (credit_vc_i[p]),
        .credit_count_i   (credit_count_i[exanet_pkg::CreditWidth*p+:exanet_pkg::CreditWidth]),
        .credit_stall_o   (credit_stall_o[p]),
        .error_o          (output_error[p])
    );
    if (p == 0) begin : gen_first
      assign grants = port_grant;
      assign pops = port_pop;
    end else begin : gen_next
      assign grants = gen_output[p-1].grants | port_grant;
      assign pops = gen_output[p-1].pops | port_pop;
    end
  end

  // An input VC wants one output VC only, so it has at most one grant and one output port that takes its words.
  assign grant = gen_output[NumPorts-1].grants;
  assign pop = gen_output[NumPorts-1].pops;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      neighbour_health_q <= '0;
    end else begin
      for (int p = 0; p < NumPorts; p++) begin
        if (credit_valid_i[p] && port_enable_q[p]) begin
          neighbour_health_q[exanet_pkg::HealthWidth*p+:exanet_pkg::HealthWidth] <=
              credit_health_i[exanet_pkg::HealthWidth*p+:exanet_pkg::HealthWidth];
        end
      end
    end
  end

  assign neighbour_health_o = neighbour_health_q;
  assign idle_o = input_idle == '1 && tx_valid_o == '0;
  assign error_o = input_error | output_error;

endmodule
