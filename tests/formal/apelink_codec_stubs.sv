// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

// The codes, for proofs about control: solvers are lost in wide parities. The CRC is always zero; a header is uncorrectable or not as the solver likes,
// except for the one that the proof of the receiver sends.

module apelink_crc32 (
    input  logic [31:0]  crc_i,
    input  logic [127:0] data_i,
    output logic [31:0]  crc_o
);
  assign crc_o = '0;
endmodule

module apelink_secded_encode (
    input  logic [127:0] data_i,
    output logic [8:0]   check_o
);
  assign check_o = '0;
endmodule

module apelink_secded_decode (
    input  logic [127:0] data_i,
    input  logic [8:0]   check_i,
    input  logic         enable_i,
    output logic [127:0] data_o,
    output logic         corrected_o,
    output logic         uncorrectable_o
);
  (* anyseq *) logic free;
  assign data_o = data_i;
  assign corrected_o = 1'b0;
  assign uncorrectable_o = free && data_i != 128'h0123_4567_0000_0000_0000_0000_89AB_CDEF;
endmodule
