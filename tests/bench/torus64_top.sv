// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// 64 routers in one Verilated top, the way to simulate many that router_bench compares with. Each router has its own pins, so that the benchmark
/// surrounds both variants with the same harness.
module torus64_top #(
    parameter int unsigned NumRouters = 64
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic [23:0]  coordinates_i [NumRouters],
    input  logic [23:0]  last_i [NumRouters],
    input  logic [6:0]   port_enable_i [NumRouters],
    input  logic [55:0]  initial_credits_i [NumRouters],
    input  logic [2:0]   health_i [NumRouters],
    input  logic [6:0]   rx_valid_i [NumRouters],
    input  logic [6:0]   rx_vc_i [NumRouters],
    input  logic [6:0]   rx_sop_i [NumRouters],
    input  logic [6:0]   rx_eop_i [NumRouters],
    input  logic [895:0] rx_data_i [NumRouters],
    output logic [6:0]   credit_valid_o [NumRouters],
    output logic [6:0]   credit_vc_o [NumRouters],
    output logic [55:0]  credit_count_o [NumRouters],
    output logic [20:0]  credit_health_o [NumRouters],
    output logic [6:0]   tx_valid_o [NumRouters],
    output logic [6:0]   tx_vc_o [NumRouters],
    output logic [6:0]   tx_sop_o [NumRouters],
    output logic [6:0]   tx_eop_o [NumRouters],
    output logic [895:0] tx_data_o [NumRouters],
    input  logic [6:0]   tx_ready_i [NumRouters],
    input  logic [6:0]   credit_valid_i [NumRouters],
    input  logic [6:0]   credit_vc_i [NumRouters],
    input  logic [55:0]  credit_count_i [NumRouters],
    input  logic [20:0]  credit_health_i [NumRouters],
    output logic         idle_o [NumRouters],
    output logic [6:0]   credit_stall_o [NumRouters],
    output logic [6:0]   error_o [NumRouters],
    output logic [20:0]  neighbour_health_o [NumRouters]
);

  for (genvar r = 0; r < NumRouters; r++) begin : gen_router
    exanet_router i_router (
        .clk_i,
        .rst_ni,
        .coordinates_i     (coordinates_i[r]),
        .last_i            (last_i[r]),
        .table_enable_i    (1'b0),
        .table_we_i        (1'b0),
        .table_input_i     ('0),
        .table_address_i   ('0),
        .table_data_i      ('0),
        .port_enable_i     (port_enable_i[r]),
        .initial_credits_i (initial_credits_i[r]),
        .mark_threshold_i  ('0),
        .mark_rate_i       ('0),
        .mark_least_i      ('0),
        .mark_hosts_i      ('0),
        .health_i          (health_i[r]),
        .rx_valid_i        (rx_valid_i[r]),
        .rx_vc_i           (rx_vc_i[r]),
        .rx_sop_i          (rx_sop_i[r]),
        .rx_eop_i          (rx_eop_i[r]),
        .rx_data_i         (rx_data_i[r]),
        .credit_valid_o    (credit_valid_o[r]),
        .credit_vc_o       (credit_vc_o[r]),
        .credit_count_o    (credit_count_o[r]),
        .credit_health_o   (credit_health_o[r]),
        .tx_valid_o        (tx_valid_o[r]),
        .tx_vc_o           (tx_vc_o[r]),
        .tx_sop_o          (tx_sop_o[r]),
        .tx_eop_o          (tx_eop_o[r]),
        .tx_data_o         (tx_data_o[r]),
        .tx_ready_i        (tx_ready_i[r]),
        .credit_valid_i    (credit_valid_i[r]),
        .credit_vc_i       (credit_vc_i[r]),
        .credit_count_i    (credit_count_i[r]),
        .credit_health_i   (credit_health_i[r]),
        .idle_o            (idle_o[r]),
        .credit_stall_o    (credit_stall_o[r]),
        .error_o           (error_o[r]),
        .neighbour_health_o(neighbour_health_o[r])
    );
  end

endmodule
