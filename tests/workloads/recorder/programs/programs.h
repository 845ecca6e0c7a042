// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Small MPI programs that tests record. recorder_test.cpp says what each of them must leave in a trace.
#pragma once

#include <mpi.h>

#include <string>

/// This process in MPI_COMM_WORLD.
struct World {
  int rank = 0;
  int size = 0;
};

void run_modes(const World& world);
void run_completion(const World& world);
void run_persistent(const World& world);
void run_probes(const World& world);
void run_collectives(const World& world);
void run_in_place(const World& world);
void run_nonblocking(const World& world);
void run_communicators(const World& world);
void run_datatypes(const World& world);
/// One rank leaves while the other waits for it: by "abort", "exit" or "kill".
void run_early_end(const World& world, const std::string& how);
/// `call` is what a trace cannot hold.
void run_refused(const World& world, const std::string& call);
/// A call of MPI within another, as from a second thread.
void run_within(const World& world);
void run_passed_by(const World& world);
/// `count` short calls, and how long one of them takes, on stdout.
void run_calls(const World& world, int count);
