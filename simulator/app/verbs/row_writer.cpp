#include "verbs/row_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "terminal/messages.hpp"

namespace warpipe::app {
namespace {

KeptRows kept_rows(const RowOutput& output, const ExpectedRows& expected) {
  if (!output.file().empty()) return read_kept_rows(output.file(), expected);
  refuse("--resume", fmt::format("there is no file of rows to go on with: they go to {}", output.name()), "",
         "give --csv=FILE");
}

LongWork rows_to_do(LongWork work, const ExpectedRows& expected, std::size_t already) {
  work.noun = expected.noun;
  work.count = expected.count;
  work.already = already;
  return work;
}

}  // namespace

RowWriter::RowWriter(Voice voice, const std::string& file, ExpectedRows expected, bool resume, LongWork work)
    : expected_(std::move(expected)),
      output_(file, resume),
      kept_(resume ? kept_rows(output_, expected_) : KeptRows{}),
      done_(first()),
      progress_(voice, rows_to_do(std::move(work), expected_, done_)),
      interruptible_([this] { say_interrupted(); }) {
  output_.keep(kept_.bytes);
}

void RowWriter::take(const std::string& row) {
  interruptible_.whole([&] {
    if (done_ < kept_.count) {
      if (row != kept_.last) refuse_row(output_.file(), kept_.last_line, expected_, kept_.last, row);
    } else {
      const bool first_of_file = done_ == 0 && kept_.bytes == 0;
      output_.append(first_of_file ? expected_.header + row : row);
    }
    progress_.show(++done_);
  });
}

void RowWriter::finish() {
  interruptible_.whole([&] {
    if (expected_.count == 0 && kept_.bytes == 0) output_.append(expected_.header);
    output_.finish();
  });
}

void RowWriter::say_interrupted() {
  progress_.end();
  const auto done = std::max(done_, kept_.count);
  const auto file = output_.file();
  std::string way_on = fmt::format("they are in {}{}; the same command with --resume goes on from there", file,
                                   output_.stands_beside() ? ", the old rows are as they were" : "");
  if (done == 0) way_on = "nothing is written";
  if (file.empty()) {
    way_on = fmt::format("with --{}=FILE a run can be resumed", expected_.form == RowForm::Csv ? "csv" : "jsonl");
  }
  to_standard_error(
      fmt::format("warpipe: interrupted after {} of {} {}; {}\n", done, expected_.count, expected_.noun, way_on));
}

}  // namespace warpipe::app
