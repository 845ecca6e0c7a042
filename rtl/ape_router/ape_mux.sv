// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Chooses one of many words. In six-input tables two levels reach 16 words; left to itself, synthesis takes twice as many of them for 10.
module ape_mux #(
    parameter int unsigned NumWords = 10,
    parameter int unsigned Width = 128,
    localparam int unsigned IndexWidth = $clog2(NumWords)
) (
    input  logic [NumWords*Width-1:0] words_i,
    input  logic [IndexWidth-1:0]     index_i,
    output logic [Width-1:0]          word_o
);

  localparam int unsigned Fours = NumWords / 4;
  localparam int unsigned Rest = NumWords % 4;

  if (NumWords > 4 && Fours + Rest <= 4) begin : gen_rest
    // Words in groups of four, and the last words by themselves.
    logic [4*Width-1:0] second;
    logic [1:0] select;
    for (genvar f = 0; f < 4; f++) begin : gen_second
      if (f < Fours) begin : gen_four
        ape_mux4 #(
            .Width(Width)
        ) i_mux (
            .words_i (words_i[4*Width*f+:4*Width]),
            .select_i(index_i[1:0]),
            .word_o  (second[Width*f+:Width])
        );
      end else if (f < Fours + Rest) begin : gen_one
        assign second[Width*f+:Width] = words_i[Width*(3*Fours+f)+:Width];
      end else begin : gen_none
        assign second[Width*f+:Width] = '0;
      end
    end
    if (Rest == 0) begin : gen_even
      assign select = 2'(index_i[IndexWidth-1:2]);
    end else begin : gen_odd
      assign select = index_i >= IndexWidth'(4 * Fours) ? 2'(Fours) + index_i[1:0] : 2'(index_i[IndexWidth-1:2]);
    end
    ape_mux4 #(
        .Width(Width)
    ) i_mux (
        .words_i (second),
        .select_i(select),
        .word_o
    );
  end else begin : gen_plain
    assign word_o = words_i[Width*32'(index_i)+:Width];
  end

endmodule
