// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The registers of a shell behind an AXI4-Lite slave; registers.csv says which. Outputs are registers.
module shell_registers #(
    parameter int unsigned NumPorts = 7,
    parameter int unsigned SlotsLog2 = 8,
    /// Values of registers that are constants of the board.
    parameter logic [7:0] Element = 8'd1,
    parameter logic [7:0] RouteDestinationsLog2 = 8'd0,
    parameter logic [7:0] WordBits = 8'd128,
    parameter logic [7:0] Vcs = 8'd2,
    parameter logic [7:0] CreditWords = 8'd1,
    parameter logic [7:0] BufferCredits = 8'd64,
    parameter logic [31:0] RingOffset = 32'd0,
    parameter logic [31:0] ClockHertz = 32'd0,
    /// Addresses of the board's own memory for the rings on the shell's bus.
    parameter logic [axi_pkg::AddressWidth-1:0] RingAddress = '0,
    localparam int unsigned WordClocks = shell_pkg::WordClocks,
    localparam int unsigned TimeWidth = shell_pkg::TimeWidth,
    localparam int unsigned FractionWidth = shell_pkg::FractionWidth
) (
    input  logic                                clk_i,
    /// Synchronous, active low.
    input  logic                                rst_ni,

    /// AXI4-Lite. Bits 1..0 of an address do not matter.
    input  logic                                awvalid_i,
    output logic                                awready_o,
    input  logic [11:0]                         awaddr_i,
    input  logic                                wvalid_i,
    output logic                                wready_o,
    input  logic [31:0]                         wdata_i,
    input  logic [3:0]                          wstrb_i,
    output logic                                bvalid_o,
    input  logic                                bready_i,
    output logic [1:0]                          bresp_o,
    input  logic                                arvalid_i,
    output logic                                arready_o,
    input  logic [11:0]                         araddr_i,
    output logic                                rvalid_o,
    input  logic                                rready_i,
    output logic [31:0]                         rdata_o,
    output logic [1:0]                          rresp_o,

    output logic [31:0]                         run_o,
    output logic [31:0]                         from_board_consumed_o,
    output logic [axi_pkg::AddressWidth-1:0]    to_board_base_o,
    output logic [axi_pkg::AddressWidth-1:0]    from_board_base_o,
    output logic [shell_pkg::ModeWidth-1:0] mode_o,
    output logic [31:0]                         pace_numerator_o,
    output logic [31:0]                         pace_denominator_o,
    output logic [TimeWidth-1:0]                period_whole_o,
    output logic [FractionWidth-1:0]            period_numerator_o,
    output logic [FractionWidth-1:0]            period_denominator_o,
    output logic [WordClocks*TimeWidth-1:0]     word_whole_o,
    output logic [WordClocks*FractionWidth-1:0] word_numerator_o,
    output logic [WordClocks*FractionWidth-1:0] word_denominator_o,
    output logic [23:0]                         coordinates_o,
    output logic [23:0]                         last_o,
    output logic [15:0]                         mark_threshold_o,
    output logic [15:0]                         mark_rate_o,
    output logic [4:0]                          mark_least_o,
    output logic                                by_table_o,
    output logic [31:0]                         node_o,
    output logic [NumPorts-1:0]                 port_enable_o,
    output logic [NumPorts-1:0]                 port_host_o,
    output logic [2*NumPorts-1:0]               word_clock_o,
    output logic [8*NumPorts-1:0]               credits_o,

    input  logic [31:0]                         status_run_i,
    input  logic [1:0]                          state_i,
    input  logic                                record_error_i,
    input  logic                                bus_error_i,
    input  logic [NumPorts-1:0]                 element_error_i,
    input  logic [NumPorts-1:0]                 waiting_i,
    input  logic [31:0]                         heartbeat_i,
    input  logic [31:0]                         edge_i,
    input  logic [32*NumPorts-1:0]              stalls_i
);

  if (NumPorts > 16) begin : gen_check_ports
    $error("shell_registers: at most 16 ports");
  end

  localparam logic [axi_pkg::AddressWidth-1:0] FromAddress = RingAddress + (axi_pkg::AddressWidth'(64) << SlotsLog2);

  // What is written. Bits of no field stay zero and vanish.
  logic [31:0] run_q, consumed_q, to_low_q, to_high_q, from_low_q, from_high_q, mode_q, pace_numerator_q, pace_denominator_q;
  logic [31:0] period_low_q, period_high_q, period_numerator_q, period_denominator_q, coordinates_q, lattice_q;
  logic [31:0] marking_q, marking_packets_q, routing_q, node_q;
  logic [32*WordClocks-1:0] word_low_q, word_high_q, word_numerator_q, word_denominator_q;
  logic [32*NumPorts-1:0] port_q;

  logic write, write_ok, read_ok;
  logic [9:0] write_word, read_word;
  logic [11:0] write_address, read_address;
  logic [31:0] write_data, write_mask, read_data;

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

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run_q <= shell_registers_pkg::RunReset;
      consumed_q <= shell_registers_pkg::FromBoardConsumedReset;
      {to_high_q, to_low_q} <= RingAddress;
      {from_high_q, from_low_q} <= FromAddress;
      mode_q <= shell_registers_pkg::ModeReset;
      pace_numerator_q <= shell_registers_pkg::PaceNumeratorReset;
      pace_denominator_q <= shell_registers_pkg::PaceDenominatorReset;
      period_low_q <= shell_registers_pkg::PeriodLowReset;
      period_high_q <= shell_registers_pkg::PeriodHighReset;
      period_numerator_q <= shell_registers_pkg::PeriodNumeratorReset;
      period_denominator_q <= shell_registers_pkg::PeriodDenominatorReset;
      coordinates_q <= shell_registers_pkg::CoordinatesReset;
      lattice_q <= shell_registers_pkg::LatticeReset;
      marking_q <= shell_registers_pkg::MarkingReset;
      marking_packets_q <= shell_registers_pkg::MarkingPacketsReset;
      routing_q <= shell_registers_pkg::RoutingReset;
      node_q <= shell_registers_pkg::NodeReset;
      word_low_q <= {WordClocks{shell_registers_pkg::WordPeriodLowReset}};
      word_high_q <= {WordClocks{shell_registers_pkg::WordPeriodHighReset}};
      word_numerator_q <= {WordClocks{shell_registers_pkg::WordNumeratorReset}};
      word_denominator_q <= {WordClocks{shell_registers_pkg::WordDenominatorReset}};
      port_q <= {NumPorts{shell_registers_pkg::PortReset}};
    end else if (write) begin
      case (write_address)
        shell_registers_pkg::RunOffset: run_q <= merge(run_q, write_data, write_mask, shell_registers_pkg::RunMask);
        shell_registers_pkg::FromBoardConsumedOffset:
        consumed_q <= merge(consumed_q, write_data, write_mask, shell_registers_pkg::FromBoardConsumedMask);
        shell_registers_pkg::ToBoardLowOffset: to_low_q <= merge(to_low_q, write_data, write_mask, shell_registers_pkg::ToBoardLowMask);
        shell_registers_pkg::ToBoardHighOffset:
        to_high_q <= merge(to_high_q, write_data, write_mask, shell_registers_pkg::ToBoardHighMask);
        shell_registers_pkg::FromBoardLowOffset:
        from_low_q <= merge(from_low_q, write_data, write_mask, shell_registers_pkg::FromBoardLowMask);
        shell_registers_pkg::FromBoardHighOffset:
        from_high_q <= merge(from_high_q, write_data, write_mask, shell_registers_pkg::FromBoardHighMask);
        shell_registers_pkg::ModeOffset: mode_q <= merge(mode_q, write_data, write_mask, shell_registers_pkg::ModeMask);
        shell_registers_pkg::PaceNumeratorOffset:
        pace_numerator_q <= merge(pace_numerator_q, write_data, write_mask, shell_registers_pkg::PaceNumeratorMask);
        shell_registers_pkg::PaceDenominatorOffset:
        pace_denominator_q <= merge(pace_denominator_q, write_data, write_mask, shell_registers_pkg::PaceDenominatorMask);
        shell_registers_pkg::PeriodLowOffset:
        period_low_q <= merge(period_low_q, write_data, write_mask, shell_registers_pkg::PeriodLowMask);
        shell_registers_pkg::PeriodHighOffset:
        period_high_q <= merge(period_high_q, write_data, write_mask, shell_registers_pkg::PeriodHighMask);
        shell_registers_pkg::PeriodNumeratorOffset:
        period_numerator_q <= merge(period_numerator_q, write_data, write_mask, shell_registers_pkg::PeriodNumeratorMask);
        shell_registers_pkg::PeriodDenominatorOffset:
        period_denominator_q <= merge(period_denominator_q, write_data, write_mask, shell_registers_pkg::PeriodDenominatorMask);
        shell_registers_pkg::CoordinatesOffset:
        coordinates_q <= merge(coordinates_q, write_data, write_mask, shell_registers_pkg::CoordinatesMask);
        shell_registers_pkg::LatticeOffset: lattice_q <= merge(lattice_q, write_data, write_mask, shell_registers_pkg::LatticeMask);
        shell_registers_pkg::MarkingOffset: marking_q <= merge(marking_q, write_data, write_mask, shell_registers_pkg::MarkingMask);
        shell_registers_pkg::MarkingPacketsOffset:
        marking_packets_q <= merge(marking_packets_q, write_data, write_mask, shell_registers_pkg::MarkingPacketsMask);
        shell_registers_pkg::RoutingOffset: routing_q <= merge(routing_q, write_data, write_mask, shell_registers_pkg::RoutingMask);
        shell_registers_pkg::NodeOffset: node_q <= merge(node_q, write_data, write_mask, shell_registers_pkg::NodeMask);
        default: ;
      endcase
      for (int c = 0; c < WordClocks; c++) begin
        if (write_address[4:2] == 3'(c)) begin
          case ({write_address[11:5], 5'd0})
            shell_registers_pkg::WordPeriodLowOffset:
            word_low_q[32*c+:32] <= merge(word_low_q[32*c+:32], write_data, write_mask, shell_registers_pkg::WordPeriodLowMask);
            shell_registers_pkg::WordPeriodHighOffset:
            word_high_q[32*c+:32] <= merge(word_high_q[32*c+:32], write_data, write_mask, shell_registers_pkg::WordPeriodHighMask);
            shell_registers_pkg::WordNumeratorOffset:
            word_numerator_q[32*c+:32] <= merge(word_numerator_q[32*c+:32], write_data, write_mask, shell_registers_pkg::WordNumeratorMask);
            shell_registers_pkg::WordDenominatorOffset:
            word_denominator_q[32*c+:32] <=
                merge(word_denominator_q[32*c+:32], write_data, write_mask, shell_registers_pkg::WordDenominatorMask);
            default: ;
          endcase
        end
      end
      for (int p = 0; p < NumPorts; p++) begin
        if (write_address == shell_registers_pkg::PortOffset + 12'(4 * p)) begin
          port_q[32*p+:32] <= merge(port_q[32*p+:32], write_data, write_mask, shell_registers_pkg::PortMask);
        end
      end
    end
  end

  always_comb begin
    read_ok = 1'b1;
    read_data = '0;
    case (read_address)
      shell_registers_pkg::IdentificationOffset: read_data = shell_registers_pkg::IdentificationReset;
      shell_registers_pkg::VersionOffset: read_data = shell_registers_pkg::VersionReset;
      shell_registers_pkg::ShapeOffset: begin
        read_data[shell_registers_pkg::ShapeElementLow+:8] = Element;
        read_data[shell_registers_pkg::ShapePortsLow+:8] = 8'(NumPorts);
        read_data[shell_registers_pkg::ShapeSlotsLow+:8] = 8'(SlotsLog2);
        read_data[shell_registers_pkg::ShapeRouteDestinationsLow+:8] = RouteDestinationsLog2;
      end
      shell_registers_pkg::RingOffsetOffset: read_data = RingOffset;
      shell_registers_pkg::ClockOffset: read_data = ClockHertz;
      shell_registers_pkg::RunOffset: read_data = run_q;
      shell_registers_pkg::StatusRunOffset: read_data = status_run_i;
      shell_registers_pkg::StatusOffset: begin
        read_data[shell_registers_pkg::StatusStateLow+:2] = state_i;
        read_data[shell_registers_pkg::StatusRecordErrorLow] = record_error_i;
        read_data[shell_registers_pkg::StatusBusErrorLow] = bus_error_i;
        read_data[shell_registers_pkg::StatusElementErrorLow] = element_error_i != '0;
      end
      shell_registers_pkg::ErrorPortsOffset: read_data[NumPorts-1:0] = element_error_i;
      shell_registers_pkg::HeartbeatOffset: read_data = heartbeat_i;
      shell_registers_pkg::FromBoardConsumedOffset: read_data = consumed_q;
      shell_registers_pkg::ToBoardLowOffset: read_data = to_low_q;
      shell_registers_pkg::ToBoardHighOffset: read_data = to_high_q;
      shell_registers_pkg::FromBoardLowOffset: read_data = from_low_q;
      shell_registers_pkg::FromBoardHighOffset: read_data = from_high_q;
      shell_registers_pkg::ModeOffset: read_data = mode_q;
      shell_registers_pkg::PaceNumeratorOffset: read_data = pace_numerator_q;
      shell_registers_pkg::PaceDenominatorOffset: read_data = pace_denominator_q;
      shell_registers_pkg::PeriodLowOffset: read_data = period_low_q;
      shell_registers_pkg::PeriodHighOffset: read_data = period_high_q;
      shell_registers_pkg::PeriodNumeratorOffset: read_data = period_numerator_q;
      shell_registers_pkg::PeriodDenominatorOffset: read_data = period_denominator_q;
      shell_registers_pkg::CoordinatesOffset: read_data = coordinates_q;
      shell_registers_pkg::LatticeOffset: read_data = lattice_q;
      shell_registers_pkg::MarkingOffset: read_data = marking_q;
      shell_registers_pkg::MarkingPacketsOffset: read_data = marking_packets_q;
      shell_registers_pkg::RoutingOffset: read_data = routing_q;
      shell_registers_pkg::WaitingOffset: read_data[NumPorts-1:0] = waiting_i;
      shell_registers_pkg::EndedOffset: read_data = edge_i;
      shell_registers_pkg::LinkOffset: begin
        read_data[shell_registers_pkg::LinkWordBitsLow+:8] = WordBits;
        read_data[shell_registers_pkg::LinkVcsLow+:8] = Vcs;
        read_data[shell_registers_pkg::LinkCreditWordsLow+:8] = CreditWords;
        read_data[shell_registers_pkg::LinkBufferCreditsLow+:8] = BufferCredits;
      end
      shell_registers_pkg::NodeOffset: read_data = node_q;
      default: read_ok = 1'b0;
    endcase
    for (int c = 0; c < WordClocks; c++) begin
      if (read_address[4:2] == 3'(c)) begin
        case ({read_address[11:5], 5'd0})
          shell_registers_pkg::WordPeriodLowOffset: begin
            read_ok = 1'b1;
            read_data = word_low_q[32*c+:32];
          end
          shell_registers_pkg::WordPeriodHighOffset: begin
            read_ok = 1'b1;
            read_data = word_high_q[32*c+:32];
          end
          shell_registers_pkg::WordNumeratorOffset: begin
            read_ok = 1'b1;
            read_data = word_numerator_q[32*c+:32];
          end
          shell_registers_pkg::WordDenominatorOffset: begin
            read_ok = 1'b1;
            read_data = word_denominator_q[32*c+:32];
          end
          default: ;
        endcase
      end
    end
    for (int p = 0; p < NumPorts; p++) begin
      if (read_address == shell_registers_pkg::PortOffset + 12'(4 * p)) begin
        read_ok = 1'b1;
        read_data = port_q[32*p+:32];
      end
      if (read_address == shell_registers_pkg::StallsOffset + 12'(4 * p)) begin
        read_ok = 1'b1;
        read_data = stalls_i[32*p+:32];
      end
    end
    // Registers that can be written, and no others: what is written elsewhere is answered with an error.
    case (write_address)
      shell_registers_pkg::RunOffset, shell_registers_pkg::FromBoardConsumedOffset, shell_registers_pkg::ToBoardLowOffset,
      shell_registers_pkg::ToBoardHighOffset, shell_registers_pkg::FromBoardLowOffset, shell_registers_pkg::FromBoardHighOffset,
      shell_registers_pkg::ModeOffset, shell_registers_pkg::PaceNumeratorOffset, shell_registers_pkg::PaceDenominatorOffset,
      shell_registers_pkg::PeriodLowOffset, shell_registers_pkg::PeriodHighOffset, shell_registers_pkg::PeriodNumeratorOffset,
      shell_registers_pkg::PeriodDenominatorOffset, shell_registers_pkg::CoordinatesOffset, shell_registers_pkg::LatticeOffset,
      shell_registers_pkg::MarkingOffset, shell_registers_pkg::MarkingPacketsOffset, shell_registers_pkg::RoutingOffset,
      shell_registers_pkg::NodeOffset:
      write_ok = 1'b1;
      default:
      write_ok = (write_address >= shell_registers_pkg::WordPeriodLowOffset &&
                  write_address < shell_registers_pkg::WordDenominatorOffset + 12'h020 && write_address[4:2] < 3'(WordClocks)) ||
          (write_address >= shell_registers_pkg::PortOffset && write_address < shell_registers_pkg::PortOffset + 12'(4 * NumPorts));
    endcase
  end

  assign run_o = run_q;
  assign from_board_consumed_o = consumed_q;
  assign to_board_base_o = {to_high_q, to_low_q};
  assign from_board_base_o = {from_high_q, from_low_q};
  assign mode_o = mode_q[1:0];
  assign pace_numerator_o = pace_numerator_q;
  assign pace_denominator_o = pace_denominator_q;
  assign period_whole_o = {period_high_q[TimeWidth-33:0], period_low_q};
  assign period_numerator_o = period_numerator_q;
  assign period_denominator_o = period_denominator_q;
  assign coordinates_o = coordinates_q[23:0];
  assign last_o = lattice_q[23:0];
  assign mark_threshold_o = marking_q[shell_registers_pkg::MarkingThresholdLow+:16];
  assign mark_rate_o = marking_q[shell_registers_pkg::MarkingRateLow+:16];
  assign mark_least_o = marking_packets_q[shell_registers_pkg::MarkingPacketsLeastLow+:5];
  assign by_table_o = routing_q[shell_registers_pkg::RoutingByTableLow];
  assign node_o = node_q;

  for (genvar c = 0; c < WordClocks; c++) begin : gen_word_clock
    assign word_whole_o[TimeWidth*c+:TimeWidth] = {word_high_q[32*c+:TimeWidth-32], word_low_q[32*c+:32]};
  end
  assign word_numerator_o = word_numerator_q;
  assign word_denominator_o = word_denominator_q;

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    assign port_enable_o[p] = port_q[32*p+shell_registers_pkg::PortEnableLow];
    assign port_host_o[p] = port_q[32*p+shell_registers_pkg::PortHostLow];
    assign word_clock_o[2*p+:2] = port_q[32*p+shell_registers_pkg::PortWordClockLow+:2];
    assign credits_o[8*p+:8] = port_q[32*p+shell_registers_pkg::PortCreditsLow+:8];
  end

endmodule
