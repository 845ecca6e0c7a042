// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/mutants/selection.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

#include "cosim/base/random.h"

namespace fabrictwin::mutants {
namespace {

uint64_t hash_of(std::string_view name) {
  uint64_t hash = 0;
  for (const char c : name) hash = mix64(hash ^ static_cast<unsigned char>(c));
  return hash;
}

}  // namespace

std::vector<Mutation> sample(std::vector<Mutation> mutations, size_t count, uint64_t seed, std::string_view name) {
  const RandomStream random(seed, hash_of(name), RandomPurpose::kTest);
  std::vector<size_t> order(mutations.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return random.at(a) < random.at(b); });
  order.resize(std::min(count, order.size()));
  std::sort(order.begin(), order.end());
  std::vector<Mutation> chosen;
  for (const size_t m : order) chosen.push_back(std::move(mutations[m]));
  return chosen;
}

std::vector<Row> rows_of(const std::string& list) {
  std::vector<Row> rows;
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    Row row;
    std::istringstream fields(line);
    for (std::string* field : {&row.file, &row.from, &row.to, &row.tests}) std::getline(fields, *field, '\t');
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace fabrictwin::mutants
