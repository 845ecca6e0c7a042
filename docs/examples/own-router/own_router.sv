// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A wormhole router for a two-dimensional torus of 64-bit links with four VCs, whose header is its own: README.md. Nothing of it is FabricTwin's.
//
// Ports: 0 local, 1 x+, 2 x-, 3 y+, 4 y-. VC bit 0 is bit 0 of the destination, so two streams of packets do not block each other; VC bit 1 is set behind the
// dateline of a ring (Dally and Seitz, 1987), which keeps rings free of deadlock.
module own_router #(
    parameter int unsigned BufferWords = 32  // The depth of each input VC; a power of two.
) (
    input logic clk_i,
    input logic rst_ni,

    // Its position in the torus, and the credits that each output VC begins with. Constant.
    input logic [7:0] x_i,
    input logic [7:0] y_i,
    input logic [7:0] size_x_i,
    input logic [7:0] size_y_i,
    input logic [4:0][7:0] initial_credits_i,

    // Words from the neighbours. Each has had a credit.
    input logic [4:0] rx_valid_i,
    input logic [4:0] rx_first_i,
    input logic [4:0] rx_last_i,
    input logic [4:0][1:0] rx_vc_i,
    input logic [4:0][63:0] rx_data_i,
    // Credits for them, one word each.
    output logic [4:0] credit_valid_o,
    output logic [4:0][1:0] credit_vc_o,

    // Words to the neighbours, until they are taken.
    output logic [4:0] tx_valid_o,
    output logic [4:0] tx_first_o,
    output logic [4:0] tx_last_o,
    output logic [4:0][1:0] tx_vc_o,
    output logic [4:0][63:0] tx_data_o,
    input logic [4:0] tx_ready_i,
    // Credits for them.
    input logic [4:0] credit_valid_i,
    input logic [4:0][1:0] credit_vc_i,
    input logic [4:0][7:0] credit_count_i,

    output logic [4:0] stalled_o,  // Packets wait for credits of this port, and for nothing else.
    output logic idle_o            // Nothing changes without an input.
);
  localparam int unsigned NumPorts = 5;
  localparam int unsigned NumVcs = 4;
  localparam int unsigned NumLanes = NumPorts * NumVcs;  // Input VCs, and as many output VCs.
  localparam int unsigned PtrBits = $clog2(BufferWords);

  typedef struct packed {
    logic first;
    logic last;
    logic [63:0] data;
  } word_t;

  typedef logic [4:0] lane_t;

  // The first request at or after `from`, in a ring.
  function automatic lane_t pick(input logic [NumLanes-1:0] requests, input lane_t from);
    lane_t best;
    lane_t at;
    best = '0;
    for (int unsigned i = NumLanes; i > 0; i--) begin
      at = (32'(from) + i - 1 >= NumLanes) ? lane_t'(32'(from) + i - 1 - NumLanes) : lane_t'(32'(from) + i - 1);
      if (requests[at]) best = at;
    end
    pick = best;
  endfunction

  function automatic lane_t after(input lane_t lane);
    after = (32'(lane) == NumLanes - 1) ? lane_t'(0) : lane_t'(32'(lane) + 1);
  endfunction

  // The direction in a ring: 0 stay, 1 up, 2 down. Up where both are equally long.
  function automatic logic [1:0] direction(input logic [7:0] from, input logic [7:0] to, input logic [7:0] size);
    logic [7:0] up;
    up = (to >= from) ? to - from : to - from + size;
    if (up == 0) direction = 2'd0;
    else direction = (9'({1'b0, up} << 1) <= 9'({1'b0, size})) ? 2'd1 : 2'd2;
  endfunction

  // The output VC of a packet that has come through a port, `behind` the dateline of its ring or not.
  function automatic lane_t route(input logic [11:0] destination, input logic [2:0] in_port, input logic behind);
    logic [7:0] to_x, to_y;
    logic [1:0] turn;
    logic crossed, wraps;
    logic [2:0] out_port;
    to_x = 8'(destination % 12'(size_x_i));
    to_y = 8'(destination / 12'(size_x_i));
    turn = direction(x_i, to_x, size_x_i);
    if (turn != 0) begin
      out_port = (turn == 2'd1) ? 3'd1 : 3'd2;
      crossed = (in_port == 3'd1 || in_port == 3'd2) && behind;
      wraps = (turn == 2'd1) ? x_i == size_x_i - 1 : x_i == 0;
    end else begin
      turn = direction(y_i, to_y, size_y_i);
      out_port = (turn == 2'd0) ? 3'd0 : (turn == 2'd1) ? 3'd3 : 3'd4;
      crossed = (turn != 0) && (in_port == 3'd3 || in_port == 3'd4) && behind;
      wraps = (turn == 2'd1) ? y_i == size_y_i - 1 : (turn == 2'd2) && y_i == 0;
    end
    route = {out_port, crossed | wraps, destination[0]};
  endfunction

  // Input buffers.
  word_t memory_q[NumLanes*BufferWords];
  logic [PtrBits-1:0] read_q[NumLanes];
  logic [PtrBits-1:0] write_q[NumLanes];
  logic [PtrBits:0] count_q[NumLanes];
  logic [PtrBits:0] owed_q[NumLanes];  // Credits that have not been given back.
  // A packet that goes on has an output VC.
  logic [NumLanes-1:0] routed_q;
  lane_t output_q[NumLanes];
  // Output VCs.
  logic [NumLanes-1:0] busy_q;
  logic [7:0] credits_q[NumLanes];
  // Arbiters.
  lane_t vc_turn_q[NumLanes];
  lane_t switch_turn_q[NumPorts];
  logic [1:0] credit_turn_q[NumPorts];

  word_t head[NumLanes];
  lane_t wanted[NumLanes];
  logic [NumLanes-1:0] waiting;  // Its head is a header without an output VC.

  always_comb begin
    for (int unsigned i = 0; i < NumLanes; i++) begin
      head[i] = memory_q[i*BufferWords+32'(read_q[i])];
      waiting[i] = count_q[i] != 0 && !routed_q[i];
      wanted[i] = route(head[i].data[11:0], 3'(i / NumVcs), (i & 2) != 0);
    end
  end

  // VC allocation: each free output VC takes one of those that want it.
  logic [NumLanes-1:0] vc_given;
  lane_t vc_winner[NumLanes];
  always_comb begin
    for (int unsigned o = 0; o < NumLanes; o++) begin
      logic [NumLanes-1:0] requests;
      for (int unsigned i = 0; i < NumLanes; i++) requests[i] = waiting[i] && 32'(wanted[i]) == o;
      vc_given[o] = !busy_q[o] && requests != 0;
      vc_winner[o] = pick(requests, vc_turn_q[o]);
    end
  end

  // Switch allocation: each output takes a word of one of its packets.
  logic [NumPorts-1:0] sends;
  lane_t sender[NumPorts];
  always_comb begin
    for (int unsigned p = 0; p < NumPorts; p++) begin
      logic [NumLanes-1:0] ready, short_of_credits;
      for (int unsigned i = 0; i < NumLanes; i++) begin
        ready[i] = routed_q[i] && 32'(output_q[i][4:2]) == p && count_q[i] != 0 && credits_q[output_q[i]] != 0;
        short_of_credits[i] = routed_q[i] && 32'(output_q[i][4:2]) == p && count_q[i] != 0 && credits_q[output_q[i]] == 0;
      end
      sends[p] = (!tx_valid_o[p] || tx_ready_i[p]) && ready != 0;
      sender[p] = pick(ready, switch_turn_q[p]);
      stalled_o[p] = !tx_valid_o[p] && ready == 0 && short_of_credits != 0;
    end
  end

  // Credits go back one at a time.
  logic [NumPorts-1:0] gives;
  logic [1:0] given_vc[NumPorts];
  always_comb begin
    for (int unsigned p = 0; p < NumPorts; p++) begin
      gives[p] = 1'b0;
      given_vc[p] = '0;
      for (int unsigned k = NumVcs; k > 0; k--) begin
        logic [1:0] vc;
        vc = credit_turn_q[p] + 2'(k - 1);
        if (owed_q[p*NumVcs+32'(vc)] != 0) begin
          gives[p] = 1'b1;
          given_vc[p] = vc;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned i = 0; i < NumLanes; i++) begin
        read_q[i] <= '0;
        write_q[i] <= '0;
        count_q[i] <= '0;
        owed_q[i] <= '0;
        output_q[i] <= '0;
        credits_q[i] <= initial_credits_i[i/NumVcs];
        vc_turn_q[i] <= '0;
      end
      for (int unsigned p = 0; p < NumPorts; p++) begin
        switch_turn_q[p] <= '0;
        credit_turn_q[p] <= '0;
      end
      routed_q <= '0;
      busy_q <= '0;
      tx_valid_o <= '0;
      tx_first_o <= '0;
      tx_last_o <= '0;
      tx_vc_o <= '0;
      tx_data_o <= '0;
      credit_valid_o <= '0;
      credit_vc_o <= '0;
    end else begin
      for (int unsigned o = 0; o < NumLanes; o++) begin
        if (vc_given[o]) begin
          busy_q[o] <= 1'b1;
          routed_q[vc_winner[o]] <= 1'b1;
          output_q[vc_winner[o]] <= lane_t'(o);
          vc_turn_q[o] <= after(vc_winner[o]);
        end
      end
      for (int unsigned p = 0; p < NumPorts; p++) begin
        if (sends[p]) begin
          tx_valid_o[p] <= 1'b1;
          tx_first_o[p] <= head[sender[p]].first;
          tx_last_o[p] <= head[sender[p]].last;
          tx_vc_o[p] <= output_q[sender[p]][1:0];
          tx_data_o[p] <= head[sender[p]].data;
          read_q[sender[p]] <= read_q[sender[p]] + 1'b1;
          switch_turn_q[p] <= after(sender[p]);
          if (head[sender[p]].last) begin
            routed_q[sender[p]] <= 1'b0;
            busy_q[output_q[sender[p]]] <= 1'b0;
          end
        end else if (tx_ready_i[p]) begin
          tx_valid_o[p] <= 1'b0;
        end
        credit_valid_o[p] <= gives[p];
        credit_vc_o[p] <= given_vc[p];
        if (gives[p]) credit_turn_q[p] <= given_vc[p] + 1'b1;
        if (rx_valid_i[p]) begin
          memory_q[(p*NumVcs+32'(rx_vc_i[p]))*BufferWords+32'(write_q[p*NumVcs+32'(rx_vc_i[p])])] <=
              '{rx_first_i[p], rx_last_i[p], rx_data_i[p]};
          write_q[p*NumVcs+32'(rx_vc_i[p])] <= write_q[p*NumVcs+32'(rx_vc_i[p])] + 1'b1;
        end
      end
      // What comes and goes at once.
      for (int unsigned i = 0; i < NumLanes; i++) begin
        logic comes, leaves, given, spent;
        logic [7:0] returned;
        comes = rx_valid_i[i/NumVcs] && 32'(rx_vc_i[i/NumVcs]) == i % NumVcs;
        given = gives[i/NumVcs] && 32'(given_vc[i/NumVcs]) == i % NumVcs;
        leaves = 1'b0;
        for (int unsigned p = 0; p < NumPorts; p++) if (sends[p] && 32'(sender[p]) == i) leaves = 1'b1;
        count_q[i] <= count_q[i] + (PtrBits + 1)'(comes) - (PtrBits + 1)'(leaves);
        owed_q[i] <= owed_q[i] + (PtrBits + 1)'(leaves) - (PtrBits + 1)'(given);
        spent = sends[i/NumVcs] && 32'(output_q[sender[i/NumVcs]]) == i;
        returned = (credit_valid_i[i/NumVcs] && 32'(credit_vc_i[i/NumVcs]) == i % NumVcs) ? credit_count_i[i/NumVcs] : 8'd0;
        credits_q[i] <= credits_q[i] + returned - 8'(spent);
      end
    end
  end

  always_comb begin
    idle_o = tx_valid_o == 0 && credit_valid_o == 0;
    for (int unsigned i = 0; i < NumLanes; i++) if (count_q[i] != 0 || owed_q[i] != 0) idle_o = 1'b0;
  end
endmodule
