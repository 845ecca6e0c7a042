// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Chooses one of four words: a six-input table for each bit. A module of its own so that a mapper keeps it.
(* keep_hierarchy *)
module ape_mux4 #(
    parameter int unsigned Width = 128
) (
    input  logic [4*Width-1:0] words_i,
    input  logic [1:0]         select_i,
    output logic [Width-1:0]   word_o
);

  assign word_o = select_i[1] ? (select_i[0] ? words_i[3*Width+:Width] : words_i[2*Width+:Width]) :
                                (select_i[0] ? words_i[Width+:Width] : words_i[0+:Width]);

endmodule
