// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/mpi/launch.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "bridges/mpi/factory.h"
#include "cosim/base/text.h"
#include "cosim/base/version.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::mpi {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libfabrictwin-mpi.so";

/// The environment variables of one kind of launcher.
struct Variables {
  const char* rank;
  const char* size;
};
constexpr std::array<Variables, 3> kLaunchers = {{{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                  {"PMI_RANK", "PMI_SIZE"},
                                                  {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}}};

std::optional<int> number_of(const char* variable) {
  const char* text = std::getenv(variable);
  int number = 0;
  if (text == nullptr || !parse_number(std::string_view(text), number)) return std::nullopt;
  return number;
}

absl::StatusOr<std::string> find_library(const std::string& executable) {
  const fs::path folder = fs::path(executable).parent_path();
  for (const fs::path& file : {folder.parent_path() / "lib" / kLibrary, folder / kLibrary}) {
    std::error_code ignored;
    if (fs::exists(file, ignored)) return file.string();
  }
  return absl::UnimplementedError(
      fmt::format("this fabrictwin was built without MPI (there is no {} beside it), and MPI has started {} of it; "
                  "build it where MPI is found (docs/command-line.md#by-mpi), or start it without mpirun",
                  kLibrary, launch().size));
}

absl::StatusOr<WorldFactory> load_factory(const std::string& file) {
  // Some MPI libraries load plug-ins that expect the names of the library to be visible to them.
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) return absl::FailedPreconditionError(fmt::format("MPI cannot be loaded: {}", dlerror()));
  void* function = dlsym(library, kWorldFactory);
  if (function == nullptr)
    return absl::FailedPreconditionError(fmt::format("{} is not of this version of fabrictwin", file));
  return reinterpret_cast<WorldFactory>(function);
}

}  // namespace

Launch launch() {
  for (const Variables& variables : kLaunchers) {
    const std::optional<int> rank = number_of(variables.rank);
    const std::optional<int> size = number_of(variables.size);
    if (rank.has_value() && size.has_value() && *size > 1 && *rank >= 0 && *rank < *size) return {*rank, *size};
  }
  return {};
}

absl::StatusOr<std::unique_ptr<World>> join_world(const std::string& executable) {
  const absl::StatusOr<std::string> file = find_library(executable);
  if (!file.ok()) return file.status();
  const absl::StatusOr<WorldFactory> factory = load_factory(*file);
  if (!factory.ok()) return factory.status();
  std::string error;
  std::unique_ptr<World> world((*factory)(kVersion, &error));
  if (world == nullptr) return absl::FailedPreconditionError(error);
  if (world->size() != launch().size) {
    return absl::FailedPreconditionError(
        fmt::format("the launcher has started {} ranks, and the MPI that fabrictwin was built with knows {}; use the "
                    "mpirun of that MPI",
                    launch().size, world->size()));
  }
  return world;
}

}  // namespace fabrictwin::bridges::mpi
