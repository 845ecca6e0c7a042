// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The registers of a plain FPGA behind an AXI4-Lite slave: state, events and counters of its board switch and links. rtl/control/switch_registers.csv says
/// which, docs/models/target-controller.md how they behave.
///
/// There is nothing to configure, and all that is watched is reset together with this. Port 0 is the network interface, port 1 + l board link l; the fields
/// of a port are bit p (or slice p) of the vectors.
module switch_controller #(
    parameter int unsigned NumPorts = 4,
    parameter int unsigned CounterWidth = 16,
    /// Words of the buffer of each VC at both ends of a link; a power of two, at most 128.
    parameter int unsigned BufferWords = 64,
    localparam int unsigned FillWidth = $clog2(BufferWords) + 1
) (
    input  logic                             clk_i,
    /// Synchronous, active low; two edges.
    input  logic                             rst_ni,

    /// AXI4-Lite. Bits 1..0 of an address do not matter.
    input  logic                             awvalid_i,
    output logic                             awready_o,
    input  logic [11:0]                      awaddr_i,
    input  logic                             wvalid_i,
    output logic                             wready_o,
    input  logic [31:0]                      wdata_i,
    input  logic [3:0]                       wstrb_i,
    output logic                             bvalid_o,
    input  logic                             bready_i,
    output logic [1:0]                       bresp_o,
    input  logic                             arvalid_i,
    output logic                             arready_o,
    input  logic [11:0]                      araddr_i,
    output logic                             rvalid_o,
    input  logic                             rready_i,
    output logic [31:0]                      rdata_o,
    output logic [1:0]                       rresp_o,

    /// Nothing is inside what is watched.
    input  logic                             idle_i,
    input  logic [NumPorts-1:0]              credit_stall_i,
    /// Sticky.
    input  logic [NumPorts-1:0]              error_i,
    /// A packet leaves through the port at this edge.
    input  logic [NumPorts-1:0]              sent_i,
    /// Words that begin no packet where one must begin: a counter for each port.
    input  logic [NumPorts*CounterWidth-1:0] dropped_i,
    /// Words that have arrived, by port and then by VC.
    input  logic [NumPorts*2*FillWidth-1:0]  queued_i,
    /// Words in use at the far end.
    input  logic [NumPorts*FillWidth-1:0]    used_i,

    /// No access is under way. Follows the registers.
    output logic                             idle_o
);

  localparam int unsigned PortEvents = 2;

  if (NumPorts < 1 || NumPorts > 16) begin : gen_check_ports
    $error("switch_controller: 1 to 16 ports");
  end
  if (CounterWidth < 2 || CounterWidth > 32) begin : gen_check_counters
    $error("switch_controller: CounterWidth must be 2 to 32");
  end
  if (BufferWords < 2 || BufferWords > 128 || BufferWords != 1 << $clog2(BufferWords)) begin : gen_check_buffer
    $error("switch_controller: BufferWords must be a power of two, 2 to 128");
  end

  logic write, write_ok, read_ok;
  logic [9:0] write_word, read_word;
  logic [11:0] write_address, read_address;
  logic [31:0] read_data;
  // Only events are written, which are few bits.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [31:0] write_data, write_mask;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [PortEvents*NumPorts-1:0] clear, events;
  logic [CounterWidth*NumPorts-1:0] sent;

  assign write_address = {write_word, 2'b00};
  assign read_address = {read_word, 2'b00};
  assign idle_o = awready_o && wready_o && arready_o;

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

  // What can be written: events are cleared.
  always_comb begin
    write_ok = 1'b0;
    clear = '0;
    for (int p = 0; p < NumPorts; p++) begin
      if (write_address == switch_registers_pkg::PortEventsOffset + 12'(4 * p)) begin
        write_ok = 1'b1;
        if (write) clear[PortEvents*p+:PortEvents] = write_data[PortEvents-1:0] & write_mask[PortEvents-1:0];
      end
    end
  end

  // What can be read: one register at most answers, and the others are zero.
  always_comb begin
    read_ok = 1'b1;
    read_data = '0;
    case (read_address)
      switch_registers_pkg::IdentificationOffset: read_data = switch_registers_pkg::IdentificationReset;
      switch_registers_pkg::VersionOffset: read_data = switch_registers_pkg::VersionReset;
      switch_registers_pkg::ShapeOffset: begin
        read_data[switch_registers_pkg::ShapePortsLow+:8] = 8'(NumPorts);
        read_data[switch_registers_pkg::ShapeCounterWidthLow+:8] = 8'(CounterWidth);
        read_data[switch_registers_pkg::ShapeBufferWordsLow+:8] = 8'($clog2(BufferWords));
      end
      switch_registers_pkg::StatusOffset: begin
        read_data[switch_registers_pkg::StatusIdleLow] = idle_i;
        read_data[switch_registers_pkg::StatusErrorLow] = error_i != '0;
        read_data[switch_registers_pkg::StatusPortEventsLow] = events != '0;
      end
      default: read_ok = 1'b0;
    endcase
    for (int p = 0; p < NumPorts; p++) begin
      if (read_address[5:2] == 4'(p)) begin
        case ({read_address[11:6], 6'd0})
          switch_registers_pkg::PortStatusOffset: begin
            read_ok = 1'b1;
            read_data[switch_registers_pkg::PortStatusCreditStallLow] = credit_stall_i[p];
            read_data[switch_registers_pkg::PortStatusErrorLow] = error_i[p];
          end
          switch_registers_pkg::PortEventsOffset: begin
            read_ok = 1'b1;
            read_data[PortEvents-1:0] = events[PortEvents*p+:PortEvents];
          end
          switch_registers_pkg::DroppedOffset: begin
            read_ok = 1'b1;
            read_data[CounterWidth-1:0] = dropped_i[CounterWidth*p+:CounterWidth];
          end
          switch_registers_pkg::SentOffset: begin
            read_ok = 1'b1;
            read_data[CounterWidth-1:0] = sent[CounterWidth*p+:CounterWidth];
          end
          switch_registers_pkg::InputOffset: begin
            read_ok = 1'b1;
            read_data[switch_registers_pkg::InputVc0Low+:FillWidth] = queued_i[2*FillWidth*p+:FillWidth];
            read_data[switch_registers_pkg::InputVc1Low+:FillWidth] = queued_i[2*FillWidth*p+FillWidth+:FillWidth];
          end
          switch_registers_pkg::UsedOffset: begin
            read_ok = 1'b1;
            read_data[switch_registers_pkg::UsedWordsLow+:FillWidth] = used_i[FillWidth*p+:FillWidth];
          end
          default: ;
        endcase
      end
    end
  end

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    event_counter #(
        .Width(CounterWidth)
    ) i_sent (
        .clk_i,
        .rst_ni,
        .event_i(sent_i[p]),
        .count_o(sent[CounterWidth*p+:CounterWidth])
    );
    event_register #(
        .Levels  (1),
        .Counters(1)
    ) i_events (
        .clk_i,
        .rst_ni,
        .ignore_i(1'b0),
        .level_i (error_i[p]),
        .count_i (dropped_i[CounterWidth*p+:2]),
        .clear_i (clear[PortEvents*p+:PortEvents]),
        .events_o(events[PortEvents*p+:PortEvents])
    );
  end

  // The widths of the table hold those of the FPGA.
  if (switch_registers_pkg::InputVc0Width < FillWidth || switch_registers_pkg::InputVc1Width < FillWidth ||
      switch_registers_pkg::UsedWordsWidth < FillWidth || switch_registers_pkg::PortEventsMask != 32'((1 << PortEvents) - 1)) begin : gen_check_table
    $error("switch_controller: switch_registers.csv has other widths than the FPGA");
  end

endmodule
