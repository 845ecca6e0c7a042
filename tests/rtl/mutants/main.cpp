// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// rtl_mutants: writes SystemVerilog sources with mistakes in them, of which a simulation chooses one, for
// scripts/mutate.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/rtl/mutants/mutation.h"
#include "tests/rtl/mutants/schemata.h"
#include "tests/rtl/mutants/selection.h"

namespace fabrictwin::mutants {
namespace {

struct Options {
  std::filesystem::path out;
  std::string rows, without;
  size_t sample = 10;
  uint64_t seed = 1;
  std::vector<std::string> files;
};

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw CLI::FileError(path + " cannot be read", CLI::ExitCodes::FileError);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  if (!(file << text) || !file.flush())
    throw CLI::FileError(path.string() + " cannot be written", CLI::ExitCodes::FileError);
}

class Writer {
 public:
  explicit Writer(const Options& options) : options_(options) {
    if (!options.rows.empty()) rows_ = rows_of(content(options.rows));
    if (options.without.empty()) return;
    std::ifstream numbers(options.without);
    without_.insert(std::istream_iterator<int>(numbers), {});
  }

  void run() {
    for (const std::string& file : options_.files) source(file);
    write(options_.out / "mutation_pkg.sv", mutation_package());
    write(options_.out / "mutants.tsv", table_);
  }

 private:
  void source(const std::string& file) {
    const std::string text = content(file);
    const Source source(text);
    Numbered numbered;
    for (const Row& row : rows_) {
      if (row.file != file) continue;
      Mutation mutation = replace(source, row.from, row.to);
      if (mutation.region == source.regions.size()) {
        throw CLI::ValidationError(
            "row", file + ": '" + row.from + "' -> '" + row.to + "' changes more than one expression or assignment");
      }
      add(file, source, std::move(mutation), row.tests, numbered);
    }
    for (Mutation& mutation : sample(generate(source), options_.sample, options_.seed, file)) {
      add(file, source, std::move(mutation), "", numbered);
    }
    write(options_.out / file, instrument(source, numbered));
  }

  // Numbers stay the same whatever is left out.
  void add(const std::string& file, const Source& source, Mutation mutation, const std::string& tests, Numbered& out) {
    if (without_.contains(++last_)) return;
    const Region& region = source.regions[mutation.region];
    std::string line = std::to_string(last_);
    for (const std::string& field : {file, std::to_string(mutation.line), mutation.kind, mutation.original,
                                     mutation.changed, std::to_string(source.tokens[region.first].line),
                                     std::to_string(source.tokens[region.last - 1].line), tests, mutation.text}) {
      line += "\t" + field;
    }
    table_ += line + "\n";
    out.emplace_back(last_, std::move(mutation));
  }

  const Options& options_;
  std::vector<Row> rows_;
  std::set<int> without_;
  int last_ = 0;
  std::string table_;
};

int run(int argc, char** argv) {
  CLI::App app("Writes SystemVerilog sources with mistakes in them, of which a simulation chooses one");
  Options options;
  app.add_option("--out", options.out, "Folder for the sources, mutation_pkg.sv, and mutants.tsv")->required();
  app.add_option("--rows", options.rows, "List with mistakes of one's own");
  app.add_option("--sample", options.sample, "Mistakes by rule in each source")->capture_default_str();
  app.add_option("--seed", options.seed, "Chooses them")->capture_default_str();
  app.add_option("--without", options.without, "File with numbers of mistakes that are left out");
  app.add_option("FILE", options.files, "Sources, as they are called in the list")->required();
  try {
    app.parse(argc, argv);
    Writer(options).run();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return 0;
}

}  // namespace
}  // namespace fabrictwin::mutants

int main(int argc, char** argv) { return fabrictwin::mutants::run(argc, argv); }
