// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A shared library without a router.
extern "C" int other_library() { return 0; }
