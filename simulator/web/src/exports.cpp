#include <cstddef>
#include <string>

#include "request.hpp"
#include "terminal/exit_status.hpp"

/// The functions called by the page. Messages go to standard error, as from the command line.

namespace {

std::string request, response;

}  // namespace

/// @return where the page writes a request of so many bytes
__attribute__((export_name("request"))) char* make_request(std::size_t size) {
  request.resize(size);
  return request.data();
}

/// Answers the request.
/// @return the exit status of `warpipe simulate`
__attribute__((export_name("answer"))) int answer_request() {
  response.clear();
  return warpipe::app::guarded([] { return warpipe::web::answer(warpipe::web::read_request(request), response); },
                               "warpipe simulate --help");
}

/// The answer, UTF-8; empty where there is none.
__attribute__((export_name("response"))) const char* response_text() { return response.data(); }
__attribute__((export_name("response_size"))) std::size_t response_size() { return response.size(); }
