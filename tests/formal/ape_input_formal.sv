// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Both VCs of an input port, whatever comes on them: packets leave VC 0 in order, each with its own header, as many words as that says, and its own
/// footer; what is missing is zero, and no word of another packet is sent instead. VC 1 takes its turns at the store of headers and footers.
module ape_input_formal (
    input logic       clk_i,
    input logic       rst_ni,
    input logic       push_i,
    input logic       vc_i,
    input logic       sop_i,
    input logic       eop_i,
    /// Payload words that a header announces.
    input logic [1:0] words_i,
    input logic [1:0] grant_i,
    input logic [1:0] pop_i
);

  localparam int unsigned HeaderDepth = 2;
  localparam int unsigned PayloadDepth = 4;
  localparam logic [1:0] Header = 2'd1, Payload = 2'd2, Footer = 2'd3;

  logic [127:0] data;
  logic [255:0] out_data;
  logic [1:0] waiting, valid, first, last, ending, head_valid, markable;
  logic [25:0] queued;
  logic [3:0] head_port;
  logic [5:0] want, target;
  logic [11:0] length;
  logic idle, error, credit_valid, credit_vc;
  logic [7:0] credit_words;
  logic [3:0] credit_packets;
  logic [15:0] route_count, disabled_count, malformed_count;
  // VC 0: packets that have begun and that have left; the length of each.
  logic [2:0] in_q, out_q;
  logic [1:0] lengths_q[8];
  logic [2:0] left_q;     ///< Of the packet that leaves: words after the header.
  logic inside_q;         ///< Its header has left.
  logic [2:0] words_q[2];    ///< Payload words that came on a VC and whose credit has not come back.
  logic [2:0] packets_q[2];  ///< Packets that came on a VC and whose slot has not come back.
  logic begun_q = 1'b0;
  logic [1:0] grant, pop;
  logic [1:0] out_kind;
  logic [2:0] out_tag, tag;

  // The kind of a word and its packet stand where the router does not look.
  assign tag = sop_i ? in_q : in_q - 3'd1;
  always_comb begin
    data = '0;
    data[53:52] = sop_i ? words_i : 2'd0;
    data[101:100] = sop_i ? Header : eop_i ? Footer : Payload;
    data[104:102] = tag;
  end
  assign grant = grant_i & waiting;
  assign pop = pop_i & valid;
  assign out_kind = out_data[101:100];
  assign out_tag = out_data[104:102];

  ape_input_port #(
      .IntraPorts  (1),
      .InterPorts  (2),
      .MaxPayload  (256),
      .HeaderDepth (HeaderDepth),
      .PayloadDepth(PayloadDepth)
  ) i_port (
      .clk_i,
      .rst_ni,
      .position_i        ('0),
      .order_i           (6'd0),
      .vc_by_direction_i (1'b0),
      .port_enable_i     (3'b111),
      .enable_i          (1'b1),
      .rx_valid_i        (push_i),
      .rx_vc_i           (vc_i),
      .rx_sop_i          (sop_i),
      .rx_eop_i          (eop_i),
      .rx_data_i         (data),
      .credit_valid_o    (credit_valid),
      .credit_vc_o       (credit_vc),
      .credit_words_o    (credit_words),
      .credit_packets_o  (credit_packets),
      .waiting_o         (waiting),
      .want_o            (want),
      .length_o          (length),
      .grant_i           (grant),
      .valid_o           (valid),
      .target_o          (target),
      .data_o            (out_data),
      .first_o           (first),
      .last_o            (last),
      .ending_o          (ending),
      .pop_i             (pop),
      .queued_o          (queued),
      .head_valid_o      (head_valid),
      .head_port_o       (head_port),
      .least_i           (6'd0),
      .large_o           (markable),
      .idle_o            (idle),
      .dropped_route_o   (route_count),
      .dropped_disabled_o(disabled_count),
      .malformed_o       (malformed_count),
      .error_o           (error)
  );

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!rst_ni) begin
      in_q <= '0;
      out_q <= '0;
      inside_q <= 1'b0;
    end else begin
      if (push_i && !vc_i && sop_i) begin
        in_q <= in_q + 3'd1;
        lengths_q[in_q] <= words_i;
      end
      if (pop[0]) begin
        inside_q <= !last[0];
        left_q <= first[0] ? {1'b0, lengths_q[out_q]} : left_q - 3'd1;
        if (last[0]) out_q <= out_q + 3'd1;
      end
    end
    for (int v = 0; v < 2; v++) begin
      if (!rst_ni) begin
        words_q[v] <= '0;
        packets_q[v] <= '0;
      end else begin
        words_q[v] <= words_q[v] + {2'd0, push_i && vc_i == v[0] && !sop_i && !eop_i} -
                      (credit_valid && credit_vc == v[0] ? credit_words[2:0] : 3'd0);
        packets_q[v] <= packets_q[v] + {2'd0, push_i && vc_i == v[0] && sop_i} -
                        (credit_valid && credit_vc == v[0] ? credit_packets[2:0] : 3'd0);
      end
    end
  end

  always_comb begin
    assume (begun_q || !rst_ni);
    assume (!begun_q || rst_ni);
    // The sender keeps to its credits. A header that is a footer as well is refused before it comes here: the framer's proof.
    assume (!push_i || !sop_i || !eop_i);
    assume (!push_i || sop_i || eop_i || words_q[vc_i] < 3'(PayloadDepth));
    assume (!push_i || !sop_i || packets_q[vc_i] < 3'(HeaderDepth));
    if (begun_q && rst_ni) begin
      assert (!error);
      // No credit comes back for what has not come.
      for (int v = 0; v < 2; v++) assert (words_q[v] <= 3'(PayloadDepth) && packets_q[v] <= 3'(HeaderDepth));
      if (valid[0]) begin
        assert (in_q != out_q);
        assert (first[0] == !inside_q);
        if (first[0]) begin
          assert (!last[0] && out_kind == Header && out_tag == out_q);
        end else begin
          assert (last[0] == (left_q == 3'd0));
          assert (out_data[127:0] == '0 || (out_kind == (last[0] ? Footer : Payload) && out_tag == out_q));
        end
      end
    end
  end

endmodule
