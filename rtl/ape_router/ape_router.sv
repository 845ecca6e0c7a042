// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The APErouter: any number of intra-tile ports (network interfaces) and inter-tile ports (links of a torus) joined by a switch, 2 VCs for each,
/// dimension-ordered routing, virtual cut-through, credits. docs/models/ape-router.md is the contract.
///
/// The fields of port p are bit p (or slice p) of the vectors below. Ports 0 to IntraPorts - 1 are the tile's; IntraPorts + 2d is "+" and
/// IntraPorts + 2d + 1 is "-" of dimension d. All link outputs are registers, but for `tx_valid_o` of a port that discards.
module ape_router #(
    parameter int unsigned IntraPorts = 3,
    /// 2, 4 or 6: a ring, a torus of two or of three dimensions.
    parameter int unsigned InterPorts = 2,
    /// Bits of a word: 128, 256 or 512. Header and footer are the low 128 bits of a word of their own; the others are zero.
    parameter int unsigned DataWidth = 128,
    /// Bytes of payload of the largest packet: 256 or 512.
    parameter int unsigned MaxPayload = 512,
    /// Packets that the header and the footer FIFO of each VC hold; a power of two, at most 128.
    parameter int unsigned HeaderDepth = 128,
    /// Words that the payload FIFO of each VC holds; powers of two, from the largest packet to 4096.
    parameter int unsigned IntraPayloadDepth = 4096,
    parameter int unsigned InterPayloadDepth = 1024,
    /// Routing relation: bit 16 * input port + output port says that packets may pass. A link never leads back to itself whatever it says.
    parameter bit [255:0] Relation = {256{1'b1}},
    /// Edges that a disabled port waits for its link before it discards the packet that it is sending.
    parameter int unsigned DrainCycles = 256,
    parameter int unsigned CounterWidth = 16,
    /// Outputs can mark packets that meet congestion. Without it the `mark_*_i` are ignored and nothing of it is built.
    parameter bit Marking = 1'b1,
    localparam int unsigned NumPorts = IntraPorts + InterPorts
) (
    input  logic                                                  clk_i,
    /// Synchronous, active low; two edges.
    input  logic                                                  rst_ni,

    /// Taken while reset is low. Own coordinates and lattice sizes minus one: X in bits 7..0, Y in 15..8, Z in 23..16.
    input  logic [3*ape_router_pkg::CoordWidth-1:0]               coordinates_i,
    input  logic [3*ape_router_pkg::CoordWidth-1:0]               last_i,
    /// Payload words and packets that each VC of the neighbour at each port holds.
    input  logic [NumPorts*ape_router_pkg::WordCreditWidth-1:0]   initial_words_i,
    input  logic [NumPorts*ape_router_pkg::PacketCreditWidth-1:0] initial_packets_i,

    /// May change at any time. Ports that are in use.
    input  logic [NumPorts-1:0]                                   port_enable_i,
    /// Dimension to consume first in bits 1..0, then 3..2, then 5..4; 3 is none. 6'b00_01_10 is Z, Y, X. Only while the network is empty:
    /// packets that follow different orders can block each other for good.
    input  logic [5:0]                                            dimension_order_i,
    /// 0: the upper VC where destination > here, which is free of deadlock. 1: where the shortest path leads "+", which is not.
    input  logic                                                  vc_by_direction_i,
    /// Packets of an input port of higher priority go before others; those of equal priority in turn. Without it all in turn.
    input  logic                                                  fixed_priority_i,
    input  logic [NumPorts*ape_router_pkg::PriorityWidth-1:0]     priority_i,
    /// Congestion marks in footers: more words than the threshold (0 marks nothing) must wait for an output, in packets of at least `least` words (header and
    /// footer counted) one is marked and then `rate` not; with `hosts` intra-tile ports mark also while they lack credits.
    input  logic [ape_router_pkg::MarkWidth-1:0]                  mark_threshold_i,
    input  logic [ape_router_pkg::MarkWidth-1:0]                  mark_rate_i,
    input  logic [ape_router_pkg::LengthWidth-1:0]                mark_least_i,
    input  logic                                                  mark_hosts_i,
    /// Health of the own node; goes out with each credit.
    input  logic [ape_router_pkg::HealthWidth-1:0]                health_i,

    /// Words from the links.
    input  logic [NumPorts-1:0]                                   rx_valid_i,
    input  logic [NumPorts-1:0]                                   rx_vc_i,
    input  logic [NumPorts-1:0]                                   rx_sop_i,
    input  logic [NumPorts-1:0]                                   rx_eop_i,
    input  logic [NumPorts*DataWidth-1:0]                         rx_data_i,
    /// Credits to the links for what has left the buffers.
    output logic [NumPorts-1:0]                                   credit_valid_o,
    output logic [NumPorts-1:0]                                   credit_vc_o,
    output logic [NumPorts*ape_router_pkg::ReturnWidth-1:0]       credit_words_o,
    output logic [NumPorts*ape_router_pkg::ReturnPacketWidth-1:0] credit_packets_o,
    output logic [NumPorts*ape_router_pkg::HealthWidth-1:0]       credit_health_o,

    /// Words to the links; a word is taken at an edge where both valid and ready are high.
    output logic [NumPorts-1:0]                                   tx_valid_o,
    output logic [NumPorts-1:0]                                   tx_vc_o,
    output logic [NumPorts-1:0]                                   tx_sop_o,
    output logic [NumPorts-1:0]                                   tx_eop_o,
    output logic [NumPorts*DataWidth-1:0]                         tx_data_o,
    input  logic [NumPorts-1:0]                                   tx_ready_i,
    /// Credits from the links.
    input  logic [NumPorts-1:0]                                   credit_valid_i,
    input  logic [NumPorts-1:0]                                   credit_vc_i,
    input  logic [NumPorts*ape_router_pkg::ReturnWidth-1:0]       credit_words_i,
    input  logic [NumPorts*ape_router_pkg::ReturnPacketWidth-1:0] credit_packets_i,
    input  logic [NumPorts*ape_router_pkg::HealthWidth-1:0]       credit_health_i,

    /// Nothing is inside: no state changes without input. Follows the registers.
    output logic                                                  idle_o,
    /// By port: a packet waits for a free VC only because that lacks credits.
    output logic [NumPorts-1:0]                                   credit_stall_o,
    /// By port, sticky: the neighbour sent a word without credit, or returned credits that cannot be.
    output logic [NumPorts-1:0]                                   error_o,
    /// Counters by port, modulo 2^CounterWidth. By input port: packets that lead outside the lattice or for which no output is allowed,
    /// packets for a disabled port or from one, and words and packets that are not framed as they should be.
    output logic [NumPorts*CounterWidth-1:0]                      dropped_route_o,
    output logic [NumPorts*CounterWidth-1:0]                      dropped_disabled_o,
    output logic [NumPorts*CounterWidth-1:0]                      malformed_o,
    /// By output port: packets sent, footers marked, and packets cut short because the port was disabled and its link dead.
    output logic [NumPorts*CounterWidth-1:0]                      sent_o,
    output logic [NumPorts*CounterWidth-1:0]                      marked_o,
    output logic [NumPorts*CounterWidth-1:0]                      discarded_o,
    /// Health of each neighbour, as its last credit said.
    output logic [NumPorts*ape_router_pkg::HealthWidth-1:0]       neighbour_health_o,
    /// By input port, VC 0 in the low half: words in the buffers, header and footer of each packet counted, and packets.
    output logic [NumPorts*2*ape_router_pkg::QueueWidth-1:0]      queued_o,
    output logic [NumPorts*2*ape_router_pkg::PacketsWidth-1:0]    packets_o
);

  localparam int unsigned NumInputs = 2 * NumPorts;
  localparam int unsigned IdWidth = $clog2(NumPorts) + 1;
  localparam int unsigned MaxPayloadWords = MaxPayload * 8 / DataWidth;
  localparam int unsigned LengthWidth = ape_router_pkg::LengthWidth;
  localparam int unsigned PriorityWidth = ape_router_pkg::PriorityWidth;
  localparam int unsigned HealthWidth = ape_router_pkg::HealthWidth;
  localparam int unsigned QueueWidth = ape_router_pkg::QueueWidth;
  localparam int unsigned SumWidth = ape_router_pkg::SumWidth;
  localparam int unsigned ReturnWidth = ape_router_pkg::ReturnWidth;
  localparam int unsigned ReturnPacketWidth = ape_router_pkg::ReturnPacketWidth;

  if (IntraPorts < 1 || IntraPorts > 8 || (InterPorts != 2 && InterPorts != 4 && InterPorts != 6)) begin : gen_check_ports
    $error("ape_router: 1 to 8 intra-tile and 2, 4 or 6 inter-tile ports");
  end
  if (DataWidth != 128 && DataWidth != 256 && DataWidth != 512) begin : gen_check_width
    $error("ape_router: DataWidth must be 128, 256 or 512");
  end
  if (MaxPayload != 256 && MaxPayload != 512) begin : gen_check_payload
    $error("ape_router: MaxPayload must be 256 or 512");
  end
  if (HeaderDepth < 2 || HeaderDepth > 128 || HeaderDepth != 1 << $clog2(HeaderDepth)) begin : gen_check_header_depth
    $error("ape_router: HeaderDepth must be a power of two, 2 to 128");
  end
  if (DrainCycles < 1 || CounterWidth < 2) begin : gen_check_counters
    $error("ape_router: DrainCycles must be 1 or more, CounterWidth 2 or more");
  end
  if (IntraPayloadDepth < MaxPayloadWords || IntraPayloadDepth > 4096 || InterPayloadDepth < MaxPayloadWords ||
      InterPayloadDepth > 4096) begin : gen_check_depth
    $error("ape_router: a FIFO must hold the largest packet and fit the credit counts");
  end

  ape_router_pkg::position_t position_q;
  logic [NumPorts*ape_router_pkg::WordCreditWidth-1:0] initial_words_q;
  logic [NumPorts*ape_router_pkg::PacketCreditWidth-1:0] initial_packets_q;
  logic [NumPorts-1:0] port_enable_q;
  logic [5:0] order_q;
  logic vc_by_direction_q;
  logic [NumPorts*NumPorts-1:0] port_beaten_q;  ///< Bit NumPorts * a + b: port b goes before port a.
  logic [ape_router_pkg::MarkWidth-1:0] mark_threshold_q, mark_rate_q;
  logic [LengthWidth-1:0] mark_least_q;
  logic mark_hosts_q;
  logic [HealthWidth-1:0] health_q;
  logic [NumPorts*HealthWidth-1:0] neighbour_health_q;

  // By input VC. Of an input port that the routing relation cuts off not everything is used.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [NumInputs-1:0] waiting, valid, first, last, ending, markable, head_valid, grant, pop;
  logic [NumInputs*(IdWidth-1)-1:0] head_port;
  logic [NumInputs*QueueWidth-1:0] queued;
  assign queued_o = queued;
  logic [NumInputs*IdWidth-1:0] want, target;
  logic [NumInputs*LengthWidth-1:0] length;
  logic [NumInputs*DataWidth-1:0] data;
  /* verilator lint_on UNUSEDSIGNAL */
  // By output port, then input VC.
  logic [NumPorts*NumInputs-1:0] port_grant, port_pop;
  logic [NumPorts-1:0] input_idle, output_idle, input_error, output_error;

  logic [NumPorts*NumPorts-1:0] port_beaten;
  logic clk_config;  ///< Stands while the configuration does not change, and with it what follows from it.

  always_comb begin
    for (int a = 0; a < NumPorts; a++) begin
      for (int b = 0; b < NumPorts; b++) begin
        port_beaten[NumPorts*a+b] = fixed_priority_i && priority_i[PriorityWidth*b+:PriorityWidth] > priority_i[PriorityWidth*a+:PriorityWidth];
      end
    end
  end

  idle_gate i_config_gate (
      .clk_i,
      .rst_ni,
      .busy_i({port_enable_i, dimension_order_i, vc_by_direction_i, mark_threshold_i, mark_rate_i, mark_least_i, mark_hosts_i, health_i, port_beaten} !=
              {port_enable_q, order_q, vc_by_direction_q, mark_threshold_q, mark_rate_q, mark_least_q, mark_hosts_q, health_q, port_beaten_q}),
      .clk_o (clk_config)
  );

  always_ff @(posedge clk_config) begin
    if (!rst_ni) begin
      position_q <= ape_router_pkg::position(coordinates_i, last_i);
      initial_words_q <= initial_words_i;
      initial_packets_q <= initial_packets_i;
    end
    port_enable_q <= port_enable_i;
    order_q <= dimension_order_i;
    vc_by_direction_q <= vc_by_direction_i;
    mark_threshold_q <= Marking ? mark_threshold_i : '0;
    mark_rate_q <= mark_rate_i;
    mark_least_q <= mark_least_i;
    mark_hosts_q <= mark_hosts_i;
    health_q <= health_i;
    port_beaten_q <= port_beaten;
  end

  for (genvar p = 0; p < NumPorts; p++) begin : gen_input
    localparam bit [NumPorts-1:0] Self = p < IntraPorts ? '0 : NumPorts'(1) << p;
    ape_input_port #(
        .IntraPorts  (IntraPorts),
        .InterPorts  (InterPorts),
        .DataWidth   (DataWidth),
        .MaxPayload  (MaxPayload),
        .HeaderDepth (HeaderDepth),
        .PayloadDepth(p < IntraPorts ? IntraPayloadDepth : InterPayloadDepth),
        .CounterWidth(CounterWidth),
        .Outputs     (Relation[16*p+:NumPorts] & ~Self)
    ) i_port (
        .clk_i,
        .rst_ni,
        .position_i        (position_q),
        .order_i           (order_q),
        .vc_by_direction_i (vc_by_direction_q),
        .port_enable_i     (port_enable_q),
        .enable_i          (port_enable_q[p]),
        .rx_valid_i        (rx_valid_i[p]),
        .rx_vc_i           (rx_vc_i[p]),
        .rx_sop_i          (rx_sop_i[p]),
        .rx_eop_i          (rx_eop_i[p]),
        .rx_data_i         (rx_data_i[DataWidth*p+:DataWidth]),
        .credit_valid_o    (credit_valid_o[p]),
        .credit_vc_o       (credit_vc_o[p]),
        .credit_words_o    (credit_words_o[ReturnWidth*p+:ReturnWidth]),
        .credit_packets_o  (credit_packets_o[ReturnPacketWidth*p+:ReturnPacketWidth]),
        .waiting_o         (waiting[2*p+:2]),
        .want_o            (want[2*IdWidth*p+:2*IdWidth]),
        .length_o          (length[2*LengthWidth*p+:2*LengthWidth]),
        .grant_i           (grant[2*p+:2]),
        .valid_o           (valid[2*p+:2]),
        .target_o          (target[2*IdWidth*p+:2*IdWidth]),
        .data_o            (data[2*DataWidth*p+:2*DataWidth]),
        .first_o           (first[2*p+:2]),
        .last_o            (last[2*p+:2]),
        .ending_o          (ending[2*p+:2]),
        .pop_i             (pop[2*p+:2]),
        .queued_o          (queued[2*QueueWidth*p+:2*QueueWidth]),
        .head_valid_o      (head_valid[2*p+:2]),
        .head_port_o       (head_port[2*(IdWidth-1)*p+:2*(IdWidth-1)]),
        .least_i           (mark_least_q),
        .large_o           (markable[2*p+:2]),
        .packets_o         (packets_o[2*ape_router_pkg::PacketsWidth*p+:2*ape_router_pkg::PacketsWidth]),
        .idle_o            (input_idle[p]),
        .dropped_route_o   (dropped_route_o[CounterWidth*p+:CounterWidth]),
        .dropped_disabled_o(dropped_disabled_o[CounterWidth*p+:CounterWidth]),
        .malformed_o       (malformed_o[CounterWidth*p+:CounterWidth]),
        .error_o           (input_error[p])
    );
    assign credit_health_o[HealthWidth*p+:HealthWidth] = health_q;
  end

  for (genvar p = 0; p < NumPorts; p++) begin : gen_output
    // What the routing relation leaves out is constant, and costs nothing in the switch.
    logic [2*NumInputs-1:0] request;
    logic [NumInputs-1:0] reach_valid;
    logic [NumInputs*DataWidth-1:0] reach_data;
    logic [NumInputs*QueueWidth-1:0] reach_queued;
    logic [SumWidth-1:0] sum;  ///< Words that wait for the port.
    for (genvar i = 0; i < NumInputs; i++) begin : gen_reach
      if (Relation[16*(i/2)+p] && !(i / 2 == p && p >= IntraPorts)) begin : gen_way
        assign request[i] = waiting[i] && want[IdWidth*i+:IdWidth] == IdWidth'(2 * p);
        assign request[NumInputs+i] = waiting[i] && want[IdWidth*i+:IdWidth] == IdWidth'(2 * p + 1);
        assign reach_valid[i] = valid[i];
        assign reach_data[DataWidth*i+:DataWidth] = data[DataWidth*i+:DataWidth];
        assign reach_queued[QueueWidth*i+:QueueWidth] =
            head_valid[i] && head_port[(IdWidth-1)*i+:IdWidth-1] == (IdWidth - 1)'(p) ? queued[QueueWidth*i+:QueueWidth] : '0;
      end else begin : gen_no_way
        assign request[i] = 1'b0;
        assign request[NumInputs+i] = 1'b0;
        assign reach_valid[i] = 1'b0;
        assign reach_data[DataWidth*i+:DataWidth] = 'x;
        assign reach_queued[QueueWidth*i+:QueueWidth] = '0;
      end
    end
    always_comb begin
      sum = '0;
      for (int i = 0; i < NumInputs; i++) sum = sum + SumWidth'(reach_queued[QueueWidth*i+:QueueWidth]);
    end
    ape_output_port #(
        .NumInputs      (NumInputs),
        .DataWidth      (DataWidth),
        .MaxPayloadWords(MaxPayloadWords),
        .DrainCycles    (DrainCycles),
        .CounterWidth   (CounterWidth),
        .IdWidth        (IdWidth),
        .FirstId        (2 * p)
    ) i_port (
        .clk_i,
        .rst_ni,
        .initial_words_i  (initial_words_q[ape_router_pkg::WordCreditWidth*p+:ape_router_pkg::WordCreditWidth]),
        .initial_packets_i(initial_packets_q[ape_router_pkg::PacketCreditWidth*p+:ape_router_pkg::PacketCreditWidth]),
        .enable_i         (port_enable_q[p]),
        .request_i        (request),
        .beaten_i         (port_beaten_q),
        .length_i         (length),
        .valid_i          (reach_valid),
        .target_i         (target),
        .data_i           (reach_data),
        .first_i          (first),
        .last_i           (last),
        .ending_i         (ending),
        .large_i          (markable),
        .mark_threshold_i (mark_threshold_q),
        .mark_rate_i      (mark_rate_q),
        .mark_always_i    (mark_hosts_q && p < IntraPorts),
        .queue_i          (sum),
        .grant_o          (port_grant[NumInputs*p+:NumInputs]),
        .pop_o            (port_pop[NumInputs*p+:NumInputs]),
        .tx_valid_o       (tx_valid_o[p]),
        .tx_vc_o          (tx_vc_o[p]),
        .tx_sop_o         (tx_sop_o[p]),
        .tx_eop_o         (tx_eop_o[p]),
        .tx_data_o        (tx_data_o[DataWidth*p+:DataWidth]),
        .tx_ready_i       (tx_ready_i[p]),
        .credit_valid_i   (credit_valid_i[p]),
        .credit_vc_i      (credit_vc_i[p]),
        .credit_words_i   (credit_words_i[ReturnWidth*p+:ReturnWidth]),
        .credit_packets_i (credit_packets_i[ReturnPacketWidth*p+:ReturnPacketWidth]),
        .idle_o           (output_idle[p]),
        .credit_stall_o   (credit_stall_o[p]),
        .sent_o           (sent_o[CounterWidth*p+:CounterWidth]),
        .marked_o         (marked_o[CounterWidth*p+:CounterWidth]),
        .discarded_o      (discarded_o[CounterWidth*p+:CounterWidth]),
        .error_o          (output_error[p])
    );
  end

  // A packet wants one output VC only, so an input VC has at most one grant and one output port that takes its words.
  always_comb begin
    grant = '0;
    pop = '0;
    for (int p = 0; p < NumPorts; p++) begin
      grant = grant | port_grant[NumInputs*p+:NumInputs];
      pop = pop | port_pop[NumInputs*p+:NumInputs];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      neighbour_health_q <= '0;
    end else begin
      for (int p = 0; p < NumPorts; p++) begin
        if (credit_valid_i[p]) begin
          neighbour_health_q[HealthWidth*p+:HealthWidth] <= credit_health_i[HealthWidth*p+:HealthWidth];
        end
      end
    end
  end

  assign neighbour_health_o = neighbour_health_q;
  assign idle_o = input_idle == '1 && output_idle == '1;
  assign error_o = input_error | output_error;

endmodule
