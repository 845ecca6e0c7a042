// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Makes records of what the ports give out, port after port in turn: up to three words of one VC, or up to 16 credits; and of how far the element has come.
module shell_collector #(
    parameter int unsigned NumPorts = 7,
    /// Bits of a link's word, at most 128, and of the number of a VC.
    parameter int unsigned DataWidth = 128,
    parameter int unsigned VcWidth = 1,
    localparam int unsigned TimedWordWidth = shell_pkg::EdgeWidth + VcWidth + 2 + DataWidth,
    localparam int unsigned TimedCreditWidth = shell_pkg::EdgeWidth + VcWidth + shell_pkg::CountWidth + shell_pkg::HealthWidth
) (
    input  logic                                 clk_i,
    /// Synchronous, active low.
    input  logic                                 rst_ni,

    /// By port: the oldest word and the oldest credits of shell_port_out.
    input  logic [NumPorts-1:0]                  word_valid_i,
    input  logic [NumPorts*TimedWordWidth-1:0]   word_i,
    output logic [NumPorts-1:0]                  word_pop_o,
    input  logic [NumPorts-1:0]                  credit_valid_i,
    input  logic [NumPorts*TimedCreditWidth-1:0] credit_i,
    output logic [NumPorts-1:0]                  credit_pop_o,

    /// No record of a port is begun, so that it will hold more.
    input  logic                                 hold_i,
    /// A status is due: it is sent when no port has anything, and says so. An urgent one is sent at once.
    input  logic                                 status_i,
    input  logic                                 urgent_i,
    output logic                                 status_sent_o,
    /// With `status_sent_o`: no port has anything.
    output logic                                 settled_o,
    input  logic                                 idle_i,
    input  logic [shell_pkg::EdgeWidth-1:0]      edge_i,
    input  logic [31:0]                          consumed_i,
    input  logic [63:0]                          executed_i,
    input  logic [31:0]                          late_i,

    output logic                                 valid_o,
    input  logic                                 ready_i,
    output shell_pkg::record_t                   record_o
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

  typedef enum logic [1:0] {
    Choose,
    Gather,
    GatherCredits,
    Offer
  } state_t;

  state_t state_q;
  shell_pkg::record_t record_q;
  logic [NumPorts-1:0] port_q;
  logic [2*NumPorts-1:0] request, grant;
  logic [shell_pkg::EdgeWidth-1:0] last_edge_q;
  logic [shell_pkg::EdgeWidth-1:0] delta, credit_delta;
  logic choose, fits, credit_fits, status;
  logic [4:0] entries_q;  ///< Credits in the record.
  logic [shell_pkg::CreditEntryBits-1:0] entry;

  timed_word_t word;
  timed_credit_t credit;
  logic [NumPorts-1:0] port;
  logic [31:0] port_number;

  assign request = {credit_valid_i, word_valid_i};
  assign choose = state_q == Choose;
  assign port = choose ? grant[NumPorts-1:0] | grant[2*NumPorts-1:NumPorts] : port_q;

  round_robin_arbiter #(
      .NumRequests(2 * NumPorts)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i (choose && !urgent_i && !hold_i),
      .request_i(request),
      .grant_o  (grant)
  );

  always_comb begin
    word = '0;
    credit = '0;
    port_number = '0;
    for (int p = 0; p < NumPorts; p++) begin
      if (port[p]) begin
        word = word | word_i[TimedWordWidth*p+:TimedWordWidth];
        credit = credit | credit_i[TimedCreditWidth*p+:TimedCreditWidth];
        port_number = port_number | 32'(p);
      end
    end
  end

  // A word that joins those before it: of the same packet, and not too late after them.
  assign delta = word.edge_number - last_edge_q;
  assign fits = (port_q & word_valid_i) != '0 && !word.sop && word.vc == record_q.control.vc[VcWidth-1:0] &&
      !record_q.control.flags[shell_pkg::EndFlag] && record_q.control.count != 8'(shell_pkg::RecordWords) &&
      delta < shell_pkg::EdgeWidth'(1 << shell_pkg::DeltaWidth);

  // Credits that join those before them.
  assign credit_delta = credit.edge_number - last_edge_q;
  assign credit_fits = (port_q & credit_valid_i) != '0 && credit.health == record_q.control.flags[shell_pkg::HealthWidth-1:0] &&
      entries_q != 5'(shell_pkg::CreditEntries) && credit_delta < shell_pkg::EdgeWidth'(1 << DeltaWidth);
  assign entry = {credit.count, credit.vc, choose ? DeltaWidth'(0) : credit_delta[DeltaWidth-1:0]};

  assign word_pop_o = choose ? grant[NumPorts-1:0] : state_q == Gather && fits ? port_q : '0;
  assign credit_pop_o = choose ? grant[2*NumPorts-1:NumPorts] : state_q == GatherCredits && credit_fits ? port_q : '0;
  assign status = urgent_i || (request == '0 && status_i);
  assign status_sent_o = choose && status;
  assign settled_o = request == '0;
  assign valid_o = state_q == Offer;
  assign record_o = record_q;

  always_ff @(posedge clk_i) begin
    case (state_q)
      Choose: begin
        port_q <= port;
        last_edge_q <= grant[NumPorts-1:0] != '0 ? word.edge_number : credit.edge_number;
        entries_q <= 5'd1;
        record_q.control <= '0;
        record_q.control.port <= port_number;
        if (grant[NumPorts-1:0] != '0) begin
          record_q.control.kind <= shell_pkg::KindWords;
          record_q.control.edge_number <= word.edge_number;
          record_q.control.vc <= 8'(word.vc);
          record_q.control.count <= 8'd1;
          record_q.control.flags[shell_pkg::StartFlag] <= word.sop;
          record_q.control.flags[shell_pkg::EndFlag] <= word.eop;
          record_q.words[shell_pkg::WordWidth-1:0] <= shell_pkg::WordWidth'(word.data);
        end else if (grant != '0) begin
          record_q.control.kind <= shell_pkg::KindCredits;
          record_q.control.edge_number <= credit.edge_number;
          record_q.control.count <= 8'd1;
          record_q.control.flags <= {5'd0, credit.health};
          record_q.words[shell_pkg::CreditEntryBits-1:0] <= entry;
        end else begin
          record_q.control.kind <= shell_pkg::KindStatus;
          record_q.control.edge_number <= edge_i;
          record_q.control.flags[shell_pkg::IdleFlag] <= idle_i;
          record_q.control.flags[shell_pkg::SettledFlag] <= settled_o;
          record_q.words[63:0] <= executed_i;
          record_q.words[127:64] <= {late_i, consumed_i};
        end
      end
      Gather:
      if (fits) begin
        last_edge_q <= word.edge_number;
        record_q.control.count <= record_q.control.count + 8'd1;
        record_q.control.flags[shell_pkg::EndFlag] <= word.eop;
        if (record_q.control.count == 8'd1) begin
          record_q.control.delta1 <= delta[shell_pkg::DeltaWidth-1:0];
          record_q.words[2*shell_pkg::WordWidth-1:shell_pkg::WordWidth] <= shell_pkg::WordWidth'(word.data);
        end else begin
          record_q.control.delta2 <= delta[shell_pkg::DeltaWidth-1:0];
          record_q.words[3*shell_pkg::WordWidth-1:2*shell_pkg::WordWidth] <= shell_pkg::WordWidth'(word.data);
        end
      end
      GatherCredits:
      if (credit_fits) begin
        last_edge_q <= credit.edge_number;
        entries_q <= entries_q + 5'd1;
        record_q.control.count <= record_q.control.count + 8'd1;
        record_q.words[shell_pkg::CreditEntries*shell_pkg::CreditEntryBits-1:0] <=
            {record_q.words[(shell_pkg::CreditEntries-1)*shell_pkg::CreditEntryBits-1:0], entry};
      end
      default: ;
    endcase
    if (!rst_ni) begin
      state_q <= Choose;
    end else begin
      case (state_q)
        Choose: if (grant[NumPorts-1:0] != '0) state_q <= Gather;
        else if (grant != '0) state_q <= GatherCredits;
        else if (status) state_q <= Offer;
        Gather: if (!fits) state_q <= Offer;
        GatherCredits: if (!credit_fits) state_q <= Offer;
        Offer: if (ready_i) state_q <= Choose;
        default: state_q <= Choose;
      endcase
    end
  end

endmodule
