// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/recorder/assembler.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

extern char** environ;

namespace fabrictwin::recorder {
namespace {

std::string parts_folder(const std::string& output) { return output + ".parts"; }

void remove_files(const std::string& folder) {
  DIR* const directory = opendir(folder.c_str());
  if (directory == nullptr) return;
  while (const dirent* const entry = readdir(directory)) {
    const std::string_view name = entry->d_name;
    if (!name.starts_with("rank-") || !name.ends_with(".part")) continue;
    unlinkat(dirfd(directory), entry->d_name, 0);
  }
  closedir(directory);
}

// Searches $FABRICTWIN_BINARY, the folder beside this library in a build or an installation (lib and bin), and $PATH.
std::string find_binary() {
  const char* const told = std::getenv("FABRICTWIN_BINARY");
  if (told != nullptr && *told != '\0') return told;
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&find_binary), &info) != 0 && info.dli_fname != nullptr) {
    const std::string library = info.dli_fname;
    const size_t slash = library.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : library.substr(0, slash);
    for (const char* path : {"/fabrictwin", "/../bin/fabrictwin"}) {
      if (access((folder + path).c_str(), X_OK) == 0) return folder + path;
    }
  }
  return "fabrictwin";
}

}  // namespace

std::string part_path(const std::string& output, int rank) {
  return parts_folder(output) + "/rank-" + std::to_string(rank) + ".part";
}

int prepare_parts(const std::string& output) {
  const std::string folder = parts_folder(output);
  if (mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) return errno;
  remove_files(folder);
  return 0;
}

bool assemble_parts(const std::string& output) {
  unlink(output.c_str());
  std::vector<std::string> words = {find_binary(), "trace", "assemble", parts_folder(output), "--out", output};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  // The child process is not part of the MPI run.
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "LD_PRELOAD=", 11) != 0) environment.push_back(*variable);
  }
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return false;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    // The application may ignore SIGCHLD, so that the child cannot be waited for; then the new file shows success.
    if (errno == ECHILD) return access(output.c_str(), R_OK) == 0;
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void remove_parts(const std::string& output) {
  const std::string folder = parts_folder(output);
  remove_files(folder);
  rmdir(folder.c_str());
}

}  // namespace fabrictwin::recorder
