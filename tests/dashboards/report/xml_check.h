// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a text is well-formed XML, as far as programs that write XML can get it wrong.
#pragma once

#include <string>
#include <string_view>

namespace fabrictwin::test {

/// Empty if `text` is one well-formed element (elements, attributes, text and the five named entities; no comments,
/// CDATA, declarations or processing instructions); otherwise what is wrong and where.
std::string xml_fault(std::string_view text);

}  // namespace fabrictwin::test
