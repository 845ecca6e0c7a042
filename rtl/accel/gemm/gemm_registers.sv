// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The registers of a matrix-multiply accelerator behind an AXI4-Lite slave; registers.csv says which. It checks a command before it begins. The current command stays
/// as it is, since no register of one can be written until it ends.
module gemm_registers #(
    parameter int unsigned Tile = 16,
    parameter int unsigned Lanes = 4,
    parameter int unsigned BurstBeats = 16
) (
    input  logic                            clk_i,
    /// Synchronous, active low.
    input  logic                            rst_ni,

    /// AXI4-Lite. Bits 1..0 of an address do not matter.
    input  logic                            awvalid_i,
    output logic                            awready_o,
    input  logic [11:0]                     awaddr_i,
    input  logic                            wvalid_i,
    output logic                            wready_o,
    input  logic [31:0]                     wdata_i,
    input  logic [3:0]                      wstrb_i,
    output logic                            bvalid_o,
    input  logic                            bready_i,
    output logic [1:0]                      bresp_o,
    input  logic                            arvalid_i,
    output logic                            arready_o,
    input  logic [11:0]                     araddr_i,
    output logic                            rvalid_o,
    input  logic                            rready_i,
    output logic [31:0]                     rdata_o,
    output logic [1:0]                      rresp_o,

    output logic                            interrupt_o,
    /// A command for gemm_engine.
    output logic                            start_o,
    output gemm_pkg::matrix_t               a_o,
    output gemm_pkg::matrix_t               b_o,
    output gemm_pkg::matrix_t               c_o,
    output gemm_pkg::extent_t               extent_o,
    input  logic                            busy_i,
    input  logic                            done_i,
    input  logic [gemm_pkg::ErrorWidth-1:0] error_i,
    input  logic                            multiply_i,
    input  logic                            wait_factors_i,
    input  logic                            wait_result_i
);

  // What is written. Bits of no field stay zero and vanish.
  logic [31:0] control_q, interrupt_q, a_low_q, a_high_q, a_stride_q, b_low_q, b_high_q, b_stride_q, c_low_q, c_high_q, c_stride_q;
  logic [31:0] rows_q, columns_q, depth_q;
  logic [31:0] cycles_q, multiply_q, wait_factors_q, wait_result_q;
  logic [gemm_pkg::ErrorWidth-1:0] error_q, fault;
  logic start_q, busy, refused;

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

  function automatic logic bad_stride(input logic [31:0] bytes);
    bad_stride = bytes[3:0] != '0 || bytes < 32'(4 * Tile);
  endfunction

  always_comb begin
    fault = gemm_pkg::ErrorNone;
    if (bad_stride(a_stride_q) || bad_stride(b_stride_q) || bad_stride(c_stride_q)) fault = gemm_pkg::ErrorStride;
    if (a_low_q[3:0] != '0 || b_low_q[3:0] != '0 || c_low_q[3:0] != '0) fault = gemm_pkg::ErrorAddress;
    if (rows_q == '0 || columns_q == '0 || depth_q == '0) fault = gemm_pkg::ErrorCount;
  end

  assign busy = start_q || busy_i;
  assign refused = start_q && fault != gemm_pkg::ErrorNone;
  assign start_o = start_q && fault == gemm_pkg::ErrorNone;

  always_comb begin
    case (write_address)
      gemm_registers_pkg::InterruptOffset: write_ok = 1'b1;
      gemm_registers_pkg::ControlOffset,
      gemm_registers_pkg::ALowOffset, gemm_registers_pkg::AHighOffset, gemm_registers_pkg::AStrideOffset,
      gemm_registers_pkg::BLowOffset, gemm_registers_pkg::BHighOffset, gemm_registers_pkg::BStrideOffset,
      gemm_registers_pkg::CLowOffset, gemm_registers_pkg::CHighOffset, gemm_registers_pkg::CStrideOffset,
      gemm_registers_pkg::RowsOffset, gemm_registers_pkg::ColumnsOffset, gemm_registers_pkg::DepthOffset:
      write_ok = !busy;
      default: write_ok = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      control_q <= gemm_registers_pkg::ControlReset;
      interrupt_q <= gemm_registers_pkg::InterruptReset;
      a_low_q <= gemm_registers_pkg::ALowReset;
      a_high_q <= gemm_registers_pkg::AHighReset;
      a_stride_q <= gemm_registers_pkg::AStrideReset;
      b_low_q <= gemm_registers_pkg::BLowReset;
      b_high_q <= gemm_registers_pkg::BHighReset;
      b_stride_q <= gemm_registers_pkg::BStrideReset;
      c_low_q <= gemm_registers_pkg::CLowReset;
      c_high_q <= gemm_registers_pkg::CHighReset;
      c_stride_q <= gemm_registers_pkg::CStrideReset;
      rows_q <= gemm_registers_pkg::RowsReset;
      columns_q <= gemm_registers_pkg::ColumnsReset;
      depth_q <= gemm_registers_pkg::DepthReset;
      start_q <= 1'b0;
      error_q <= gemm_pkg::ErrorNone;
    end else begin
      start_q <= 1'b0;
      if (write && write_ok) begin
        case (write_address)
          gemm_registers_pkg::ControlOffset: begin
            control_q <= merge(control_q, write_data, write_mask, gemm_registers_pkg::ControlMask & ~32'd1);
            start_q <= write_data[gemm_registers_pkg::ControlStartLow] && write_mask[gemm_registers_pkg::ControlStartLow];
          end
          gemm_registers_pkg::InterruptOffset:
          interrupt_q <= interrupt_q & ~(write_data & write_mask & gemm_registers_pkg::InterruptMask);
          gemm_registers_pkg::ALowOffset: a_low_q <= merge(a_low_q, write_data, write_mask, gemm_registers_pkg::ALowMask);
          gemm_registers_pkg::AHighOffset: a_high_q <= merge(a_high_q, write_data, write_mask, gemm_registers_pkg::AHighMask);
          gemm_registers_pkg::AStrideOffset: a_stride_q <= merge(a_stride_q, write_data, write_mask, gemm_registers_pkg::AStrideMask);
          gemm_registers_pkg::BLowOffset: b_low_q <= merge(b_low_q, write_data, write_mask, gemm_registers_pkg::BLowMask);
          gemm_registers_pkg::BHighOffset: b_high_q <= merge(b_high_q, write_data, write_mask, gemm_registers_pkg::BHighMask);
          gemm_registers_pkg::BStrideOffset: b_stride_q <= merge(b_stride_q, write_data, write_mask, gemm_registers_pkg::BStrideMask);
          gemm_registers_pkg::CLowOffset: c_low_q <= merge(c_low_q, write_data, write_mask, gemm_registers_pkg::CLowMask);
          gemm_registers_pkg::CHighOffset: c_high_q <= merge(c_high_q, write_data, write_mask, gemm_registers_pkg::CHighMask);
          gemm_registers_pkg::CStrideOffset: c_stride_q <= merge(c_stride_q, write_data, write_mask, gemm_registers_pkg::CStrideMask);
          gemm_registers_pkg::RowsOffset: rows_q <= merge(rows_q, write_data, write_mask, gemm_registers_pkg::RowsMask);
          gemm_registers_pkg::ColumnsOffset: columns_q <= merge(columns_q, write_data, write_mask, gemm_registers_pkg::ColumnsMask);
          gemm_registers_pkg::DepthOffset: depth_q <= merge(depth_q, write_data, write_mask, gemm_registers_pkg::DepthMask);
          default: ;
        endcase
      end
      // The end of a command is not lost to a write of the same cycle.
      if (done_i || refused) begin
        interrupt_q[gemm_registers_pkg::InterruptDoneLow] <= 1'b1;
        error_q <= refused ? fault : error_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_q) begin
      cycles_q <= '0;
      multiply_q <= '0;
      wait_factors_q <= '0;
      wait_result_q <= '0;
    end else if (busy_i) begin
      cycles_q <= cycles_q + 32'd1;
      multiply_q <= multiply_q + 32'(multiply_i);
      wait_factors_q <= wait_factors_q + 32'(wait_factors_i);
      wait_result_q <= wait_result_q + 32'(wait_result_i);
    end
  end

  always_comb begin
    read_ok = 1'b1;
    read_data = '0;
    case (read_address)
      gemm_registers_pkg::IdentificationOffset: read_data = gemm_registers_pkg::IdentificationReset;
      gemm_registers_pkg::VersionOffset: read_data = gemm_registers_pkg::VersionReset;
      gemm_registers_pkg::ShapeOffset: begin
        read_data[gemm_registers_pkg::ShapeTileLow+:8] = 8'($clog2(Tile));
        read_data[gemm_registers_pkg::ShapeLanesLow+:8] = 8'($clog2(Lanes));
        read_data[gemm_registers_pkg::ShapeColumnsLow+:8] = 8'(gemm_pkg::Columns);
        read_data[gemm_registers_pkg::ShapeBurstLow+:8] = 8'(BurstBeats - 1);
      end
      gemm_registers_pkg::ControlOffset: read_data = control_q;
      gemm_registers_pkg::StatusOffset: begin
        read_data[gemm_registers_pkg::StatusBusyLow] = busy;
        read_data[gemm_registers_pkg::StatusErrorLow+:gemm_pkg::ErrorWidth] = error_q;
      end
      gemm_registers_pkg::InterruptOffset: read_data = interrupt_q;
      gemm_registers_pkg::ALowOffset: read_data = a_low_q;
      gemm_registers_pkg::AHighOffset: read_data = a_high_q;
      gemm_registers_pkg::AStrideOffset: read_data = a_stride_q;
      gemm_registers_pkg::BLowOffset: read_data = b_low_q;
      gemm_registers_pkg::BHighOffset: read_data = b_high_q;
      gemm_registers_pkg::BStrideOffset: read_data = b_stride_q;
      gemm_registers_pkg::CLowOffset: read_data = c_low_q;
      gemm_registers_pkg::CHighOffset: read_data = c_high_q;
      gemm_registers_pkg::CStrideOffset: read_data = c_stride_q;
      gemm_registers_pkg::RowsOffset: read_data = rows_q;
      gemm_registers_pkg::ColumnsOffset: read_data = columns_q;
      gemm_registers_pkg::DepthOffset: read_data = depth_q;
      gemm_registers_pkg::CyclesOffset: read_data = cycles_q;
      gemm_registers_pkg::MultiplyCyclesOffset: read_data = multiply_q;
      gemm_registers_pkg::WaitFactorCyclesOffset: read_data = wait_factors_q;
      gemm_registers_pkg::WaitResultCyclesOffset: read_data = wait_result_q;
      default: read_ok = 1'b0;
    endcase
  end

  assign interrupt_o = interrupt_q[gemm_registers_pkg::InterruptDoneLow] && control_q[gemm_registers_pkg::ControlInterruptEnableLow];
  // Tiles of A lie to the right of each other along the inner dimension, those of B below each other.
  assign a_o = {a_high_q, a_low_q, a_stride_q, 4'b1010};
  assign b_o = {b_high_q, b_low_q, b_stride_q, 4'b0101};
  assign c_o = {c_high_q, c_low_q, c_stride_q, 4'b1100};
  assign extent_o = {rows_q[gemm_pkg::CountWidth-1:0], columns_q[gemm_pkg::CountWidth-1:0], depth_q[gemm_pkg::CountWidth-1:0]};

endmodule
