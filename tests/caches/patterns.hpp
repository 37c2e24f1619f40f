#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "caches/access_kernels.hpp"

/// The patterns of access of kernels.

namespace warpipe {

/// y = a x + y: three streams.
AccessMaker streaming(std::int64_t n);

/// A point and its four neighbours in a square; at the border the nearest point inside.
AccessMaker stencil(std::int64_t n);

/// An element of the product per thread, groups of 16 x 16: a row of a and a column of b.
AccessMaker naive_product(std::int64_t n);

/// The same by tiles of 16 x 16, between barriers.
AccessMaker tiled_product(std::int64_t n);

/// Groups of 32 x 8 transpose tiles of 32 x 32: rows are read, columns are written.
AccessMaker naive_transpose(std::int64_t n);
/// The same through shared memory: rows are read, and rows are written.
AccessMaker tiled_transpose(std::int64_t n);

/// Thread i reads element i x stride.
AccessMaker strided(std::int64_t n, std::int64_t stride);

/// All threads read the same elements in turn.
AccessMaker broadcast(std::int64_t n);

/// Groups of 256 threads; each thread adds up elements the width of a group apart, `per_thread` of them.
AccessMaker reduction(std::int64_t n, std::int64_t per_thread);

/// Thread i reads the element named by a table, from `elements` elements, four times.
AccessMaker gather(std::int64_t n, std::int64_t elements);

/// Samples of three warps stand for all: the samples of every third warp go on by some bytes, from the start again at
/// the end.
AccessMaker shifted_gather(std::int64_t n, std::int64_t shift_bytes);

/// Each thread writes `words` words of its own and reads them again.
AccessMaker thread_private(std::int64_t groups, std::int64_t words);

/// Each group reads the same `bytes` in rows of a group's width, `times` times: whether they stay is a matter of size.
AccessMaker repeated(std::int64_t groups, std::int64_t bytes, std::int64_t times);

/// A matrix of n x n, read by rows or by columns: they differ in order only. A thread has a row; in the first kernel
/// the threads of a group go along a row together, in the second each goes along its own.
AccessMaker along_rows(std::int64_t n);
AccessMaker along_columns(std::int64_t n);

/// Rows of groups do work of different length: the kind of a group is its row.
AccessMaker triangle(std::int64_t n);

/// Bytes added up by threads, in bins chosen by their index.
AccessMaker histogram(std::int64_t n, std::int64_t bins);

/// A byte is read and a byte is written per thread.
AccessMaker bytewise(std::int64_t n);

struct Pattern {
  std::string name;
  AccessMaker maker;
  friend void PrintTo(const Pattern& pattern, std::ostream* out) { *out << pattern.name; }
};
/// All patterns, of sizes at which every access can be counted.
std::vector<Pattern> patterns();

}  // namespace warpipe
