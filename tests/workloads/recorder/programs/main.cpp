// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "programs.h"

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  const std::string argument = argc > 2 ? argv[2] : "";
  if (name == "within") {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  } else {
    MPI_Init(&argc, &argv);
  }
  World world;
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.size);
  struct Program {
    const char* name;
    void (*run)(const World&);
  };
  const Program programs[] = {{"modes", run_modes},
                              {"completion", run_completion},
                              {"persistent", run_persistent},
                              {"probes", run_probes},
                              {"collectives", run_collectives},
                              {"in_place", run_in_place},
                              {"nonblocking", run_nonblocking},
                              {"communicators", run_communicators},
                              {"datatypes", run_datatypes},
                              {"within", run_within},
                              {"passed_by", run_passed_by}};
  bool known = false;
  for (const Program& program : programs) {
    if (name != program.name) continue;
    known = true;
    program.run(world);
  }
  if (name == "early_end") {
    known = true;
    run_early_end(world, argument);
  }
  if (name == "refused") {
    known = true;
    run_refused(world, argument);
  }
  if (name == "calls") {
    known = true;
    run_calls(world, std::atoi(argument.c_str()));
  }
  if (!known) std::fprintf(stderr, "there is no program '%s'\n", name.c_str());
  MPI_Finalize();
  return known ? 0 : 2;
}
