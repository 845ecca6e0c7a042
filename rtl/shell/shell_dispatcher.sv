// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Takes the records to the board apart: words and credits to the arrival queues of their ports, limits and jumps to the gate. Records come in the
/// order of their edges, so each one is a limit: the element may go up to its edge, which makes space in a queue that is full.
module shell_dispatcher #(
    parameter int unsigned NumPorts = 7,
    /// Bits of a link's word, at most 128, and of the number of a VC.
    parameter int unsigned DataWidth = 128,
    parameter int unsigned VcWidth = 1,
    localparam int unsigned TimedWordWidth = shell_pkg::StampWidth + VcWidth + 2 + DataWidth,
    localparam int unsigned TimedCreditWidth = shell_pkg::StampWidth + VcWidth + shell_pkg::CountWidth + shell_pkg::HealthWidth
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

    /// The next edge. A record that is far ahead of it waits.
    input  logic [shell_pkg::EdgeWidth-1:0]          edge_i,
    /// Such a record is here, since the cycle before.
    output logic                                     waits_o,
    /// The element may execute edges before this one; never falls.
    output logic [shell_pkg::EdgeWidth-1:0]          limit_o,
    /// The element goes on at this edge, of which `jump_words_o` tells the phases. Only while it stands still, or at edge 0 before there was a limit.
    /// Nothing that has left the element waits then, and clocks that have had edges forget their phases in the cycle before.
    output logic                                     clear_o,
    output logic                                     jump_o,
    /// There was a jump in this run. Before it word clocks stand.
    output logic                                     started_o,
    output logic [shell_pkg::EdgeWidth-1:0]          jump_edge_o,
    output logic [shell_pkg::RecordWords*shell_pkg::WordWidth-1:0] jump_words_o,
    /// Nothing that has left the element waits to be sent.
    input  logic                                     sent_i,
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
    logic [shell_pkg::StampWidth-1:0] stamp;
    logic [VcWidth-1:0]               vc;
    logic                            sop;
    logic                            eop;
    logic [DataWidth-1:0]            data;
  } timed_word_t;

  typedef struct packed {
    logic [shell_pkg::StampWidth-1:0]  stamp;
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
  logic [shell_pkg::EdgeWidth-1:0] limit_q;
  logic [shell_pkg::EdgeWidth:0] ahead;  ///< How many edges the record is ahead of the next one, with a sign.
  logic [shell_pkg::StampWidth-1:0] begin_stamp, stamp, stamp_q;
  logic [shell_pkg::DeltaWidth-1:0] delta;
  credit_entry_t entry;
  logic [3:0] entry_index;
  logic [1:0] beat_index;
  logic [2:0] pair_index;
  logic [shell_pkg::WordWidth-1:0] beat;        ///< The word of the record that has what is next.
  logic [shell_pkg::CreditEntryBits-1:0] pair;  ///< In it the entry of credits, or two of routes.
  logic [5:0] index_q;  ///< The word or entry of the record that is next.
  logic jump_q;     ///< The clocks are clear.
  logic started_q;
  logic first, last, far_ahead, far_behind, waits_q;
  logic error_q, entries_known, known, word_here, credit_here, jump_here, routes_here, several, taken, full;
  logic [NumPorts-1:0] port;
  /* verilator lint_off UNUSEDSIGNAL */
  shell_pkg::control_t control;
  /* verilator lint_on UNUSEDSIGNAL */

  assign control = record_i.control;
  assign last = {2'd0, index_q} == control.count - 8'd1;
  assign word_here = valid_i && known && control.kind == shell_pkg::KindWords;
  assign credit_here = valid_i && known && control.kind == shell_pkg::KindCredits;
  assign routes_here = valid_i && known && control.kind == shell_pkg::KindRoutes;
  assign jump_here = valid_i && known && control.kind == shell_pkg::KindJump;

  always_comb begin
    for (int p = 0; p < NumPorts; p++) port[p] = control.port == 32'(p);
    case (control.kind)
      shell_pkg::KindWords:
      entries_known = port != '0 && (control.vc >> VcWidth) == '0 && control.count != 8'd0 && control.count <= 8'(shell_pkg::RecordWords);
      shell_pkg::KindCredits: entries_known = port != '0 && control.count != 8'd0 && control.count <= 8'(shell_pkg::CreditEntries);
      default: entries_known = 1'b0;
    endcase
    case (control.kind)
      shell_pkg::KindLimit: known = 1'b1;
      // The jump with which a run begins meets an element that has not had an edge, and may be busy after its reset.
      shell_pkg::KindJump: known = idle_i || (control.edge_number == '0 && limit_q == '0);
      shell_pkg::KindRoutes: known = idle_i && control.count != 8'd0 && control.count <= 8'(shell_pkg::RouteBytes);
      default: known = entries_known;
    endcase
    // One selection for words, credits and routes is smaller than three of their own.
    case (control.kind)
      shell_pkg::KindCredits: begin
        beat_index = {1'b0, entry_index[3]};
        pair_index = entry_index[2:0];
      end
      shell_pkg::KindRoutes: begin
        beat_index = index_q[5:4];
        pair_index = index_q[3:1];
      end
      default: begin
        beat_index = index_q[1:0];
        pair_index = '0;
      end
    endcase
    if (word_here) delta = first ? '0 : index_q == 6'd1 ? control.delta1 : control.delta2;
    else delta = shell_pkg::DeltaWidth'(entry.delta);
    word.stamp = stamp;
    word.vc = control.vc[VcWidth-1:0];
    word.sop = control.flags[shell_pkg::StartFlag] && index_q == 6'd0;
    word.eop = control.flags[shell_pkg::EndFlag] && last;
    word.data = beat[DataWidth-1:0];
    credit.stamp = stamp;
    credit.vc = entry.vc;
    credit.count = entry.count;
    credit.health = control.flags[shell_pkg::HealthWidth-1:0];
  end

  assign word_o = word;
  assign credit_o = credit;
  assign entry_index = control.count[3:0] - 4'd1 - index_q[3:0];
  assign beat = record_i.words[shell_pkg::WordWidth*beat_index+:shell_pkg::WordWidth];
  assign pair = beat[shell_pkg::CreditEntryBits*pair_index+:shell_pkg::CreditEntryBits];
  assign entry = pair;

  // A record that is far ahead waits until stamps can tell its edges. One that is far behind gets later ones, and comes too late all the same.
  assign first = index_q == 6'd0;
  assign ahead = {1'b0, control.edge_number} - {1'b0, edge_i};
  assign far_ahead = !ahead[shell_pkg::EdgeWidth] && ahead[shell_pkg::EdgeWidth-1:shell_pkg::NearLog2] != '0;
  assign far_behind = ahead[shell_pkg::EdgeWidth] && ahead[shell_pkg::EdgeWidth-1:shell_pkg::NearLog2] != '1;
  assign begin_stamp = far_behind ? edge_i[shell_pkg::StampWidth-1:0] - shell_pkg::StampWidth'(1 << shell_pkg::NearLog2) :
      control.edge_number[shell_pkg::StampWidth-1:0];
  assign stamp = (first ? begin_stamp : stamp_q) + shell_pkg::StampWidth'(delta);
  assign waits_o = waits_q;

  assign full = word_here ? (port & word_full_i) != '0 : credit_here && (port & credit_full_i) != '0;
  assign taken = valid_i && known && !error_q && !full && !((word_here || credit_here) && first && far_ahead) && (!jump_here || jump_o);
  assign word_push_o = word_here && taken ? port : '0;
  assign credit_push_o = credit_here && taken ? port : '0;
  assign several = word_here || credit_here || routes_here;
  assign ready_o = taken && (!several || last);
  // Clocks that have stood since the reset are clear.
  assign clear_o = jump_here && !error_q && sent_i && started_q && !jump_q;
  assign jump_o = jump_here && !error_q && sent_i && (!started_q || jump_q);
  assign started_o = started_q;
  assign jump_edge_o = control.edge_number;
  assign jump_words_o = record_i.words;
  assign route_write_o = routes_here && taken;
  assign route_destination_o = control.edge_number[9:0] + 10'(index_q);
  assign route_input_o = control.port[7:0];
  assign route_entry_o = index_q[0] ? pair[15:8] : pair[7:0];
  assign limit_o = limit_q;
  assign error_o = error_q;

  always_ff @(posedge clk_i) begin
    if (taken) stamp_q <= stamp;
    if (!rst_ni) begin
      limit_q <= '0;
      index_q <= 6'd0;
      error_q <= 1'b0;
      jump_q <= 1'b0;
      started_q <= 1'b0;
      waits_q <= 1'b0;
    end else if (valid_i && !error_q) begin
      jump_q <= clear_o;
      if (jump_o) started_q <= 1'b1;
      waits_q <= entries_known && first && far_ahead;
      if (!known) error_q <= 1'b1;
      else if (!routes_here && (!jump_here || jump_o)) limit_q <= control.edge_number;
      if (several && taken) index_q <= last ? 6'd0 : index_q + 6'd1;
    end
  end

endmodule
