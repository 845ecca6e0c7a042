// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The checks of the topologies, one family a file: from the message to checked values. Mistakes are added to the
// diagnostics, and the result can be used nevertheless.
#pragma once

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/topology_spec.h"

namespace fabrictwin::experiment {

// Defined in lattice.cpp.
TorusSpec check_torus(const v1::Torus& torus, const RouterSpec& router, FieldChecker& fields);
TofuSpec check_tofu(const v1::Tofu& tofu, Frequency clock, FieldChecker& fields);
BlueGeneQSpec check_blue_gene_q(const v1::BlueGeneQ& blue_gene_q, Frequency clock, FieldChecker& fields);
/// The clock of the routers of a generation, as a user would write it.
std::string_view tofu_router_clock(v1::TofuGeneration generation);

// Defined in exanest.cpp.
ExanestSpec check_exanest(const v1::Exanest& exanest, Frequency clock, FieldChecker& fields);

// Defined in fat_tree.cpp.
FatTreeSpec check_fat_tree(const v1::FatTree& fat_tree, Frequency clock, FieldChecker& fields);
SpineLeafSpec check_spine_leaf(const v1::SpineLeaf& spine_leaf, Frequency clock, FieldChecker& fields);

// Defined in dragonfly.cpp.
DragonflySpec check_dragonfly(const v1::Dragonfly& dragonfly, Frequency clock, FieldChecker& fields);

// Defined in graph.cpp.
SunFireX4600Spec check_sun_fire_x4600(const v1::SunFireX4600& sun_fire, Frequency clock, FieldChecker& fields);
GraphSpec check_graph(const v1::Graph& graph, Frequency clock, FieldChecker& fields);

}  // namespace fabrictwin::experiment
