// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Small parts of the APElink side by side, for a test bench of their own.
module apelink_parts_top (
    input  logic                              clk_i,
    input  logic                              rst_ni,

    // Packer.
    input  logic [apelink_pkg::DataWidth-1:0] units_i,
    input  logic [2:0]                        count_i,
    output logic [1:0]                        fill_o,
    output logic                              ready_o,
    output logic [apelink_pkg::DataWidth-1:0] m_tdata_o,
    output logic                              m_tvalid_o,
    input  logic                              m_tready_i,

    // Aligner.
    input  logic [apelink_pkg::DataWidth-1:0] s_tdata_i,
    input  logic                              s_tvalid_i,
    output logic                              s_tready_o,
    output logic [apelink_pkg::DataWidth-1:0] window_o,
    output logic [2:0]                        available_o,
    input  logic [2:0]                        take_i
);

  apelink_packer i_packer (
      .clk_i,
      .rst_ni,
      .units_i,
      .count_i,
      .fill_o,
      .ready_o,
      .m_tdata_o,
      .m_tvalid_o,
      .m_tready_i
  );
  apelink_aligner i_aligner (
      .clk_i,
      .rst_ni,
      .s_tdata_i,
      .s_tvalid_i,
      .s_tready_o,
      .window_o,
      .available_o,
      .take_i
  );

endmodule
