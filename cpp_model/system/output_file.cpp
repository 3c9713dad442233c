#include "cpp_model/system/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

namespace fs = std::filesystem;

// stdout or stderr, if it is open for this very file or pipe (/dev/stdout, for example); else -1.
int already_open(const std::string& path) {
  struct stat file = {}, open = {};
  if (::stat(path.c_str(), &file) != 0 || S_ISCHR(file.st_mode)) return -1;
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    if (::fstat(descriptor, &open) == 0 && file.st_dev == open.st_dev && file.st_ino == open.st_ino)
      return descriptor;
  }
  return -1;
}

// Opens what is written to and not replaced, or returns -1. A pipe that nobody reads is an error.
int open_in_place(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor >= 0) ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
}

int open_named(const fs::path& name) {
  return ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

// A file without a name in the folder of `target`, which is gone with the program however that ends; -1 where
// the file system has no such files, or /proc, by which they get names, is missing.
int open_nameless(const fs::path& target) {
  if (::access("/proc/self/fd", X_OK) != 0) return -1;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  return ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

// Gives such a file a name. Returns 0, or sets errno.
int name_file(int descriptor, const fs::path& name) {
  return ::linkat(AT_FDCWD, fmt::format("/proc/self/fd/{}", descriptor).c_str(), AT_FDCWD, name.c_str(),
                  AT_SYMLINK_FOLLOW);
}

}  // namespace

fs::path behind_links(fs::path path) {
  std::error_code error;
  for (int links = 0; links < 40 && fs::is_symlink(path, error); ++links) {
    const fs::path to = fs::read_symlink(path, error);
    path = to.is_absolute() ? to : path.parent_path() / to;
  }
  return path;
}

WriteError::WriteError(const std::string& path, const std::string& why)
    : std::runtime_error(fmt::format("{}: cannot be written: {}", one_line(path), one_line(why))) {}

std::string why_no_output(const std::string& path, bool replaced) {
  std::error_code error;
  const fs::path target = behind_links(path);
  if (!fs::is_directory(fs::absolute(target).parent_path(), error))
    return "expected a file in a folder that exists";
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) return "expected a file; " + error.message();
  if (fs::is_directory(status) || !target.has_filename()) return "expected a file, this is a folder";
  if (fs::exists(status) && ::access(path.c_str(), W_OK) != 0)
    return fmt::format("expected a file that can be written; {}", std::strerror(errno));
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    if (replaced) return "expected a regular file";
    if (already_open(path) >= 0) return "";
    const int descriptor = open_in_place(path);
    if (descriptor < 0) return fmt::format("expected a file that can be written; {}", std::strerror(errno));
    ::close(descriptor);
    return "";
  }
  if (!replaced && already_open(path) >= 0) return "";
  int descriptor = open_nameless(target);
  std::optional<Temporary> probe;
  if (descriptor < 0) descriptor = open_named(probe.emplace(Temporary::name_beside(target)).path());
  if (descriptor < 0)
    return fmt::format("expected a folder that can be written to; {}", std::strerror(errno));
  ::close(descriptor);
  return "";
}

OutputFile::OutputFile(const std::string& path) : path_(path), target_(behind_links(path)) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) throw cannot("expected a file, this is a folder");
  if (const int open = already_open(path); open >= 0) {
    flush_output();  // what was printed comes first
    descriptor_ = ::fcntl(open, F_DUPFD_CLOEXEC, 3);
  } else if (fs::exists(status) && !fs::is_regular_file(status)) {
    descriptor_ = open_in_place(path);
  } else if (descriptor_ = open_nameless(target_); descriptor_ >= 0) {
    is_nameless_ = true;
  } else {
    temporary_ = std::make_unique<Temporary>(Temporary::name_beside(target_));
    descriptor_ = open_named(temporary_->path());
  }
  if (descriptor_ < 0) throw cannot(std::strerror(errno));
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw cannot(std::strerror(errno));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::commit() {
  if (is_nameless_) {
    temporary_ = std::make_unique<Temporary>(Temporary::name_beside(target_));
    if (name_file(descriptor_, temporary_->path()) != 0) throw cannot(std::strerror(errno));
  }
  if (::close(std::exchange(descriptor_, -1)) != 0) throw cannot(std::strerror(errno));
  if (!temporary_) return;
  if (const std::error_code error = temporary_->rename_to(target_)) throw cannot(error.message());
}

void flush_output() {
  static std::atomic<int> first_error{0};
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  int none = 0;
  first_error.compare_exchange_strong(none, errno != 0 ? errno : EIO);
  throw WriteError("stdout", std::strerror(first_error));
}

void write_whole_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace safnet
