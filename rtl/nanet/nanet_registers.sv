// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The registers of the device behind an AXI4-Lite slave; registers.csv says which.
module nanet_registers #(
    parameter int unsigned NumPorts = 4,
    localparam int unsigned Streams = NumPorts * nanet_pkg::StreamsPerPort
) (
    input  logic         clk_i,
    /// Synchronous, active low.
    input  logic         rst_ni,
    input  logic         awvalid_i,
    output logic         awready_o,
    input  logic [11:0]  awaddr_i,
    input  logic         wvalid_i,
    output logic         wready_o,
    input  logic [31:0]  wdata_i,
    input  logic [3:0]   wstrb_i,
    output logic         bvalid_o,
    input  logic         bready_i,
    output logic [1:0]   bresp_o,
    input  logic         arvalid_i,
    output logic         arready_o,
    input  logic [11:0]  araddr_i,
    output logic         rvalid_o,
    input  logic         rready_i,
    output logic [31:0]  rdata_o,
    output logic [1:0]   rresp_o,

    /// Settings.
    output logic         flush_tlb_o,
    output logic         flush_arp_o,
    output logic [31:0]  timeout_o,
    output logic [31:0]  tlb_timeout_o,
    output logic [31:0]  arp_timeout_o,
    output logic [63:0]  ring_o,
    output logic [3:0]   ring_log2_o,
    output logic [15:0]  consumed_o,
    output logic [NumPorts-1:0] enable_o,
    output logic [NumPorts-1:0] generate_o,
    output logic [NumPorts*nanet_pkg::StationWidth-1:0] stations_o,
    output logic [NumPorts*nanet_pkg::DestinationWidth-1:0] generate_to_o,
    output logic [NumPorts*32-1:0] generate_shape_o,
    output logic [NumPorts*32-1:0] generate_count_o,
    output logic [Streams*nanet_pkg::StreamWidth-1:0] streams_o,
    /// A datagram to send is given.
    output logic         send_o,
    output nanet_pkg::send_t send_what_o,
    input  logic [4:0]   send_free_i,
    /// The answer to a miss.
    output logic         refill_o,
    output logic         refill_ok_o,
    output logic         refill_gpu_o,
    output logic [63-nanet_pkg::PageBits:0] refill_physical_o,
    input  logic         miss_i,
    input  logic [63-nanet_pkg::PageBits:0] page_i,
    /// What is read.
    input  logic [15:0]  written_i,
    output logic [nanet_pkg::ResultWidth-1:0] counter_o,
    input  logic [NumPorts*32-1:0] counts_i,
    input  logic [NumPorts*192-1:0] meters_i,
    input  logic [5*32-1:0] totals_i,   ///< Hits, misses, failures, skipped, bus errors; least significant first.
    input  logic [31:0]  now_i
);

  localparam int unsigned Words = 256;  ///< Those that can be written are below.

  /// The bits of a register that can be written.
  function automatic logic [31:0] mask_of(input logic [7:0] word);
    logic [11:0] o;
    o = {2'd0, word, 2'd0};
    case (o)
      nanet_registers_pkg::ControlOffset: mask_of = nanet_registers_pkg::ControlMask;
      nanet_registers_pkg::TimeoutOffset, nanet_registers_pkg::TlbTimeoutOffset, nanet_registers_pkg::ArpTimeoutOffset, nanet_registers_pkg::RingLowOffset, nanet_registers_pkg::RingHighOffset, nanet_registers_pkg::PhysicalLowOffset, nanet_registers_pkg::PhysicalHighOffset, nanet_registers_pkg::SendLowOffset,
          nanet_registers_pkg::SendHighOffset, nanet_registers_pkg::SendIpOffset, nanet_registers_pkg::SendPortsOffset:
      mask_of = '1;
      nanet_registers_pkg::RingOffset: mask_of = nanet_registers_pkg::RingMask;
      nanet_registers_pkg::RingConsumedOffset: mask_of = nanet_registers_pkg::RingConsumedMask;
      nanet_registers_pkg::RefillOffset: mask_of = nanet_registers_pkg::RefillMask;
      nanet_registers_pkg::SendOffset: mask_of = nanet_registers_pkg::SendMask;
      nanet_registers_pkg::CounterSelectOffset: mask_of = nanet_registers_pkg::CounterSelectMask;
      default: mask_of = '0;
    endcase
    // Registers of ports take 8 addresses each, those of streams 16.
    if (o >= nanet_registers_pkg::PortOffset && o < nanet_registers_pkg::MeterCountOffset && word[2:0] < 3'(NumPorts)) begin
      case ({o[11:5], 5'd0})
        nanet_registers_pkg::PortOffset: mask_of = nanet_registers_pkg::PortMask;
        nanet_registers_pkg::MacHighOffset: mask_of = nanet_registers_pkg::MacHighMask;
        default: mask_of = '1;
      endcase
    end
    if (o >= nanet_registers_pkg::StreamOffset && o < nanet_registers_pkg::ReleasedOffset + 12'h040 && {1'b0, word[3:0]} < 5'(Streams)) begin
      case ({o[11:6], 6'd0})
        nanet_registers_pkg::StreamOffset: mask_of = nanet_registers_pkg::StreamMask;
        nanet_registers_pkg::ReleasedOffset: mask_of = nanet_registers_pkg::ReleasedMask;
        default: mask_of = '1;
      endcase
    end
  endfunction

  function automatic logic [31:0] reset_of(input logic [7:0] word);
    logic [11:0] o;
    o = {2'd0, word, 2'd0};
    case (o)
      nanet_registers_pkg::TlbTimeoutOffset: reset_of = nanet_registers_pkg::TlbTimeoutReset;
      nanet_registers_pkg::ArpTimeoutOffset: reset_of = nanet_registers_pkg::ArpTimeoutReset;
      nanet_registers_pkg::RingOffset: reset_of = nanet_registers_pkg::RingReset;
      default: reset_of = '0;
    endcase
    if ({o[11:5], 5'd0} == nanet_registers_pkg::NetmaskOffset) reset_of = nanet_registers_pkg::NetmaskReset;
    if ({o[11:5], 5'd0} == nanet_registers_pkg::GeneratorShapeOffset) reset_of = nanet_registers_pkg::GeneratorShapeReset;
    if ({o[11:6], 6'd0} == nanet_registers_pkg::StreamOffset) reset_of = nanet_registers_pkg::StreamReset;
  endfunction

  logic write, write_ok, read_ok, in_range, change, send_q, refill_q;
  logic [9:0] write_word, read_word;
  logic [31:0] write_data, write_mask, read_data, merged, known;
  logic [11:0] write_offset, read_offset;
  logic [Words*32-1:0] values;  ///< What was written.
  logic [Words-1:0] writable;

  axi_lite_slave i_slave (
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

  for (genvar i = 0; i < Words; i++) begin : gen_register
    localparam logic [31:0] Mask = mask_of(8'(i));
    localparam logic [31:0] Reset = reset_of(8'(i)) & Mask;
    assign writable[i] = Mask != '0;
    if (Mask == '0) begin : gen_none
      assign values[32*i+:32] = '0;
    end else begin : gen_value
      logic [31:0] value_q;
      assign values[32*i+:32] = value_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) value_q <= Reset;
        else if (change && write_word[7:0] == 8'(i)) value_q <= merged & Mask;
      end
    end
  end

  assign write_offset = {write_word, 2'd0};
  assign read_offset = {read_word, 2'd0};
  assign known = values[{write_word[7:0], 5'd0}+:32];
  assign merged = (known & ~write_mask) | (write_data & write_mask);
  always_comb begin
    in_range = 1'b1;
    if (write_offset == nanet_registers_pkg::SendOffset) begin
      in_range = merged[10:0] != '0 && merged[10:0] <= 11'(nanet_pkg::MaxDatagramBytes) && send_free_i != '0 && {1'b0, merged[13:12]} < 3'(NumPorts);
    end else if (write_offset == nanet_registers_pkg::RingOffset) in_range = merged[3:0] != '0;
    else if (write_offset == nanet_registers_pkg::ArpTimeoutOffset) in_range = merged != '0;
    else if ({write_offset[11:5], 5'd0} == nanet_registers_pkg::GeneratorShapeOffset) begin
      in_range = merged[10:0] >= 11'd16 && merged[10:0] <= 11'(nanet_pkg::MaxDatagramBytes);
    end else if ({write_offset[11:6], 6'd0} == nanet_registers_pkg::StreamOffset) begin
      in_range = merged[20:16] >= 5'd9 && merged[20:16] <= 5'd20 && merged[24:21] <= 4'd12;
    end
  end
  assign write_ok = write_word[9:8] == '0 && writable[write_word[7:0]] && in_range;
  assign change = write && write_ok;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      send_q <= 1'b0;
      refill_q <= 1'b0;
    end else begin
      send_q <= change && write_offset == nanet_registers_pkg::SendOffset;
      refill_q <= change && write_offset == nanet_registers_pkg::RefillOffset;
    end
  end

  /// Index of bit 0 of the register at an offset.
  function automatic logic [12:0] at(input logic [11:0] offset);
    at = 13'({offset, 3'd0});
  endfunction

  // Not all bits are fields.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [31:0] refill, send;
  /* verilator lint_on UNUSEDSIGNAL */
  assign refill = values[at(nanet_registers_pkg::RefillOffset)+:32];
  assign send = values[at(nanet_registers_pkg::SendOffset)+:32];
  assign flush_tlb_o = values[at(nanet_registers_pkg::ControlOffset)];
  assign flush_arp_o = values[at(nanet_registers_pkg::ControlOffset)+1];
  assign timeout_o = values[at(nanet_registers_pkg::TimeoutOffset)+:32];
  assign tlb_timeout_o = values[at(nanet_registers_pkg::TlbTimeoutOffset)+:32];
  assign arp_timeout_o = values[at(nanet_registers_pkg::ArpTimeoutOffset)+:32];
  assign ring_o = {values[at(nanet_registers_pkg::RingHighOffset)+:32], values[at(nanet_registers_pkg::RingLowOffset)+:32]};
  assign ring_log2_o = values[at(nanet_registers_pkg::RingOffset)+:4];
  assign consumed_o = values[at(nanet_registers_pkg::RingConsumedOffset)+:16];
  assign counter_o = values[at(nanet_registers_pkg::CounterSelectOffset)+:nanet_pkg::ResultWidth];
  assign send_o = send_q;
  assign send_what_o = {
    send[13:12], send[10:0], values[at(nanet_registers_pkg::SendHighOffset)+:32], values[at(nanet_registers_pkg::SendLowOffset)+4+:28], 4'd0, values[at(nanet_registers_pkg::SendIpOffset)+:32],
    values[at(nanet_registers_pkg::SendPortsOffset)+:16], values[at(nanet_registers_pkg::SendPortsOffset)+16+:16]
  };
  // Only for the page that software has seen.
  assign refill_o = refill_q && refill[31:16] == page_i[15:0];
  assign refill_ok_o = refill[0];
  assign refill_gpu_o = refill[1];
  assign refill_physical_o = {values[at(nanet_registers_pkg::PhysicalHighOffset)+:32], values[at(nanet_registers_pkg::PhysicalLowOffset)+13'(nanet_pkg::PageBits)+:32-nanet_pkg::PageBits]};

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    localparam logic [11:0] Offset = 12'(4 * p);
    assign enable_o[p] = values[at(nanet_registers_pkg::PortOffset+Offset)];
    assign generate_o[p] = values[at(nanet_registers_pkg::PortOffset+Offset)+1];
    assign stations_o[p*nanet_pkg::StationWidth+:nanet_pkg::StationWidth] = {
      values[at(nanet_registers_pkg::MacHighOffset+Offset)+:16], values[at(nanet_registers_pkg::MacLowOffset+Offset)+:32], values[at(nanet_registers_pkg::IpOffset+Offset)+:32],
      values[at(nanet_registers_pkg::NetmaskOffset+Offset)+:32], values[at(nanet_registers_pkg::GatewayOffset+Offset)+:32]
    };
    assign generate_to_o[p*nanet_pkg::DestinationWidth+:nanet_pkg::DestinationWidth] = {
      values[at(nanet_registers_pkg::GeneratorIpOffset+Offset)+:32], values[at(nanet_registers_pkg::GeneratorPortsOffset+Offset)+:16],
      values[at(nanet_registers_pkg::GeneratorPortsOffset+Offset)+16+:16]
    };
    assign generate_shape_o[32*p+:32] = values[at(nanet_registers_pkg::GeneratorShapeOffset+Offset)+:32];
    assign generate_count_o[32*p+:32] = values[at(nanet_registers_pkg::GeneratorCountOffset+Offset)+:32];
  end
  for (genvar s = 0; s < Streams; s++) begin : gen_stream
    localparam logic [11:0] Offset = 12'(4 * s);
    /* verilator lint_off UNUSEDSIGNAL */
    logic [31:0] stream;
    /* verilator lint_on UNUSEDSIGNAL */
    assign stream = values[at(nanet_registers_pkg::StreamOffset+Offset)+:32];
    assign streams_o[s*nanet_pkg::StreamWidth+:nanet_pkg::StreamWidth] = {
      stream[26], stream[25], stream[15:0], stream[20:16], stream[24:21], values[at(nanet_registers_pkg::BuffersHighOffset+Offset)+:32],
      values[at(nanet_registers_pkg::BuffersLowOffset+Offset)+:32], values[at(nanet_registers_pkg::ReleasedOffset+Offset)+:16]
    };
  end

  logic [1:0] counted;
  assign counted = values[at(nanet_registers_pkg::CounterSelectOffset)+8+:2];

  always_comb begin
    read_data = values[{read_word[7:0], 5'd0}+:32];
    read_ok = read_word[9:8] == '0 && writable[read_word[7:0]];
    case (read_offset)
      nanet_registers_pkg::IdentificationOffset: {read_ok, read_data} = {1'b1, nanet_registers_pkg::IdentificationReset};
      nanet_registers_pkg::VersionOffset: {read_ok, read_data} = {1'b1, nanet_registers_pkg::VersionReset};
      nanet_registers_pkg::ShapeOffset: {read_ok, read_data} = {1'b1, nanet_registers_pkg::ShapeReset | NumPorts};
      nanet_registers_pkg::RingWrittenOffset: {read_ok, read_data} = {1'b1, 16'd0, written_i};
      nanet_registers_pkg::MissOffset: {read_ok, read_data} = {1'b1, 31'd0, miss_i};
      nanet_registers_pkg::MissLowOffset: {read_ok, read_data} = {1'b1, page_i[15:0], 16'd0};
      nanet_registers_pkg::MissHighOffset: {read_ok, read_data} = {1'b1, page_i[47:16]};
      nanet_registers_pkg::SendFreeOffset: {read_ok, read_data} = {1'b1, 27'd0, send_free_i};
      nanet_registers_pkg::CounterOffset: begin
        read_ok = 1'b1;
        read_data = '0;
        for (int p = 0; p < NumPorts; p++) if (counted == 2'(p)) read_data = counts_i[32*p+:32];
      end
      nanet_registers_pkg::TlbHitsOffset: {read_ok, read_data} = {1'b1, totals_i[31:0]};
      nanet_registers_pkg::TlbMissesOffset: {read_ok, read_data} = {1'b1, totals_i[63:32]};
      nanet_registers_pkg::TlbFailuresOffset: {read_ok, read_data} = {1'b1, totals_i[95:64]};
      nanet_registers_pkg::PacketsSkippedOffset: {read_ok, read_data} = {1'b1, totals_i[127:96]};
      nanet_registers_pkg::BusErrorsOffset: {read_ok, read_data} = {1'b1, totals_i[159:128]};
      nanet_registers_pkg::CycleOffset: {read_ok, read_data} = {1'b1, now_i};
      default: ;
    endcase
    for (int p = 0; p < NumPorts; p++) begin
      for (int m = 0; m < 6; m++) begin
        if (read_offset == nanet_registers_pkg::MeterCountOffset + 12'(32 * m + 4 * p)) {read_ok, read_data} = {1'b1, meters_i[192*p+32*m+:32]};
      end
    end
  end

endmodule
