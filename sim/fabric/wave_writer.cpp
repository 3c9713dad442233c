#include "sim/fabric/wave_writer.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <verilated.h>
#include <verilated_fst_c.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Verilator's writer ignores what the calls below return. When the disk is full it therefore leaves a broken
// file or, since it maps files into memory that are shorter than it believes, dies of SIGBUS. It is compiled
// here with these calls replaced by ones that note the first error and let the writer carry on harmlessly.
namespace {

std::atomic<int> first_error{0};  // errno; of the waveform that is open or was last closed
std::string writer_folder;        // of the writer's temporary files

void note_error(int error) {
  int none = 0;
  first_error.compare_exchange_strong(none, error == 0 ? EIO : error);
}

std::size_t noting_fwrite(const void* data, std::size_t size, std::size_t count, std::FILE* file) {
  const std::size_t written = std::fwrite(data, size, count, file);
  if (written != count) note_error(errno);
  return written;
}
int noting_fflush(std::FILE* file) {
  if (std::fflush(file) != 0 || std::ferror(file) != 0) note_error(errno);
  return 0;
}
int noting_fseeko(std::FILE* file, off_t offset, int whence) {
  if (::fseeko(file, offset, whence) != 0) note_error(errno);
  return 0;
}
int noting_fclose(std::FILE* file) {
  const bool failed = std::ferror(file) != 0;
  if (std::fclose(file) != 0 || failed) note_error(errno);
  return 0;
}
std::FILE* file_in_folder() {
  std::string name = writer_folder + "/XXXXXX";
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor >= 0) ::unlink(name.c_str());
  std::FILE* file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "w+b");
  if (file == nullptr) note_error(errno);
  return file;
}
// Every page is given a place on the disk before it is mapped; without one, memory takes the place of the
// file.
void* noting_mmap(void* address, std::size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  const int error = bytes == 0 ? 0 : ::posix_fallocate(descriptor, offset, static_cast<off_t>(bytes));
  if (error == 0) return ::mmap(address, bytes, protection, flags, descriptor, offset);
  note_error(error);
  return ::mmap(address, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

}  // namespace

#define fwrite noting_fwrite
#define fflush noting_fflush
#define fseeko noting_fseeko
#define fclose noting_fclose
#define tmpfile file_in_folder
#define mmap noting_mmap
#include <verilated_fst_c.cpp>
#undef fwrite
#undef fflush
#undef fseeko
#undef fclose
#undef tmpfile
#undef mmap

namespace {

// Models cannot have signals whose values are words, but the format can, and Verilator's writer does not mind
// further signals. It keeps the handle that they are written through to itself. An explicit instantiation may
// name private members.
void* handle_of(VerilatedFst& file);
template <void* VerilatedFst::*Handle>
struct HandleOf {
  friend void* handle_of(VerilatedFst& file) { return file.*Handle; }
};
template struct HandleOf<&VerilatedFst::m_fst>;

}  // namespace

namespace safnet {

WaveWriter::WaveWriter(std::string path)
    : path_(std::move(path)),
      folder_(Temporary::name_beside(behind_links(path_))),
      file_(std::make_unique<VerilatedFstC>()) {
  first_error = 0;
  writer_folder = folder_.path();
  std::error_code error;
  if (!std::filesystem::create_directory(folder_.path(), error)) throw WriteError(path_, error.message());
}

WaveWriter::~WaveWriter() {
  const bool opened = file_->isOpen();
  file_->close();
  if (!opened || first_error != 0) return;
  std::error_code error;
  std::filesystem::rename(folder_.path() / "wave.fst", behind_links(path_), error);
  if (error) note_error(error.value());
}

void WaveWriter::require_written() const { require_wave_written(path_); }

void WaveWriter::open() {
  file_->open((folder_.path() / "wave.fst").c_str());
  if (!file_->isOpen()) note_error(errno);
  require_written();
}

void WaveWriter::dump(std::uint64_t time) {
  file_->dump(time);
  require_written();
}

void WaveWriter::begin_scope(const std::string& name) {
  fstWriterSetScope(handle_of(*file_->spTrace()), FST_ST_VCD_MODULE, name.c_str(), nullptr);
}
void WaveWriter::end_scope() { fstWriterSetUpscope(handle_of(*file_->spTrace())); }

WaveWriter::Signal WaveWriter::add_words(const std::string& name) {
  return fstWriterCreateVar(handle_of(*file_->spTrace()), FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, name.c_str(),
                            0);
}
void WaveWriter::set_words(Signal signal, std::string_view words) {
  fstWriterEmitVariableLengthValueChange(handle_of(*file_->spTrace()), signal, words.data(),
                                         static_cast<std::uint32_t>(words.size()));
}

void require_wave_written(const std::string& path) {
  if (const int error = first_error; error != 0) throw WriteError(path, std::strerror(error));
}

}  // namespace safnet
