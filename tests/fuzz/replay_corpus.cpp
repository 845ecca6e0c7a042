// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a fuzz target without libFuzzer: every file of a corpus, then damaged variants of them, the same ones each time.
//   replay_NAME CORPUS_DIR [VARIANTS] [SEED]
// An input that ends the program is written to ./fuzz-failure.bin; run the program with a folder that holds only this
// file to see it again.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "tests/fuzz/mutator.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#include <sanitizer/common_interface_defs.h>
#endif

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

/// The input that is being run, for the handlers below.
const char* current_data = nullptr;
size_t current_size = 0;

/// Only what a signal handler may do.
void save_current_input() {
  constexpr char kMessage[] = "replay_corpus: the input that did this is in ./fuzz-failure.bin\n";
  const int fd = open("fuzz-failure.bin", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return;
  const bool saved = write(fd, current_data, current_size) == static_cast<ssize_t>(current_size);
  close(fd);
  if (saved) (void)!write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1);
}

void install_handlers() {
  struct sigaction action {};
  action.sa_handler = [](int signal) {
    save_current_input();
    raise(signal);
  };
  action.sa_flags = SA_RESETHAND | SA_NODEFER;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  // The sanitizer handles everything else, and says more about it.
  __sanitizer_set_death_callback(save_current_input);
  sigaction(SIGABRT, &action, nullptr);
#else
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
#endif
}

void run(const std::string& input) {
  // A copy of exactly this size, so that AddressSanitizer sees each byte read too many.
  const std::vector<uint8_t> bytes(input.begin(), input.end());
  current_data = input.data();
  current_size = input.size();
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

std::vector<std::string> read_corpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> inputs;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return inputs;
}

bool parse(const char* text, uint64_t& value) {
  const char* const end = text + std::strlen(text);
  const auto [parsed, error] = std::from_chars(text, end, value);
  return error == std::errc() && parsed == end;
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t variants = 4000;
  uint64_t seed = 1;
  if (argc < 2 || argc > 4 || (argc > 2 && !parse(argv[2], variants)) || (argc > 3 && !parse(argv[3], seed))) {
    std::fprintf(stderr, "usage: %s CORPUS_DIR [VARIANTS] [SEED]\n", argv[0]);
    return 2;
  }
  const std::vector<std::string> corpus = read_corpus(argv[1]);
  if (corpus.empty()) {
    std::fprintf(stderr, "%s: no files in %s\n", argv[0], argv[1]);
    return 2;
  }
  install_handlers();
  run({});
  for (const std::string& input : corpus) run(input);
  fabrictwin::Mutator mutator(corpus, seed);
  for (uint64_t i = 0; i < variants; ++i) run(mutator.next());
  std::printf("%zu inputs and %llu variants of them\n", corpus.size(), static_cast<unsigned long long>(variants));
  return 0;
}
