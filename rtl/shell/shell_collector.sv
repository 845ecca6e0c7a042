// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Makes records of what the ports give out, port after port in turn: up to three words of one VC, or up to 16 credits; and of how far the element has come.
module shell_collector #(
    parameter int unsigned NumPorts = 7,
    /// Bits of a link's word, at most 128, and of the number of a VC.
    parameter int unsigned DataWidth = 128,
    parameter int unsigned VcWidth = 1,
    localparam int unsigned TimedWordWidth = shell_pkg::StampWidth + VcWidth + 2 + DataWidth,
    localparam int unsigned TimedCreditWidth = shell_pkg::StampWidth + VcWidth + shell_pkg::CountWidth + shell_pkg::HealthWidth
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
  /// Bits of edges above those of stamps.
  localparam int unsigned HighWidth = shell_pkg::EdgeWidth - shell_pkg::StampWidth;

  typedef struct packed {
    logic [shell_pkg::StampWidth-1:0] stamp;
    logic [VcWidth-1:0]               vc;
    logic                             sop;
    logic                             eop;
    logic [DataWidth-1:0]             data;
  } timed_word_t;

  typedef struct packed {
    logic [shell_pkg::StampWidth-1:0]  stamp;
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
  logic [NumPorts+1:0] port_here;  ///< With two more that are none.
  logic [2*NumPorts-1:0] request, grant;
  logic [shell_pkg::StampWidth-1:0] stamp, last_stamp_q, delta;
  logic [shell_pkg::EdgeWidth-1:0] edge_number;
  logic choose, first, word_fits, credit_fits, status;
  logic [shell_pkg::CreditEntryBits-1:0] entry;

  timed_word_t word;
  timed_credit_t credit;
  logic [31:0] port_number;

  assign request = {credit_valid_i, word_valid_i};
  assign choose = state_q == Choose;

  round_robin_arbiter #(
      .NumRequests(2 * NumPorts)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i (choose && !urgent_i && !hold_i),
      .request_i(request),
      .grant_o  (grant)
  );

  assign port_here = {2'd0, port_q};

  // One table for each bit selects among what three ports have and what the ports before them have.
  always_comb begin
    word = word_i[TimedWordWidth-1:0];
    credit = credit_i[TimedCreditWidth-1:0];
    for (int p = 1; p < NumPorts; p += 3) begin
      case ({port_here[p+1] || port_here[p+2], port_here[p] || port_here[p+2]})
        2'd1: begin
          word = word_i[TimedWordWidth*p+:TimedWordWidth];
          credit = credit_i[TimedCreditWidth*p+:TimedCreditWidth];
        end
        2'd2: begin
          word = word_i[TimedWordWidth*(p+1<NumPorts?p+1:0)+:TimedWordWidth];
          credit = credit_i[TimedCreditWidth*(p+1<NumPorts?p+1:0)+:TimedCreditWidth];
        end
        2'd3: begin
          word = word_i[TimedWordWidth*(p+2<NumPorts?p+2:0)+:TimedWordWidth];
          credit = credit_i[TimedCreditWidth*(p+2<NumPorts?p+2:0)+:TimedCreditWidth];
        end
        default: ;
      endcase
    end
    port_number = '0;
    for (int p = 0; p < NumPorts; p++) begin
      if (grant[p] || grant[NumPorts+p]) port_number = port_number | 32'(p);
    end
  end

  // What waits has left in the half of all stamps in which the next edge is, or in the half before.
  assign stamp = state_q == GatherCredits ? credit.stamp : word.stamp;
  assign edge_number = {
    edge_i[shell_pkg::EdgeWidth-1:shell_pkg::StampWidth] -
        HighWidth'(!choose && stamp[shell_pkg::StampWidth-1] && !edge_i[shell_pkg::StampWidth-1]),
    choose ? edge_i[shell_pkg::StampWidth-1:0] : stamp
  };

  // A word, or credits, that join those before them; a word if it is of the same packet, and both if they are not too late after them.
  assign first = record_q.control.count == 8'd0;
  assign delta = stamp - last_stamp_q;
  assign word_fits = (port_q & word_valid_i) != '0 && (first || (!word.sop && word.vc == record_q.control.vc[VcWidth-1:0] &&
      !record_q.control.flags[shell_pkg::EndFlag] && record_q.control.count != 8'(shell_pkg::RecordWords) &&
      delta < shell_pkg::StampWidth'(1 << shell_pkg::DeltaWidth)));
  assign credit_fits = (port_q & credit_valid_i) != '0 && (first || (credit.health == record_q.control.flags[shell_pkg::HealthWidth-1:0] &&
      record_q.control.count != 8'(shell_pkg::CreditEntries) && delta < shell_pkg::StampWidth'(1 << DeltaWidth)));
  assign entry = {credit.count, credit.vc, first ? DeltaWidth'(0) : delta[DeltaWidth-1:0]};

  assign word_pop_o = state_q == Gather && word_fits ? port_q : '0;
  assign credit_pop_o = state_q == GatherCredits && credit_fits ? port_q : '0;
  assign status = urgent_i || (request == '0 && status_i);
  assign status_sent_o = choose && status;
  assign settled_o = request == '0;
  assign valid_o = state_q == Offer;
  assign record_o = record_q;

  always_ff @(posedge clk_i) begin
    if (!choose) last_stamp_q <= stamp;
    case (state_q)
      Choose: begin
        port_q <= grant[NumPorts-1:0] | grant[2*NumPorts-1:NumPorts];
        record_q.control <= '0;
        record_q.control.flags[shell_pkg::IdleFlag] <= idle_i;
        record_q.control.flags[shell_pkg::SettledFlag] <= settled_o;
        record_q.control.kind <= grant[NumPorts-1:0] != '0 ? shell_pkg::KindWords : grant != '0 ? shell_pkg::KindCredits : shell_pkg::KindStatus;
        record_q.control.port <= port_number;
        record_q.words[63:0] <= executed_i;
        record_q.words[127:64] <= {late_i, consumed_i};
      end
      Gather:
      if (word_fits) begin
        record_q.control.count <= record_q.control.count + 8'd1;
        record_q.control.flags[shell_pkg::EndFlag] <= word.eop;
        case (record_q.control.count[1:0])
          2'd0: begin
            record_q.control.flags[shell_pkg::StartFlag] <= word.sop;
            record_q.control.vc <= 8'(word.vc);
            record_q.words[shell_pkg::WordWidth-1:0] <= shell_pkg::WordWidth'(word.data);
          end
          2'd1: begin
            record_q.control.delta1 <= delta[shell_pkg::DeltaWidth-1:0];
            record_q.words[2*shell_pkg::WordWidth-1:shell_pkg::WordWidth] <= shell_pkg::WordWidth'(word.data);
          end
          default: begin
            record_q.control.delta2 <= delta[shell_pkg::DeltaWidth-1:0];
            record_q.words[3*shell_pkg::WordWidth-1:2*shell_pkg::WordWidth] <= shell_pkg::WordWidth'(word.data);
          end
        endcase
      end
      GatherCredits:
      if (credit_fits) begin
        record_q.control.count <= record_q.control.count + 8'd1;
        record_q.control.flags <= {5'd0, credit.health};
        record_q.words[shell_pkg::CreditEntries*shell_pkg::CreditEntryBits-1:0] <=
            {record_q.words[(shell_pkg::CreditEntries-1)*shell_pkg::CreditEntryBits-1:0], entry};
      end
      default: ;
    endcase
    if (choose || (first && state_q != Offer)) record_q.control.edge_number <= edge_number;
    if (!rst_ni) begin
      state_q <= Choose;
    end else begin
      case (state_q)
        Choose: if (grant[NumPorts-1:0] != '0) state_q <= Gather;
        else if (grant != '0) state_q <= GatherCredits;
        else if (status) state_q <= Offer;
        Gather: if (!word_fits) state_q <= Offer;
        GatherCredits: if (!credit_fits) state_q <= Offer;
        Offer: if (ready_i) state_q <= Choose;
        default: state_q <= Choose;
      endcase
    end
  end

endmodule
