// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Takes the records to the board apart: words and credits to the arrival queues of their ports, limits and jumps to the gate. Records come in the
/// order of their edges, so each one is a limit: the element may go up to its edge, which makes space in a queue that is full.
module shell_dispatcher #(
    parameter int unsigned NumPorts = 7,
    /// Bits of a link's word, at most 128, and of the number of a VC.
    parameter int unsigned DataWidth = 128,
    parameter int unsigned VcWidth = 1,
    localparam int unsigned TimedWordWidth = shell_pkg::EdgeWidth + VcWidth + 2 + DataWidth,
    localparam int unsigned TimedCreditWidth = shell_pkg::EdgeWidth + VcWidth + shell_pkg::CountWidth + shell_pkg::HealthWidth
) (
    input  logic                                     clk_i,
    /// Synchronous, active low.
    input  logic                                     rst_ni,

    input  logic                                     valid_i,
    output logic                                     ready_o,
    /* verilator lint_off UNUSEDSIGNAL */
    input  shell_pkg::record_t                       record_i,
    /* verilator lint_on UNUSEDSIGNAL */

    /// By port: an entry to the queue of shell_port_in.
    output logic [NumPorts-1:0]                      word_push_o,
    output logic [TimedWordWidth-1:0]                word_o,
    input  logic [NumPorts-1:0]                      word_full_i,
    output logic [NumPorts-1:0]                      credit_push_o,
    output logic [TimedCreditWidth-1:0]              credit_o,
    input  logic [NumPorts-1:0]                      credit_full_i,

    /// The element may execute edges before this one; never falls.
    output logic [shell_pkg::EdgeWidth-1:0]          limit_o,
    /// The element goes on at this edge, of which `jump_words_o` tells the phases. Only while it stands still, or at edge 0 before there was a limit.
    output logic                                     jump_o,
    output logic [shell_pkg::EdgeWidth-1:0]          jump_edge_o,
    output logic [shell_pkg::RecordWords*shell_pkg::WordWidth-1:0] jump_words_o,
    /// Nothing changes in the element without a further record.
    input  logic                                     idle_i,
    /// For one cycle, while the element is idle: an entry of the route table.
    output logic                                     route_write_o,
    output logic [9:0]                               route_destination_o,
    output logic [7:0]                               route_input_o,
    output logic [7:0]                               route_entry_o,
    /// Sticky: a record of an unknown kind, port, VC or count, or a jump or routes for an element that is not idle.
    output logic                                     error_o
);

  /// Edges between entries of credits.
  localparam int unsigned DeltaWidth = shell_pkg::DeltaAndVcWidth - VcWidth;

  typedef struct packed {
    logic [shell_pkg::EdgeWidth-1:0] edge_number;
    logic [VcWidth-1:0]              vc;
    logic                            sop;
    logic                            eop;
    logic [DataWidth-1:0]            data;
  } timed_word_t;

  typedef struct packed {
    logic [shell_pkg::EdgeWidth-1:0]   edge_number;
    logic [VcWidth-1:0]                vc;
    logic [shell_pkg::CountWidth-1:0]  count;
    logic [shell_pkg::HealthWidth-1:0] health;
  } timed_credit_t;

  typedef struct packed {
    logic [shell_pkg::CountWidth-1:0] count;
    logic [VcWidth-1:0]               vc;
    logic [DeltaWidth-1:0]            delta;
  } credit_entry_t;

  if (DataWidth > shell_pkg::WordWidth || VcWidth == 0 || VcWidth > shell_pkg::MaxVcWidth) begin : gen_check_link
    $error("shell_dispatcher: words of links have at most 128 bits, and numbers of VCs 1 to 5");
  end

  timed_word_t word;
  timed_credit_t credit;
  logic [shell_pkg::EdgeWidth-1:0] limit_q, word_edge, credit_edge, credit_edge_q;
  credit_entry_t entry;
  logic [3:0] entry_index;
  logic [5:0] index_q;  ///< The word or entry of the record that is next.
  logic error_q, known, last, word_here, credit_here, routes_here, several, taken, full;
  logic [NumPorts-1:0] port;
  /* verilator lint_off UNUSEDSIGNAL */
  shell_pkg::control_t control;
  /* verilator lint_on UNUSEDSIGNAL */

  assign control = record_i.control;
  assign last = {2'd0, index_q} == control.count - 8'd1;
  assign word_here = valid_i && known && control.kind == shell_pkg::KindWords;
  assign credit_here = valid_i && known && control.kind == shell_pkg::KindCredits;

  assign routes_here = valid_i && known && control.kind == shell_pkg::KindRoutes;

  always_comb begin
    for (int p = 0; p < NumPorts; p++) port[p] = control.port == 32'(p);
    case (control.kind)
      shell_pkg::KindWords:
      known = port != '0 && (control.vc >> VcWidth) == '0 && control.count != 8'd0 && control.count <= 8'(shell_pkg::RecordWords);
      shell_pkg::KindCredits: known = port != '0 && control.count != 8'd0 && control.count <= 8'(shell_pkg::CreditEntries);
      shell_pkg::KindLimit: known = 1'b1;
      // The jump with which a run begins meets an element that has not had an edge, and may be busy after its reset.
      shell_pkg::KindJump: known = idle_i || (control.edge_number == '0 && limit_q == '0);
      shell_pkg::KindRoutes: known = idle_i && control.count != 8'd0 && control.count <= 8'(shell_pkg::RouteBytes);
      default: known = 1'b0;
    endcase
    case (index_q)
      6'd0: word_edge = control.edge_number;
      6'd1: word_edge = control.edge_number + shell_pkg::EdgeWidth'(control.delta1);
      default: word_edge = control.edge_number + shell_pkg::EdgeWidth'(control.delta1) + shell_pkg::EdgeWidth'(control.delta2);
    endcase
    word.edge_number = word_edge;
    word.vc = control.vc[VcWidth-1:0];
    word.sop = control.flags[shell_pkg::StartFlag] && index_q == 6'd0;
    word.eop = control.flags[shell_pkg::EndFlag] && last;
    word.data = record_i.words[shell_pkg::WordWidth*index_q[1:0]+:DataWidth];
    credit.edge_number = credit_edge;
    credit.vc = entry.vc;
    credit.count = entry.count;
    credit.health = control.flags[shell_pkg::HealthWidth-1:0];
  end

  assign word_o = word;
  assign credit_o = credit;
  assign entry_index = control.count[3:0] - 4'd1 - index_q[3:0];
  assign entry = record_i.words[shell_pkg::CreditEntryBits*entry_index+:shell_pkg::CreditEntryBits];
  assign credit_edge = (index_q == 6'd0 ? control.edge_number : credit_edge_q) + shell_pkg::EdgeWidth'(entry.delta);
  assign full = word_here ? (port & word_full_i) != '0 : credit_here && (port & credit_full_i) != '0;
  assign taken = valid_i && known && !error_q && !full;
  assign word_push_o = word_here && taken ? port : '0;
  assign credit_push_o = credit_here && taken ? port : '0;
  assign several = word_here || credit_here || routes_here;
  assign ready_o = taken && (!several || last);
  assign jump_o = taken && control.kind == shell_pkg::KindJump;
  assign jump_edge_o = control.edge_number;
  assign jump_words_o = record_i.words;
  assign route_write_o = routes_here && taken;
  assign route_destination_o = control.edge_number[9:0] + 10'(index_q);
  assign route_input_o = control.port[7:0];
  assign route_entry_o = record_i.words[8*index_q+:8];
  assign limit_o = limit_q;
  assign error_o = error_q;

  always_ff @(posedge clk_i) begin
    if (credit_here && taken) credit_edge_q <= credit_edge;
    if (!rst_ni) begin
      limit_q <= '0;
      index_q <= 6'd0;
      error_q <= 1'b0;
    end else if (valid_i && !error_q) begin
      if (!known) error_q <= 1'b1;
      else if (!routes_here) limit_q <= control.edge_number;
      if (several && taken) index_q <= last ? 6'd0 : index_q + 6'd1;
    end
  end

endmodule
