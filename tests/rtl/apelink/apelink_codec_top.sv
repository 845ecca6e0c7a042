// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The codes without registers, side by side.
module apelink_codec_top (
    input  logic [127:0] data_i,
    input  logic [127:0] data_flip_i,
    input  logic [8:0]   check_flip_i,
    input  logic         enable_i,
    input  logic [31:0]  crc_i,
    output logic [8:0]   check_o,
    output logic [127:0] data_o,
    output logic         corrected_o,
    output logic         uncorrectable_o,
    output logic [31:0]  crc_o,
    output logic [7:0]   frame_crc_o
);

  apelink_secded_encode i_encode (
      .data_i,
      .check_o
  );
  apelink_secded_decode i_decode (
      .data_i  (data_i ^ data_flip_i),
      .check_i (check_o ^ check_flip_i),
      .enable_i,
      .data_o,
      .corrected_o,
      .uncorrectable_o
  );
  apelink_crc32 i_crc (
      .crc_i,
      .data_i,
      .crc_o
  );
  assign frame_crc_o = apelink_pkg::frame_crc(data_i[55:0]);

endmodule
