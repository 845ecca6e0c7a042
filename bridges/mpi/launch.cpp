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
#include <vector>

#include "bridges/mpi/factory.h"
#include "cosim/base/text.h"
#include "cosim/base/version.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::mpi {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libfabrictwin-mpi.so";
constexpr const char* kMpichLibrary = "libfabrictwin-mpi-mpich.so";

/// The environment variables of one kind of launcher, and the library of its MPI, if there is one.
struct Launcher {
  const char* rank;
  const char* size;
  const char* library;
};
constexpr std::array<Launcher, 3> kLaunchers = {{{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", kLibrary},
                                                 {"PMI_RANK", "PMI_SIZE", kMpichLibrary},
                                                 {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", kLibrary}}};

std::optional<int> number_of(const char* variable) {
  const char* text = std::getenv(variable);
  int number = 0;
  if (text == nullptr || !parse_number(std::string_view(text), number)) return std::nullopt;
  return number;
}

/// The launcher that has started this process, and what it says; null if none has started several.
const Launcher* find_launcher(Launch& launch) {
  for (const Launcher& launcher : kLaunchers) {
    const std::optional<int> rank = number_of(launcher.rank);
    const std::optional<int> size = number_of(launcher.size);
    if (!rank.has_value() || !size.has_value() || *size <= 1 || *rank < 0 || *rank >= *size) continue;
    launch = {*rank, *size};
    return &launcher;
  }
  return nullptr;
}

/// The libraries that there are for the launcher, the best one first. What CMake has found may be of any launcher, so
/// it is taken where there is no better one.
std::vector<std::string> find_libraries(const std::string& executable) {
  const fs::path folder = fs::path(executable).parent_path();
  Launch ignored;
  const Launcher* const launcher = find_launcher(ignored);
  std::vector<std::string> found;
  std::vector<std::string_view> libraries;
  if (launcher != nullptr && std::string_view(launcher->library) != kLibrary) libraries.push_back(launcher->library);
  libraries.push_back(kLibrary);
  for (const std::string_view library : libraries) {
    for (const fs::path& file : {folder.parent_path() / "lib" / library, folder / library}) {
      std::error_code unreadable;
      if (fs::exists(file, unreadable)) found.push_back(file.string());
    }
  }
  return found;
}

absl::StatusOr<WorldFactory> load_factory(const std::vector<std::string>& files) {
  // UCX, by which MPICH may talk, reads this when it is loaded: else it complains on standard output, where reports
  // are.
  setenv("UCX_LOG_FILE", "stderr", 0);
  std::string error;
  for (const std::string& file : files) {
    // Some MPI libraries load plug-ins that expect the names of the library to be visible to them.
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
      error = dlerror();
      continue;
    }
    if (void* function = dlsym(library, kWorldFactory); function != nullptr)
      return reinterpret_cast<WorldFactory>(function);
    return absl::FailedPreconditionError(fmt::format("{} is not of this version of fabrictwin", file));
  }
  if (!error.empty()) return absl::FailedPreconditionError(fmt::format("MPI cannot be loaded: {}", error));
  return absl::UnimplementedError(
      fmt::format("this fabrictwin was built without MPI (there is no {} beside it), and MPI has started {} of it; "
                  "build it where MPI is found (docs/command-line.md#by-mpi), or start it without mpirun",
                  kLibrary, launch().size));
}

}  // namespace

Launch launch() {
  Launch launch;
  find_launcher(launch);
  return launch;
}

absl::StatusOr<std::unique_ptr<World>> join_world(const std::string& executable) {
  const absl::StatusOr<WorldFactory> factory = load_factory(find_libraries(executable));
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
