#include "cpp_model/schedule/streamed_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::size_t kLongestMessage = 300;

}  // namespace

StreamedOutput::StreamedOutput(const std::string& path) : path_(path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) throw cannot("expected a file, this is a folder");
  int descriptor = -1;
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);  // a device, which no file must replace
  } else {
    static std::atomic<unsigned> number{0};
    for (int attempt = 0; attempt < 100; ++attempt) {
      // Not made from the file's own name, which may be as long as names can be.
      temporary_ =
          std::filesystem::path(path).parent_path() / fmt::format(".safnet_{}_{}.part", ::getpid(), number++);
      descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor >= 0 || errno != EEXIST) break;
    }
  }
  if (descriptor < 0) {
    const int why = errno;
    temporary_.clear();
    throw cannot(std::strerror(why));
  }
  // "T": the bytes as they are, no compression.
  file_ = ::gzdopen(descriptor, path.ends_with(".gz") ? "wb4" : "wbT");
  if (file_ == nullptr) {
    ::close(descriptor);
    discard();
    throw cannot("out of memory");
  }
  ::gzbuffer(file_, kBufferBytes);
  buffer_.reserve(2 * kBufferBytes);
}

void StreamedOutput::commit() {
  flush();
  errno = 0;
  const int result = ::gzclose_w(std::exchange(file_, nullptr));
  if (result != Z_OK) throw cannot(errno != 0 ? std::strerror(errno) : "the last bytes are lost");
  if (temporary_.empty()) return;
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  if (error) throw cannot(error.message());
  temporary_.clear();
}

std::runtime_error StreamedOutput::cannot(const std::string& why) const {
  return std::runtime_error(fmt::format("{}: cannot be written: {}", one_line(path_), one_line(why)));
}

void StreamedOutput::flush() {
  if (buffer_.size() == 0) return;
  errno = 0;
  if (::gzwrite(file_, buffer_.data(), static_cast<unsigned>(buffer_.size())) == 0)
    throw cannot(errno != 0 ? std::strerror(errno) : "compression failed");
  buffer_.clear();
}

void StreamedOutput::discard() {
  if (file_ != nullptr) ::gzclose_w(std::exchange(file_, nullptr));
  std::error_code error;
  if (!temporary_.empty()) std::filesystem::remove(temporary_, error);
}

StreamedInput::StreamedInput(const std::string& path) : path_(path) {
  std::error_code error;
  // A path with a byte 0 is not the path that the system would open.
  if (path.find('\0') != std::string::npos) throw wrong("a byte 0 in the name; expected a file's name");
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw wrong("not found");
  if (!std::filesystem::is_regular_file(status)) throw wrong("expected a regular file");
  file_ = ::gzopen(path.c_str(), "rb");
  if (file_ == nullptr) throw wrong(fmt::format("cannot be opened: {}", std::strerror(errno)));
  ::gzbuffer(file_, kBlockBytes);
  try {
    refill();
    if (at_end()) throw wrong("empty; expected a schedule");
    if (path.ends_with(".gz") && ::gzdirect(file_) != 0)
      throw wrong("not compressed; expected gzip, as the name says");
  } catch (...) {
    ::gzclose_r(file_);
    throw;
  }
}

std::invalid_argument StreamedInput::wrong(const std::string& what) const {
  return bad_input("{}: {}", one_line(path_), printable(what).substr(0, kLongestMessage));
}

void StreamedInput::refill() {
  if (++idle_blocks_ > 2) {
    throw wrong(fmt::format("byte {}: one word or blank of more than {} bytes; expected a schedule", offset_,
                            kBlockBytes));
  }
  const int got = ::gzread(file_, block_.data(), kBlockBytes);
  int error = Z_OK;
  const char* why = ::gzerror(file_, &error);
  // A compressed file that ends too soon is not an error of gzread().
  if (got < 0 || (error != Z_OK && error != Z_STREAM_END)) {
    throw wrong(fmt::format("byte {}: cannot be read: {}",
                            offset_ + static_cast<std::uint64_t>(std::max(got, 0)),
                            error == Z_ERRNO ? std::strerror(errno) : why));
  }
  next_ = block_.data();
  end_ = next_ + got;
  // The parser would take a byte 0 for the end.
  const void* nul = std::memchr(next_, 0, static_cast<std::size_t>(got));
  if (nul != nullptr) {
    throw wrong(fmt::format("byte {}: a byte 0; expected text",
                            offset_ + static_cast<std::uint64_t>(static_cast<const char*>(nul) - next_)));
  }
  offset_ += static_cast<std::uint64_t>(got);
}

}  // namespace safnet
