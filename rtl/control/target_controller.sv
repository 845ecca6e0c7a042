// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The Target Controller: the registers of the network IP behind an AXI4-Lite slave. rtl/control/registers.csv says which,
/// docs/models/target-controller.md how they behave.
///
/// The outputs with what the network IP takes are registers and have the names of its inputs; so do the inputs with its outputs.
module target_controller #(
    /// As in network_ip.
    parameter int unsigned IntraPorts = 3,
    parameter int unsigned InterPorts = 2,
    parameter int unsigned CounterWidth = 16,
    /// The registers that the strap inputs cover begin with these, and the network IP leaves reset without software.
    parameter bit Strapped = 1'b0,
    /// Sizes of FIFOs, powers of two, for software only.
    parameter int unsigned HeaderDepth = 128,
    parameter int unsigned IntraPayloadDepth = 4096,
    parameter int unsigned InterPayloadDepth = 1024,
    parameter int unsigned LinkBufferWords = 128,
    localparam int unsigned NumPorts = IntraPorts + InterPorts
) (
    input  logic                                              clk_i,
    /// Synchronous, active low.
    input  logic                                              rst_ni,

    /// AXI4-Lite. Bits 1..0 of an address do not matter.
    input  logic                                              awvalid_i,
    output logic                                              awready_o,
    input  logic [11:0]                                       awaddr_i,
    input  logic                                              wvalid_i,
    output logic                                              wready_o,
    input  logic [31:0]                                       wdata_i,
    input  logic [3:0]                                        wstrb_i,
    output logic                                              bvalid_o,
    input  logic                                              bready_i,
    output logic [1:0]                                        bresp_o,
    input  logic                                              arvalid_i,
    output logic                                              arready_o,
    input  logic [11:0]                                       araddr_i,
    output logic                                              rvalid_o,
    input  logic                                              rready_i,
    output logic [31:0]                                       rdata_o,
    output logic [1:0]                                        rresp_o,

    /// Taken while reset is low, if Strapped.
    input  logic [3*ape_router_pkg::CoordWidth-1:0]           strap_coordinates_i,
    input  logic [3*ape_router_pkg::CoordWidth-1:0]           strap_last_i,
    input  logic [NumPorts-1:0]                               strap_port_enable_i,
    input  logic [ape_router_pkg::WordCreditWidth-1:0]        strap_tile_words_i,
    input  logic [ape_router_pkg::PacketCreditWidth-1:0]      strap_tile_packets_i,

    /// Reset of the network IP, active low: two edges or more each time.
    output logic                                              network_rst_no,
    output logic [3*ape_router_pkg::CoordWidth-1:0]           coordinates_o,
    output logic [3*ape_router_pkg::CoordWidth-1:0]           last_o,
    output logic [NumPorts-1:0]                               port_enable_o,
    output logic [5:0]                                        dimension_order_o,
    output logic                                              vc_by_direction_o,
    output logic                                              fixed_priority_o,
    output logic [NumPorts*ape_router_pkg::PriorityWidth-1:0] priority_o,
    output logic [ape_router_pkg::HealthWidth-1:0]            health_o,
    output logic [apelink_pkg::LongCountWidth-1:0]            tred_o,
    output logic                                              supervise_o,
    output logic [ape_router_pkg::MarkWidth-1:0]              mark_threshold_o,
    output logic [ape_router_pkg::MarkWidth-1:0]              mark_rate_o,
    output logic [ape_router_pkg::LengthWidth-1:0]            mark_least_o,
    output logic                                              mark_hosts_o,
    output logic [ape_router_pkg::WordCreditWidth-1:0]        tile_words_o,
    output logic [ape_router_pkg::PacketCreditWidth-1:0]      tile_packets_o,

    input  logic                                              router_idle_i,
    input  logic [NumPorts-1:0]                               credit_stall_i,
    input  logic [NumPorts-1:0]                               router_error_i,
    input  logic [NumPorts*CounterWidth-1:0]                  dropped_route_i,
    input  logic [NumPorts*CounterWidth-1:0]                  dropped_disabled_i,
    input  logic [NumPorts*CounterWidth-1:0]                  malformed_i,
    input  logic [NumPorts*CounterWidth-1:0]                  sent_i,
    input  logic [NumPorts*CounterWidth-1:0]                  marked_i,
    input  logic [NumPorts*CounterWidth-1:0]                  discarded_i,
    input  logic [NumPorts*ape_router_pkg::HealthWidth-1:0]   neighbour_health_i,
    input  logic [InterPorts-1:0]                             link_error_i,
    input  logic [NumPorts*2*ape_router_pkg::QueueWidth-1:0]  queued_i,
    input  logic [NumPorts*2*ape_router_pkg::PacketsWidth-1:0] packets_i,
    input  logic [InterPorts*2*apelink_pkg::LongCountWidth-1:0] link_used_i,
    input  logic [InterPorts*2*apelink_pkg::WaitingWidth-1:0] link_waiting_i,
    input  logic [InterPorts*apelink_pkg::EventWidth-1:0]     link_corrected_i,
    input  logic [InterPorts*apelink_pkg::EventWidth-1:0]     link_uncorrectable_i,
    input  logic [InterPorts*apelink_pkg::EventWidth-1:0]     link_crc_errors_i,
    input  logic [InterPorts*apelink_pkg::EventWidth-1:0]     link_dropped_i,
    input  logic [InterPorts*apelink_pkg::EventWidth-1:0]     link_resyncs_i,
    input  logic [InterPorts-1:0]                             link_up_i,
    input  logic [InterPorts*apelink_pkg::EventWidth-1:0]     link_downs_i,
    input  logic [InterPorts*apelink_pkg::EventWidth-1:0]     link_aborted_i,

    /// No access is under way and the reset is settled. Follows the registers.
    output logic                                              idle_o
);

  localparam int unsigned HealthWidth = ape_router_pkg::HealthWidth;
  localparam int unsigned EventWidth = apelink_pkg::EventWidth;
  localparam int unsigned PriorityWidth = ape_router_pkg::PriorityWidth;
  localparam int unsigned QueueWidth = ape_router_pkg::QueueWidth;
  localparam int unsigned PacketsWidth = ape_router_pkg::PacketsWidth;
  localparam int unsigned UsedWidth = apelink_pkg::LongCountWidth;
  localparam int unsigned WaitingWidth = apelink_pkg::WaitingWidth;
  localparam int unsigned PortEvents = 5;
  localparam int unsigned LinkEvents = 8;
  /// Edges for which the network IP stays in reset after soft_reset is 0.
  localparam logic [1:0] Hold = 2'd2;

  if (IntraPorts < 1 || IntraPorts > 8 || (InterPorts != 2 && InterPorts != 4 && InterPorts != 6)) begin : gen_check_ports
    $error("target_controller: 1 to 8 intra-tile and 2, 4 or 6 inter-tile ports");
  end
  if (CounterWidth < 2 || CounterWidth > 32) begin : gen_check_counters
    $error("target_controller: CounterWidth must be 2 to 32");
  end

  // What is written. Bits of no field stay zero and vanish.
  logic [31:0] control_q, coordinates_q, lattice_q, routing_q, health_q, tred_q, tile_credits_q, marking_q, marking_packets_q;
  logic [32*NumPorts-1:0] port_control_q;
  logic network_rst_nq, settled;
  logic [1:0] hold_q;

  logic write, write_ok, read_ok;
  logic [9:0] write_word, read_word;
  logic [11:0] write_address, read_address;
  logic [31:0] write_data, write_mask, read_data;
  logic [PortEvents*NumPorts-1:0] port_clear, port_events;
  logic [LinkEvents*InterPorts-1:0] link_clear, link_events;
  /// Stands while nothing is written, and with it what follows from the registers.
  logic clk_config;

  idle_gate i_config_gate (
      .clk_i,
      .rst_ni,
      .busy_i(!idle_o || awvalid_i || wvalid_i),
      .clk_o (clk_config)
  );

  assign write_address = {write_word, 2'b00};
  assign read_address = {read_word, 2'b00};

  axi_lite_slave #(
      .AddressWidth(12)
  ) i_axi (
      .clk_i,
      .rst_ni,
      .awvalid_i,
      .awready_o,
      .awaddr_i,
      .wvalid_i,
      .wready_o,
      .wdata_i,
      .wstrb_i,
      .bvalid_o,
      .bready_i,
      .bresp_o,
      .arvalid_i,
      .arready_o,
      .araddr_i,
      .rvalid_o,
      .rready_i,
      .rdata_o,
      .rresp_o,
      .write_o        (write),
      .write_address_o(write_word),
      .write_data_o   (write_data),
      .write_mask_o   (write_mask),
      .write_ok_i     (write_ok),
      .read_address_o (read_word),
      .read_data_i    (read_data),
      .read_ok_i      (read_ok)
  );

  // A written register's value: the bytes that are written, of the bits that have a field.
  function automatic logic [31:0] merge(input logic [31:0] old, input logic [31:0] data, input logic [31:0] bytes,
                                        input logic [31:0] bits);
    merge = ((old & ~bytes) | (data & bytes)) & bits;
  endfunction

  always_ff @(posedge clk_config) begin
    if (!rst_ni) begin
      control_q <= target_registers_pkg::ControlReset;
      coordinates_q <= target_registers_pkg::CoordinatesReset;
      lattice_q <= target_registers_pkg::LatticeReset;
      routing_q <= target_registers_pkg::RoutingReset;
      health_q <= target_registers_pkg::HealthReset;
      tred_q <= target_registers_pkg::TredReset;
      tile_credits_q <= target_registers_pkg::TileCreditsReset;
      marking_q <= target_registers_pkg::MarkingReset;
      marking_packets_q <= target_registers_pkg::MarkingPacketsReset;
      port_control_q <= {NumPorts{target_registers_pkg::PortControlReset}};
      if (Strapped) begin
        control_q[target_registers_pkg::ControlSoftResetLow] <= 1'b0;
        coordinates_q[23:0] <= strap_coordinates_i;
        lattice_q[23:0] <= strap_last_i;
        tile_credits_q[target_registers_pkg::TileCreditsWordsLow+:ape_router_pkg::WordCreditWidth] <= strap_tile_words_i;
        tile_credits_q[target_registers_pkg::TileCreditsPacketsLow+:ape_router_pkg::PacketCreditWidth] <= strap_tile_packets_i;
        for (int p = 0; p < NumPorts; p++) begin
          port_control_q[32*p+target_registers_pkg::PortControlEnableLow] <= strap_port_enable_i[p];
        end
      end
    end else if (write) begin
      case (write_address)
        target_registers_pkg::ControlOffset: control_q <= merge(control_q, write_data, write_mask, target_registers_pkg::ControlMask);
        target_registers_pkg::CoordinatesOffset:
        coordinates_q <= merge(coordinates_q, write_data, write_mask, target_registers_pkg::CoordinatesMask);
        target_registers_pkg::LatticeOffset: lattice_q <= merge(lattice_q, write_data, write_mask, target_registers_pkg::LatticeMask);
        target_registers_pkg::RoutingOffset: routing_q <= merge(routing_q, write_data, write_mask, target_registers_pkg::RoutingMask);
        target_registers_pkg::HealthOffset: health_q <= merge(health_q, write_data, write_mask, target_registers_pkg::HealthMask);
        target_registers_pkg::TredOffset: tred_q <= merge(tred_q, write_data, write_mask, target_registers_pkg::TredMask);
        target_registers_pkg::TileCreditsOffset:
        tile_credits_q <= merge(tile_credits_q, write_data, write_mask, target_registers_pkg::TileCreditsMask);
        target_registers_pkg::MarkingOffset: marking_q <= merge(marking_q, write_data, write_mask, target_registers_pkg::MarkingMask);
        target_registers_pkg::MarkingPacketsOffset:
        marking_packets_q <= merge(marking_packets_q, write_data, write_mask, target_registers_pkg::MarkingPacketsMask);
        default: ;
      endcase
      for (int p = 0; p < NumPorts; p++) begin
        if (write_address == target_registers_pkg::PortControlOffset + 12'(4 * p)) begin
          port_control_q[32*p+:32] <=
              merge(port_control_q[32*p+:32], write_data, write_mask, target_registers_pkg::PortControlMask);
        end
      end
    end
  end

  // What can be written.
  always_comb begin
    case (write_address)
      target_registers_pkg::ControlOffset, target_registers_pkg::CoordinatesOffset, target_registers_pkg::LatticeOffset,
      target_registers_pkg::RoutingOffset, target_registers_pkg::HealthOffset, target_registers_pkg::TredOffset,
      target_registers_pkg::TileCreditsOffset, target_registers_pkg::MarkingOffset, target_registers_pkg::MarkingPacketsOffset:
      write_ok = 1'b1;
      default: write_ok = 1'b0;
    endcase
    port_clear = '0;
    link_clear = '0;
    for (int p = 0; p < NumPorts; p++) begin
      if (write_address == target_registers_pkg::PortControlOffset + 12'(4 * p)) write_ok = 1'b1;
      if (write_address == target_registers_pkg::PortEventsOffset + 12'(4 * p)) begin
        write_ok = 1'b1;
        if (write) port_clear[PortEvents*p+:PortEvents] = write_data[PortEvents-1:0] & write_mask[PortEvents-1:0];
      end
    end
    for (int l = 0; l < InterPorts; l++) begin
      if (write_address == target_registers_pkg::LinkEventsOffset + 12'(4 * l)) begin
        write_ok = 1'b1;
        if (write) link_clear[LinkEvents*l+:LinkEvents] = write_data[LinkEvents-1:0] & write_mask[LinkEvents-1:0];
      end
    end
  end

  // What can be read: one register at most answers, and the others are zero. A case for each group of registers keeps the choice narrow.
  always_comb begin
    read_ok = 1'b1;
    read_data = '0;
    case (read_address)
      target_registers_pkg::IdentificationOffset: read_data = target_registers_pkg::IdentificationReset;
      target_registers_pkg::VersionOffset: read_data = target_registers_pkg::VersionReset;
      target_registers_pkg::ShapeOffset: begin
        read_data[target_registers_pkg::ShapeIntraPortsLow+:8] = 8'(IntraPorts);
        read_data[target_registers_pkg::ShapeInterPortsLow+:8] = 8'(InterPorts);
        read_data[target_registers_pkg::ShapeCounterWidthLow+:8] = 8'(CounterWidth);
        read_data[target_registers_pkg::ShapeLinkCounterWidthLow+:8] = 8'(EventWidth);
      end
      target_registers_pkg::FifoShapeOffset: begin
        read_data[target_registers_pkg::FifoShapeIntraWordsLow+:8] = 8'($clog2(IntraPayloadDepth));
        read_data[target_registers_pkg::FifoShapeInterWordsLow+:8] = 8'($clog2(InterPayloadDepth));
        read_data[target_registers_pkg::FifoShapePacketsLow+:8] = 8'($clog2(HeaderDepth));
        read_data[target_registers_pkg::FifoShapeLinkWordsLow+:8] = 8'($clog2(LinkBufferWords));
      end
      target_registers_pkg::ControlOffset: read_data = control_q;
      target_registers_pkg::CoordinatesOffset: read_data = coordinates_q;
      target_registers_pkg::LatticeOffset: read_data = lattice_q;
      target_registers_pkg::RoutingOffset: read_data = routing_q;
      target_registers_pkg::HealthOffset: read_data = health_q;
      target_registers_pkg::TredOffset: read_data = tred_q;
      target_registers_pkg::TileCreditsOffset: read_data = tile_credits_q;
      target_registers_pkg::MarkingOffset: read_data = marking_q;
      target_registers_pkg::MarkingPacketsOffset: read_data = marking_packets_q;
      target_registers_pkg::StatusOffset: begin
        read_data[target_registers_pkg::StatusIdleLow] = router_idle_i;
        read_data[target_registers_pkg::StatusInResetLow] = !network_rst_nq;
        read_data[target_registers_pkg::StatusPortEventsLow] = port_events != '0;
        read_data[target_registers_pkg::StatusLinkEventsLow] = link_events != '0;
      end
      default: read_ok = 1'b0;
    endcase
    for (int p = 0; p < NumPorts; p++) begin
      if (read_address[5:2] == 4'(p)) begin
        case ({read_address[11:6], 6'd0})
          target_registers_pkg::PortControlOffset: begin
            read_ok = 1'b1;
            read_data = port_control_q[32*p+:32];
          end
          target_registers_pkg::PortStatusOffset: begin
            read_ok = 1'b1;
            read_data[target_registers_pkg::PortStatusCreditStallLow] = credit_stall_i[p];
            read_data[target_registers_pkg::PortStatusErrorLow] = router_error_i[p];
            read_data[target_registers_pkg::PortStatusNeighbourHealthLow+:HealthWidth] =
                neighbour_health_i[HealthWidth*p+:HealthWidth];
          end
          target_registers_pkg::PortEventsOffset: begin
            read_ok = 1'b1;
            read_data[PortEvents-1:0] = port_events[PortEvents*p+:PortEvents];
          end
          target_registers_pkg::RouteDropsOffset: begin
            read_ok = 1'b1;
            read_data[CounterWidth-1:0] = dropped_route_i[CounterWidth*p+:CounterWidth];
          end
          target_registers_pkg::DisabledDropsOffset: begin
            read_ok = 1'b1;
            read_data[CounterWidth-1:0] = dropped_disabled_i[CounterWidth*p+:CounterWidth];
          end
          target_registers_pkg::MalformedOffset: begin
            read_ok = 1'b1;
            read_data[CounterWidth-1:0] = malformed_i[CounterWidth*p+:CounterWidth];
          end
          target_registers_pkg::SentOffset: begin
            read_ok = 1'b1;
            read_data[CounterWidth-1:0] = sent_i[CounterWidth*p+:CounterWidth];
          end
          target_registers_pkg::MarkedOffset: begin
            read_ok = 1'b1;
            read_data[CounterWidth-1:0] = marked_i[CounterWidth*p+:CounterWidth];
          end
          target_registers_pkg::DiscardedOffset: begin
            read_ok = 1'b1;
            read_data[CounterWidth-1:0] = discarded_i[CounterWidth*p+:CounterWidth];
          end
          target_registers_pkg::InputVc0Offset: begin
            read_ok = 1'b1;
            read_data[target_registers_pkg::InputVc0WordsLow+:QueueWidth] = queued_i[2*QueueWidth*p+:QueueWidth];
            read_data[target_registers_pkg::InputVc0PacketsLow+:PacketsWidth] = packets_i[2*PacketsWidth*p+:PacketsWidth];
          end
          target_registers_pkg::InputVc1Offset: begin
            read_ok = 1'b1;
            read_data[target_registers_pkg::InputVc1WordsLow+:QueueWidth] = queued_i[2*QueueWidth*p+QueueWidth+:QueueWidth];
            read_data[target_registers_pkg::InputVc1PacketsLow+:PacketsWidth] =
                packets_i[2*PacketsWidth*p+PacketsWidth+:PacketsWidth];
          end
          default: ;
        endcase
      end
    end
    for (int l = 0; l < InterPorts; l++) begin
      if (read_address[4:2] == 3'(l)) begin
        case ({read_address[11:5], 5'd0})
          target_registers_pkg::LinkStatusOffset: begin
            read_ok = 1'b1;
            read_data[target_registers_pkg::LinkStatusErrorLow] = link_error_i[l];
            read_data[target_registers_pkg::LinkStatusUpLow] = link_up_i[l];
          end
          target_registers_pkg::LinkEventsOffset: begin
            read_ok = 1'b1;
            read_data[LinkEvents-1:0] = link_events[LinkEvents*l+:LinkEvents];
          end
          target_registers_pkg::LinkCorrectedOffset: begin
            read_ok = 1'b1;
            read_data[EventWidth-1:0] = link_corrected_i[EventWidth*l+:EventWidth];
          end
          target_registers_pkg::LinkUncorrectableOffset: begin
            read_ok = 1'b1;
            read_data[EventWidth-1:0] = link_uncorrectable_i[EventWidth*l+:EventWidth];
          end
          target_registers_pkg::LinkCrcErrorsOffset: begin
            read_ok = 1'b1;
            read_data[EventWidth-1:0] = link_crc_errors_i[EventWidth*l+:EventWidth];
          end
          target_registers_pkg::LinkDroppedOffset: begin
            read_ok = 1'b1;
            read_data[EventWidth-1:0] = link_dropped_i[EventWidth*l+:EventWidth];
          end
          target_registers_pkg::LinkResyncsOffset: begin
            read_ok = 1'b1;
            read_data[EventWidth-1:0] = link_resyncs_i[EventWidth*l+:EventWidth];
          end
          target_registers_pkg::LinkDownsOffset: begin
            read_ok = 1'b1;
            read_data[EventWidth-1:0] = link_downs_i[EventWidth*l+:EventWidth];
          end
          target_registers_pkg::LinkAbortedOffset: begin
            read_ok = 1'b1;
            read_data[EventWidth-1:0] = link_aborted_i[EventWidth*l+:EventWidth];
          end
          target_registers_pkg::LinkUsedOffset: begin
            read_ok = 1'b1;
            read_data[target_registers_pkg::LinkUsedVc0Low+:UsedWidth] = link_used_i[2*UsedWidth*l+:UsedWidth];
            read_data[target_registers_pkg::LinkUsedVc1Low+:UsedWidth] = link_used_i[2*UsedWidth*l+UsedWidth+:UsedWidth];
          end
          target_registers_pkg::LinkWaitingOffset: begin
            read_ok = 1'b1;
            read_data[target_registers_pkg::LinkWaitingVc0Low+:WaitingWidth] = link_waiting_i[2*WaitingWidth*l+:WaitingWidth];
            read_data[target_registers_pkg::LinkWaitingVc1Low+:WaitingWidth] =
                link_waiting_i[2*WaitingWidth*l+WaitingWidth+:WaitingWidth];
          end
          default: ;
        endcase
      end
    end
  end

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    event_register #(
        .Levels  (1),
        .Counters(PortEvents - 1)
    ) i_events (
        .clk_i,
        .rst_ni,
        .ignore_i(!network_rst_nq),
        .level_i (router_error_i[p]),
        .count_i ({discarded_i[CounterWidth*p+:2], malformed_i[CounterWidth*p+:2], dropped_disabled_i[CounterWidth*p+:2],
                   dropped_route_i[CounterWidth*p+:2]}),
        .clear_i (port_clear[PortEvents*p+:PortEvents]),
        .events_o(port_events[PortEvents*p+:PortEvents])
    );
    assign port_enable_o[p] = port_control_q[32*p+target_registers_pkg::PortControlEnableLow];
    assign priority_o[PriorityWidth*p+:PriorityWidth] =
        port_control_q[32*p+target_registers_pkg::PortControlPriorityLow+:PriorityWidth];
  end

  for (genvar l = 0; l < InterPorts; l++) begin : gen_link
    event_register #(
        .Levels  (1),
        .Counters(LinkEvents - 1)
    ) i_events (
        .clk_i,
        .rst_ni,
        .ignore_i(!network_rst_nq),
        .level_i (link_error_i[l]),
        .count_i ({link_aborted_i[EventWidth*l+:2], link_downs_i[EventWidth*l+:2], link_resyncs_i[EventWidth*l+:2], link_dropped_i[EventWidth*l+:2], link_crc_errors_i[EventWidth*l+:2],
                   link_uncorrectable_i[EventWidth*l+:2], link_corrected_i[EventWidth*l+:2]}),
        .clear_i (link_clear[LinkEvents*l+:LinkEvents]),
        .events_o(link_events[LinkEvents*l+:LinkEvents])
    );
  end

  // Two edges after soft_reset is 0, so that a pulse of one write is long enough, and no counter changes after the end for having been cleared.
  always_ff @(posedge clk_config) begin
    if (!rst_ni || control_q[target_registers_pkg::ControlSoftResetLow]) hold_q <= Hold;
    else if (hold_q != 2'd0) hold_q <= hold_q - 2'd1;
    network_rst_nq <= rst_ni && !control_q[target_registers_pkg::ControlSoftResetLow] && hold_q == 2'd0;
  end

  assign network_rst_no = network_rst_nq;
  assign settled = control_q[target_registers_pkg::ControlSoftResetLow] ? !network_rst_nq && hold_q == Hold : network_rst_nq;
  assign idle_o = awready_o && wready_o && arready_o && settled;
  assign coordinates_o = coordinates_q[3*ape_router_pkg::CoordWidth-1:0];
  assign last_o = lattice_q[3*ape_router_pkg::CoordWidth-1:0];
  assign dimension_order_o = routing_q[5:0];
  assign vc_by_direction_o = routing_q[target_registers_pkg::RoutingVcByDirectionLow];
  assign fixed_priority_o = routing_q[target_registers_pkg::RoutingFixedPriorityLow];
  assign health_o = health_q[target_registers_pkg::HealthHealthLow+:HealthWidth];
  assign tred_o = tred_q[target_registers_pkg::TredThresholdLow+:apelink_pkg::LongCountWidth];
  assign mark_threshold_o = marking_q[target_registers_pkg::MarkingThresholdLow+:ape_router_pkg::MarkWidth];
  assign mark_rate_o = marking_q[target_registers_pkg::MarkingRateLow+:ape_router_pkg::MarkWidth];
  assign mark_least_o = marking_packets_q[target_registers_pkg::MarkingPacketsLeastLow+:ape_router_pkg::LengthWidth];
  assign mark_hosts_o = marking_packets_q[target_registers_pkg::MarkingPacketsHostsLow];
  assign supervise_o = control_q[target_registers_pkg::ControlSuperviseLow];
  assign tile_words_o = tile_credits_q[target_registers_pkg::TileCreditsWordsLow+:ape_router_pkg::WordCreditWidth];
  assign tile_packets_o = tile_credits_q[target_registers_pkg::TileCreditsPacketsLow+:ape_router_pkg::PacketCreditWidth];

  // The widths of the table are those of the network IP.
  if (target_registers_pkg::PortControlPriorityWidth != PriorityWidth || target_registers_pkg::HealthHealthWidth != HealthWidth ||
      target_registers_pkg::TredThresholdWidth != apelink_pkg::LongCountWidth ||
      target_registers_pkg::InputVc0WordsWidth != QueueWidth || target_registers_pkg::InputVc0PacketsWidth != PacketsWidth ||
      target_registers_pkg::LinkUsedVc0Width != UsedWidth || target_registers_pkg::LinkWaitingVc0Width != WaitingWidth ||
      target_registers_pkg::TileCreditsWordsWidth != ape_router_pkg::WordCreditWidth ||
      target_registers_pkg::TileCreditsPacketsWidth != ape_router_pkg::PacketCreditWidth ||
      target_registers_pkg::MarkingThresholdWidth != ape_router_pkg::MarkWidth ||
      target_registers_pkg::MarkingRateWidth != ape_router_pkg::MarkWidth ||
      target_registers_pkg::MarkingPacketsLeastWidth != ape_router_pkg::LengthWidth ||
      target_registers_pkg::PortEventsMask != 32'((1 << PortEvents) - 1) ||
      target_registers_pkg::LinkEventsMask != 32'((1 << LinkEvents) - 1)) begin : gen_check_table
    $error("target_controller: registers.csv has other widths than the network IP");
  end

endmodule
